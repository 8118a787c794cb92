package sessions

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// chatBook has what each chat has settled on.
type chatBook struct {
	Chats // Config.Chats
	all   map[chat.ID]remote.ChatSettings
	after time.Duration // Config.TurnAfter
}

// settings is what a chat, or the one that it has become, has settled on.
func (b *chatBook) settings(chat chat.ID) remote.ChatSettings {
	chat = b.Current(chat)
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

// hearingAll are the chats that hear of every turn, from its beginning on.
func (b *chatBook) hearingAll() []remote.ChatSettings {
	return b.choose(func(s remote.ChatSettings) bool {
		return s.Level == remote.LevelAll && !s.Muted.After(time.Now()) && b.Home(s.Chat)
	})
}

// following are the chats that follow a session; empty: any.
func (b *chatBook) following(id session.ID) []remote.ChatSettings {
	return b.choose(func(s remote.ChatSettings) bool {
		return s.Follow && s.Session != "" && (id == "" || s.Session == id) && b.Home(s.Chat)
	})
}

// hearingEnd are the places that hear of the end of a session's turn, whoever began it: chats that chose to, for
// every session, and of those where its asks are shown the ones that chose nothing.
func (b *chatBook) hearingEnd(id session.ID, ran time.Duration, asked []remote.Hearer) []remote.Hearer {
	var list []remote.Hearer
	add := func(h remote.Hearer) {
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
	return wants && !s.Muted.After(time.Now()) && b.Home(s.Chat)
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

// successorIn is what a chat has become, as the error reports it; 0: the error reports no
// move.
func successorIn(err error) chat.ID {
	var e interface{ Successor() chat.ID }
	if !errors.As(err, &e) {
		return 0
	}
	return e.Successor()
}
