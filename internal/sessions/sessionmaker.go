package sessions

import (
	"context"
	"path"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// sessionMaker makes sessions for chats.
type sessionMaker struct {
	*services
	choices *pendingChoices
	live    *liveView
	places  func() []session.Origin // Config.Places

	newest time.Time // for which a session was made
}

// makeNamed makes a session in the directory of that name; without one, in a reply, in that
// of the message's session, or in the only one that there is. Else it asks where.
func (m *sessionMaker) makeNamed(in inbound.Input, to target, name string) {
	if m.resumeWish(in) {
		return
	}
	all := m.directories(in)
	some := originsNamed(all, name)
	switch {
	case name == "" && in.ReplyTo != 0 && to.session != "":
		some = originsOf(all, func(o session.Origin) bool { return o.Directory == to.origin.Directory })
	case name == "":
		some = all
	}
	m.makeIn(in, all, some)
}

// makeInFolder makes a session in the directory of a button, once for each message: the
// message is the session's then.
func (m *sessionMaker) makeInFolder(in inbound.Input, tag string) {
	if m.resumeWish(in) {
		return
	}
	if _, isMade := m.store.sessionOf(in.Chat, in.Message); isMade {
		m.respond.consume(in)
		return
	}
	all := m.directories(in)
	m.makeIn(in, all, originsOf(all, func(o session.Origin) bool { return session.Tag(o.Directory) == tag }))
}

// resumeWish continues a wish that hermes began with before it was restarted. It reports
// whether it did.
func (m *sessionMaker) resumeWish(in inbound.Input) bool {
	wish := m.chats.settings(in.Chat).Pending
	if wish.Update != in.Update {
		return false
	}
	m.makeSession(in, wish.Origin)
	return true
}

// makeIn makes a session if it is clear where.
func (m *sessionMaker) makeIn(in inbound.Input, all, some []session.Origin) {
	switch {
	case len(all) == 0:
		m.respond.reply(in, ui.Offline().Text())
	case len(some) == 1:
		m.makeSession(in, some[0])
	case len(some) == 0:
		m.respond.reply(in, ui.FolderList(directoriesOf(all)))
	default:
		m.respond.reply(in, ui.FolderList(directoriesOf(some)))
	}
}

// makeSession makes a session. The wish is stored before, and its update stays in the inbox
// until the chat was told:
//
//	after                  on restart
//	wish stored            looked for, not found, made
//	made, and not stored   looked for, found
//	stored, and not told   told; the chat may use another session by then
func (m *sessionMaker) makeSession(in inbound.Input, o session.Origin) {
	chat := m.chats.settings(in.Chat)
	switch wish := chat.Pending; {
	case wish.Update != in.Update:
		chat.Pending = remote.PendingSession{Update: in.Update, Origin: o, At: m.nextMoment()}
		m.keepSettings(chat, storage.Change{})
	case wish.Session != "":
		to := target{session: wish.Session, origin: wish.Origin}
		m.tellMade(in, to, to.asSession())
		return
	}
	wish := chat.Pending
	m.loop.Beside(func(ctx context.Context) func() {
		at, s, err := route{Origin: wish.Origin}, session.Session{}, errAway
		if a, ok := m.routes.agents(wish.Origin); ok {
			at.Agent = a
			s, err = a.CreateOnce(ctx, wish.At)
		}
		return func() { m.takeMade(in, at, s, err) }
	})
}

// takeMade makes the chat use a session that was made for it.
func (m *sessionMaker) takeMade(in inbound.Input, at route, s session.Session, err error) {
	if err != nil {
		m.log.Warn("a session could not be made", append(at.Logged(), "err", err)...)
		m.respond.reply(in, failureOf(err, reasonOf(err)))
		return
	}
	chats := m.chats.settings(in.Chat)
	chats.Session, chats.Origin, chats.Title = s.ID, at.Origin, s.Title
	chats.Agent, chats.Model = "", session.Model{}
	chats.Topic, chats.Pending.Session = in.Topic, s.ID
	c := storage.Change{Entries: []storage.Entry{{Kind: storage.EntryCreated, Session: s.ID, By: author(in)}}}
	if in.Kind == inbound.Tapped { // the message is the session's from now on
		c.MessageRefs = foundAt(at, s).messages(in.Chat, []chat.MessageID{in.Message})
	}
	m.keepSettings(chats, c)
	m.tellMade(in, foundAt(at, s), s)
}

// tellMade tells of a session that was made, and then consumes the wish.
func (m *sessionMaker) tellMade(in inbound.Input, about target, s session.Session) {
	m.choices.markSettled(in)
	m.outbox.tell(inPlace(in, ui.NewSession(s)), about, func([]chat.MessageID, error) {
		m.respond.consume(in) // not before: a chat remembers one wish
	})
}

// keepSettings stores what a chat has settled on while its input is still worked on.
func (m *sessionMaker) keepSettings(chat remote.ChatSettings, c storage.Change) {
	c.ChatSettings = []remote.ChatSettings{chat}
	m.store.commit(c)
	m.chats.put(chat)
	m.live.matchSettings(chat.Chat)
}

// nextMoment is now, in milliseconds, and never the same twice.
func (m *sessionMaker) nextMoment() time.Time {
	now := time.Now().Truncate(time.Millisecond)
	if !now.After(m.newest) {
		now = m.newest.Add(time.Millisecond)
	}
	m.newest = now
	return now
}

// directories are those in which sessions can be made, each once: those that an
// OpenCode works in, and then those that the configuration names. Nothing that a person
// writes becomes a directory: it only chooses among these.
func (m *sessionMaker) directories(in inbound.Input) []session.Origin {
	var all []session.Origin
	add := func(o session.Origin) {
		if !slices.ContainsFunc(all, func(has session.Origin) bool { return has.Directory == o.Directory }) {
			all = append(all, o)
		}
	}
	for _, r := range m.routes.openTo(in, m.routes.all()) {
		add(r.Origin)
	}
	for _, o := range m.places() {
		add(o)
	}
	return all
}

// originsNamed are those whose directories go by a name: the whole of it, its last part, or
// its last two.
func originsNamed(all []session.Origin, name string) []session.Origin {
	if path.IsAbs(name) {
		name = path.Clean(name)
	}
	return originsOf(all, func(o session.Origin) bool {
		return name != "" && (name == o.Directory || name == o.Project() || name == o.LongProject())
	})
}

func originsOf(all []session.Origin, passes func(session.Origin) bool) []session.Origin {
	var some []session.Origin
	for _, o := range all {
		if passes(o) {
			some = append(some, o)
		}
	}
	return some
}

func directoriesOf(origins []session.Origin) []string {
	var all []string
	for _, o := range origins {
		all = append(all, o.Directory)
	}
	return all
}
