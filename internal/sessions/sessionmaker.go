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

// makeNamed makes a session in the directory of that name; without one, in a reply, in that
// of the message's session, or in the only one that there is. Else it asks where.
func (c *Controller) makeNamed(in inbound.Input, to target, name string) {
	if c.resumeWish(in) {
		return
	}
	all := c.directories(in)
	some := originsNamed(all, name)
	switch {
	case name == "" && in.ReplyTo != 0 && to.session != "":
		some = originsOf(all, func(o session.Origin) bool { return o.Directory == to.origin.Directory })
	case name == "":
		some = all
	}
	c.makeIn(in, all, some)
}

// makeInFolder makes a session in the directory of a button, once for each message: the
// message is the session's then.
func (c *Controller) makeInFolder(in inbound.Input, tag string) {
	if c.resumeWish(in) {
		return
	}
	if _, isMade := c.sessionOf(in.Chat, in.Message); isMade {
		c.consume(in)
		return
	}
	all := c.directories(in)
	c.makeIn(in, all, originsOf(all, func(o session.Origin) bool { return session.Tag(o.Directory) == tag }))
}

// resumeWish continues a wish that hermes began with before it was restarted. It reports
// whether it did.
func (c *Controller) resumeWish(in inbound.Input) bool {
	wish := c.chats.settings(in.Chat).Pending
	if wish.Update != in.Update {
		return false
	}
	c.makeSession(in, wish.Origin)
	return true
}

// makeIn makes a session if it is clear where.
func (c *Controller) makeIn(in inbound.Input, all, some []session.Origin) {
	switch {
	case len(all) == 0:
		c.reply(in, ui.Offline().Text())
	case len(some) == 1:
		c.makeSession(in, some[0])
	case len(some) == 0:
		c.reply(in, ui.FolderList(directoriesOf(all)))
	default:
		c.reply(in, ui.FolderList(directoriesOf(some)))
	}
}

// makeSession makes a session. The wish is stored before, and its update stays in the inbox
// until the chat was told:
//
//	after                  on restart
//	wish stored            looked for, not found, made
//	made, and not stored   looked for, found
//	stored, and not told   told; the chat may use another session by then
func (c *Controller) makeSession(in inbound.Input, o session.Origin) {
	chat := c.chats.settings(in.Chat)
	switch wish := chat.Pending; {
	case wish.Update != in.Update:
		chat.Pending = remote.PendingSession{Update: in.Update, Origin: o, At: c.nextMoment()}
		c.keepSettings(chat, storage.Change{})
	case wish.Session != "":
		to := target{session: wish.Session, origin: wish.Origin}
		c.tellMade(in, to, to.asSession())
		return
	}
	wish := chat.Pending
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, err := route{Origin: wish.Origin}, session.Session{}, errAway
		if a, ok := c.routes.agents(wish.Origin); ok {
			at.Agent = a
			s, err = a.CreateOnce(ctx, wish.At)
		}
		return func() { c.takeMade(in, at, s, err) }
	})
}

// takeMade makes the chat use a session that was made for it.
func (c *Controller) takeMade(in inbound.Input, at route, s session.Session, err error) {
	if err != nil {
		c.log.Warn("a session could not be made", append(at.Logged(), "err", err)...)
		c.reply(in, failureOf(err, reasonOf(err)))
		return
	}
	chats := c.chats.settings(in.Chat)
	chats.Session, chats.Origin, chats.Title = s.ID, at.Origin, s.Title
	chats.Agent, chats.Model = "", session.Model{}
	chats.Topic, chats.Pending.Session = in.Topic, s.ID
	change := storage.Change{Entries: []storage.Entry{{Kind: storage.EntryCreated, Session: s.ID, By: in.Author()}}}
	if in.Kind == inbound.Tapped { // the message is the session's from now on
		change.MessageRefs = foundAt(at, s).messages(in.Chat, []chat.MessageID{in.Message})
	}
	c.keepSettings(chats, change)
	c.tellMade(in, foundAt(at, s), s)
}

// tellMade tells of a session that was made, and then consumes the wish.
func (c *Controller) tellMade(in inbound.Input, about target, s session.Session) {
	c.choices.markSettled(in)
	c.tell(inPlace(in, ui.NewSession(s)), about, func([]chat.MessageID, error) {
		c.consume(in) // not before: a chat remembers one wish
	})
}

// keepSettings stores what a chat has settled on while its input is still worked on.
func (c *Controller) keepSettings(chat remote.ChatSettings, change storage.Change) {
	change.ChatSettings = []remote.ChatSettings{chat}
	c.commit(change)
	c.chats.put(chat)
	c.live.matchSettings(chat.Chat)
}

// nextMoment is now, in milliseconds, and never the same twice.
func (c *Controller) nextMoment() time.Time {
	now := time.Now().Truncate(time.Millisecond)
	if !now.After(c.newest) {
		now = c.newest.Add(time.Millisecond)
	}
	c.newest = now
	return now
}

// directories are those in which sessions can be made, each once: those that an
// OpenCode works in, and then those that the configuration names. Nothing that a person
// writes becomes a directory: it only chooses among these.
func (c *Controller) directories(in inbound.Input) []session.Origin {
	var all []session.Origin
	add := func(o session.Origin) {
		if !slices.ContainsFunc(all, func(has session.Origin) bool { return has.Directory == o.Directory }) {
			all = append(all, o)
		}
	}
	for _, r := range c.routes.openTo(in, c.routes.all()) {
		add(r.Origin)
	}
	for _, o := range c.config.Places() {
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
