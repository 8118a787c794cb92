package sessions

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"hermes/internal/question"
)

// chatBook has what each chat has settled on. The loop alone changes it; it may be read from
// anywhere.
type chatBook struct {
	all     sync.Map                   // question.ChatID → question.Seat
	moves   *moves                     // groups that became others
	hasHome func(question.ChatID) bool // Config.Home
}

func newChatBook(home func(question.ChatID) bool) *chatBook {
	return &chatBook{moves: newMoves(), hasHome: home}
}

// current is what a chat has become.
func (b *chatBook) current(chat question.ChatID) question.ChatID { return b.moves.current(chat) }

// noteMove notes that a chat is another one now, and returns what that has become.
func (b *chatBook) noteMove(from, to question.ChatID) question.ChatID {
	b.moves.put(from, to)
	return b.current(to)
}

// settings is what a chat, or the one that it has become, has settled on.
func (b *chatBook) settings(chat question.ChatID) question.Seat {
	chat = b.moves.current(chat)
	if value, ok := b.all.Load(chat); ok {
		return value.(question.Seat)
	}
	return question.Seat{Chat: chat}
}

func (b *chatBook) put(s question.Seat) { b.all.Store(s.Chat, s) }

// choose lists the settings that pass, by the ids of their chats.
func (b *chatBook) choose(passes func(question.Seat) bool) []question.Seat {
	var list []question.Seat
	b.all.Range(func(_, value any) bool {
		if s := value.(question.Seat); passes(s) {
			list = append(list, s)
		}
		return true
	})
	slices.SortFunc(list, func(x, y question.Seat) int { return cmp.Compare(x.Chat, y.Chat) })
	return list
}

// isSetUp reports whether hermes is set up for a chat, or for the group that it was: a
// Controller may hear first, from what it sends there, that a group has become another one.
func (b *chatBook) isSetUp(chat question.ChatID) bool {
	return b.hasHome(chat) || slices.ContainsFunc(b.moves.into(chat), b.hasHome)
}

// hearingAll are the chats that hear of every session from a level on.
func (b *chatBook) hearingAll(from question.Level) []question.Seat {
	return b.choose(func(s question.Seat) bool {
		loud := s.Level == question.LevelAll || s.Level == question.LevelTurns && from == question.LevelTurns
		return loud && !s.Muted.After(time.Now()) && b.isSetUp(s.Chat)
	})
}

// following are the chats that follow a session; empty: any.
func (b *chatBook) following(id question.SessionID) []question.Seat {
	return b.choose(func(s question.Seat) bool {
		return s.Follow && s.Session != "" && (id == "" || s.Session == id) && b.isSetUp(s.Chat)
	})
}

// hearingEnd are the chats that hear of the end of a session's turn, whoever began it.
func (b *chatBook) hearingEnd(id question.SessionID) []question.Seat {
	list := b.hearingAll(question.LevelTurns)
	for _, s := range b.following(id) {
		isThere := func(o question.Seat) bool { return o.Chat == s.Chat }
		if !s.Muted.After(time.Now()) && !slices.ContainsFunc(list, isThere) {
			list = append(list, s)
		}
	}
	return list
}

// originOf is where a chat has the session from that it uses.
func (b *chatBook) originOf(id question.SessionID) (o question.Origin) {
	b.all.Range(func(_, value any) bool {
		if s := value.(question.Seat); s.Session == id && id != "" {
			o = s.Origin
		}
		return o.Way == ""
	})
	return o
}

func (b *chatBook) eachSession(f func(question.SessionID)) {
	b.all.Range(func(_, value any) bool {
		f(value.(question.Seat).Session)
		return true
	})
}

// moveChat gives the settings of a chat to another one and returns what is to be stored: empty
// settings stay behind. What the new chat has settled on already stays as it is.
func (b *chatBook) moveChat(from, to question.ChatID) []question.Seat {
	value, _ := b.all.LoadAndDelete(from)
	s, ok := value.(question.Seat)
	if empty := (question.Seat{Chat: from}); !ok || s == empty {
		return nil
	}
	if value, taken := b.all.Load(to); taken {
		s = value.(question.Seat)
	}
	if s.Chat != to { // the live message stays behind, and a topic of that number is another
		s.Chat, s.Topic, s.Live = to, 0, 0
	}
	b.put(s)
	return []question.Seat{s, {Chat: from}}
}

// sessionInUse is the session that a chat uses.
func sessionInUse(s question.Seat) target {
	return target{session: s.Session, origin: s.Origin, title: s.Title}
}
