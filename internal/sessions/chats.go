package sessions

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/recent"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// chatBook has what each chat has settled on.
type chatBook struct {
	all     map[chat.ID]remote.ChatSettings
	moves   *moves             // groups that became others
	hasHome func(chat.ID) bool // Config.Home
	after   time.Duration      // Config.TurnAfter
}

func newChatBook(home func(chat.ID) bool, after time.Duration) *chatBook {
	return &chatBook{all: map[chat.ID]remote.ChatSettings{}, moves: newMoves(), hasHome: home, after: after}
}

// successorOf is what a chat has become.
func (b *chatBook) successorOf(chat chat.ID) chat.ID { return b.moves.successorOf(chat) }

// noteMove notes that a chat is another one now, and returns what that has become.
func (b *chatBook) noteMove(from, to chat.ID) chat.ID {
	b.moves.put(from, to)
	return b.successorOf(to)
}

// settings is what a chat, or the one that it has become, has settled on.
func (b *chatBook) settings(chat chat.ID) remote.ChatSettings {
	chat = b.moves.successorOf(chat)
	if s, ok := b.all[chat]; ok {
		return s
	}
	return remote.ChatSettings{Chat: chat}
}

func (b *chatBook) put(s remote.ChatSettings) { b.all[s.Chat] = s }

// choose lists the settings that pass, by the ids of their chats.
func (b *chatBook) choose(passes func(remote.ChatSettings) bool) []remote.ChatSettings {
	var list []remote.ChatSettings
	for _, s := range b.all {
		if passes(s) {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(x, y remote.ChatSettings) int { return cmp.Compare(x.Chat, y.Chat) })
	return list
}

// isSetUp reports whether hermes is set up for a chat, or for the group that it was: a
// Controller may hear first, from what it sends there, that a group has become another one.
func (b *chatBook) isSetUp(chat chat.ID) bool {
	return b.hasHome(chat) || slices.ContainsFunc(b.moves.into(chat), b.hasHome)
}

// hearingAll are the chats that hear of every turn, from its beginning on.
func (b *chatBook) hearingAll() []remote.ChatSettings {
	return b.choose(func(s remote.ChatSettings) bool {
		return s.Level == remote.LevelAll && !s.Muted.After(time.Now()) && b.isSetUp(s.Chat)
	})
}

// following are the chats that follow a session; empty: any.
func (b *chatBook) following(id session.ID) []remote.ChatSettings {
	return b.choose(func(s remote.ChatSettings) bool {
		return s.Follow && s.Session != "" && (id == "" || s.Session == id) && b.isSetUp(s.Chat)
	})
}

// hearingEnd are the places that hear of the end of a session's turn, whoever began it: chats that chose to, for
// every session, and of those where its asks are shown the ones that chose nothing.
func (b *chatBook) hearingEnd(id session.ID, ran time.Duration, asked []remote.Hearer) []remote.Hearer {
	var list []remote.Hearer
	add := func(h remote.Hearer) {
		if to := b.successorOf(h.Chat); to != h.Chat {
			h.Chat, h.Topic = to, 0 // a topic of that number is another
		}
		isThere := func(o remote.Hearer) bool { return o.Chat == h.Chat }
		if b.hearsEnd(b.settings(h.Chat), id, ran) && !slices.ContainsFunc(list, isThere) {
			list = append(list, h)
		}
	}
	for _, s := range b.choose(func(s remote.ChatSettings) bool { return s.Level != "" || s.Follow }) {
		at := slices.IndexFunc(asked, func(h remote.Hearer) bool { return h.Chat == s.Chat })
		add(remote.Hearer{Chat: s.Chat, Topic: s.Topic, Silent: at >= 0 && asked[at].Silent})
	}
	for _, h := range asked {
		add(h)
	}
	return list
}

// hearsShortTurns reports whether somebody hears of the end of a session's turn, however short it is.
func (b *chatBook) hearsShortTurns(id session.ID) bool {
	return len(b.hearingEnd(id, 0, nil)) > 0
}

// hearsEnd reports whether a chat hears of the end of a turn that it did not begin, and that ran so long.
func (b *chatBook) hearsEnd(s remote.ChatSettings, id session.ID, ran time.Duration) bool {
	level := s.Level.Chosen()
	wants := level == remote.LevelAll || level == remote.LevelTurns && ran >= b.after || s.Follow && s.Session == id
	return wants && !s.Muted.After(time.Now()) && b.isSetUp(s.Chat)
}

// originOf is where a chat has the session from that it uses.
func (b *chatBook) originOf(id session.ID) (o session.Origin) {
	for _, s := range b.all {
		if s.Session == id && id != "" && s.Origin.Way != "" {
			return s.Origin
		}
	}
	return o
}

func (b *chatBook) eachSession(f func(session.ID)) {
	for _, s := range b.all {
		f(s.Session)
	}
}

// moveChat gives the settings of a chat to another one and returns what to store: empty
// settings stay behind. What the new chat has settled on already stays as it is.
func (b *chatBook) moveChat(from, to chat.ID) []remote.ChatSettings {
	s, ok := b.all[from]
	delete(b.all, from)
	if empty := (remote.ChatSettings{Chat: from}); !ok || s == empty {
		return nil
	}
	if its, taken := b.all[to]; taken {
		s = its
	}
	if s.Chat != to { // the live message stays behind, and a topic of that number is another
		s.Chat, s.Topic, s.Live = to, 0, 0
	}
	b.put(s)
	return []remote.ChatSettings{s, {Chat: from}}
}

// sessionInUse is the session that a chat uses.
func sessionInUse(s remote.ChatSettings) target {
	return target{session: s.Session, origin: s.Origin, title: s.Title}
}

// maxMoves bounds what is remembered of groups that became others. Groups of strangers do
// so too; what is forgotten is learned again from the first message that is sent there.
const maxMoves = 1000

// moves are the groups that became others, the last maxMoves of them.
type moves struct{ to *recent.Map[chat.ID, chat.ID] }

func newMoves() *moves {
	return &moves{to: recent.New[chat.ID, chat.ID](maxMoves)}
}

func (m *moves) put(from, to chat.ID) { m.to.Add(from, to) }

// successorOf is what a chat has become.
func (m *moves) successorOf(chat chat.ID) chat.ID {
	for range 8 { // a supergroup never becomes another; no loop may hang hermes
		next, ok := m.to.Peek(chat)
		if !ok {
			break
		}
		chat = next
	}
	return chat
}

// into lists the groups that became this one.
func (m *moves) into(chat chat.ID) (list []chat.ID) {
	for _, from := range m.to.Keys() {
		if to, _ := m.to.Peek(from); to == chat {
			list = append(list, from)
		}
	}
	return list
}

// successorIn is what a chat has become, as the error reports it; 0: the error reports no
// move.
func successorIn(err error) chat.ID {
	var e interface{ Successor() chat.ID }
	if !errors.As(err, &e) {
		return 0
	}
	return e.Successor()
}
