package sessions

import (
	"context"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// What is written right after /use or /new is meant for the session that it settles on,
// and OpenCode may take seconds to say which. So what comes later in the chat is held
// until then; if it comes to nothing, until the chat says so. A crash meanwhile loses
// nothing, as all of it stays in the inbox.

// pendingChoices knows the inputs that may still change what a chat uses, and holds what came
// after them.
type pendingChoices struct {
	loop *loop.Loop

	current map[chat.ID]*choice        // that are worked on
	missed  map[chat.ID]chat.MessageID // what said that the last one came to nothing
}

// choice is the input of a chat that is worked on and may change what the chat uses.
type choice struct {
	update  chat.UpdateID
	settled bool // else it came to nothing, and what follows it has no session
	held    []func(settled bool)
}

func newPendingChoices(l *loop.Loop) *pendingChoices {
	return &pendingChoices{loop: l, current: map[chat.ID]*choice{}, missed: map[chat.ID]chat.MessageID{}}
}

// runAfter calls f when the choice that its chat works on is made, if there is one: settled says
// whether that came to something. Buttons that choose nothing need not wait.
func (p *pendingChoices) runAfter(in inbound.Input, f func(settled bool)) {
	c := p.current[in.Chat]
	if c != nil && (in.Kind != inbound.Tapped || isChoice(in)) {
		c.held = append(c.held, f)
		return
	}
	f(true)
}

// startChoice notes that an input is worked on, if it may change what its chat uses.
func (p *pendingChoices) startChoice(in inbound.Input) {
	if isChoice(in) {
		p.current[in.Chat] = &choice{update: in.Update, settled: keepsSession(in)}
	}
}

// markSettled notes that an input has changed what its chat uses.
func (p *pendingChoices) markSettled(in inbound.Input) {
	if !isChoice(in) {
		return
	}
	if c := p.current[in.Chat]; c != nil && c.update == in.Update {
		c.settled = true
	}
	delete(p.missed, in.Chat)
}

// noteMiss notes which message said that a choice came to nothing: what was written above it
// was written without knowing. Telegram numbers the messages of a chat in their order.
func (p *pendingChoices) noteMiss(in inbound.Input, shown []chat.MessageID) {
	c := p.current[in.Chat]
	if c != nil && c.update == in.Update && !c.settled && in.Kind == inbound.Typed && len(shown) > 0 {
		p.missed[in.Chat] = shown[0]
	}
}

// isAboveMiss reports whether an input was written before its chat said that a choice came
// to nothing.
func (p *pendingChoices) isAboveMiss(in inbound.Input) bool { return in.Message < p.missed[in.Chat] }

// release runs what was held for an input. Idempotent.
func (p *pendingChoices) release(in inbound.Input) {
	if c := p.current[in.Chat]; c != nil && c.update == in.Update {
		p.loop.Post(func() { p.runHeld(in.Chat, c) })
	}
}

func (p *pendingChoices) runHeld(chat chat.ID, c *choice) {
	if p.current[chat] != c {
		return
	}
	delete(p.current, chat)
	for i, f := range c.held {
		if next := p.current[chat]; next != nil {
			next.held = append(next.held, c.held[i:]...)
			return
		}
		f(c.settled)
	}
}

// isChoice reports whether an input may change what its chat uses, or how.
func isChoice(in inbound.Input) bool {
	if in.Kind == inbound.Tapped {
		k := in.Button.Kind
		return k == inbound.ButtonUse || k == inbound.ButtonNew || keepsSession(in)
	}
	some := arguments(in.Text) != ""
	switch {
	case in.Kind != inbound.Typed:
		return false
	case settlesUse(in):
		return true
	case in.Command == "use":
		return some
	case in.Command == "agent", in.Command == "model":
		return some
	}
	return in.Command == "new"
}

// keepsSession reports whether an input that isChoice may change only how the chat uses its session.
func keepsSession(in inbound.Input) bool {
	if in.Kind == inbound.Tapped {
		return in.Button.Kind == inbound.ButtonAgent || in.Button.Kind == inbound.ButtonModel
	}
	return in.ReplyTo == 0 && (in.Command == "agent" || in.Command == "model")
}

// isPlain reports whether an input names no session and no command: it is for the session
// that the chat uses.
func isPlain(in inbound.Input) bool {
	written := in.Kind == inbound.Typed || in.Kind == inbound.Attached
	return written && in.ReplyTo == 0 && (in.Command == "" || in.Kind == inbound.Attached)
}

// settleOn stores what the chat has settled on, and then tells of it.
func (c *Controller) settleOn(in inbound.Input, chat remote.ChatSettings, text ui.Text, about target) {
	chat.Topic = in.Topic
	c.finish(in, storage.Change{ChatSettings: []remote.ChatSettings{chat}})
	c.chats.put(chat)
	c.choices.markSettled(in)
	t := addressedTo(in, text)
	if isSetting(in.Button.Kind) {
		t.Edit = in.Message // what was offered there is decided
	}
	c.tell(t, about, nil)
	c.live.matchSettings(chat.Chat)
}

// useSession makes the chat use a session.
func (c *Controller) useSession(in inbound.Input, at route, s session.Session) {
	c.settleOn(in, using(c.chats.settings(in.Chat), foundAt(at, s)), ui.InUse(s), foundAt(at, s))
}

// using is what a chat has settled on when it uses a session.
func using(chat remote.ChatSettings, to target) remote.ChatSettings {
	if chat.Session != to.session {
		chat.Agent, chat.Model = "", session.Model{}
	}
	chat.Session, chat.Origin, chat.Title = to.session, to.origin, to.title
	return chat
}

// useNone makes plain text go nowhere.
func (c *Controller) useNone(in inbound.Input) {
	chat := c.chats.settings(in.Chat)
	chat.Session, chat.Origin, chat.Title = "", session.Origin{}, ""
	c.settleOn(in, chat, ui.InUse(session.Session{}), target{})
}

// useByID uses a session by its id, from wherever it can be reached.
func (c *Controller) useByID(in inbound.Input, id session.ID) {
	along := c.routes.openTo(in, c.routes.toID(id))
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, id)
		return func() {
			if err != nil {
				c.replyWith(in, addressedTo(in, failureOf(err, "")), target{})
				return
			}
			c.useSession(in, at, s)
		}
	})
}

// useNamed uses the one session that the words name; several are listed.
func (c *Controller) useNamed(in inbound.Input, text string) {
	along, inUse, may := c.routes.openTo(in, c.routes.all()), c.chats.settings(in.Chat).Session, c.routes.owners()
	if len(along) == 0 {
		c.reply(in, ui.Offline().Text())
		return
	}
	c.loop.Beside(func(ctx context.Context) func() {
		all, err := listSessions(ctx, along, may)
		some := foundNamed(all, text)
		several := pageOf(some, nil, inUse, 0)
		addWords(ctx, several.Listed, some)
		return func() {
			switch {
			case err != nil:
				c.reply(in, ui.Failed("").Text())
			case len(some) == 1:
				c.useSession(in, some[0].route, some[0].Session)
			case len(some) == 0:
				c.reply(in, ui.NoSuchSession().Text())
			default:
				c.reply(in, several.Text())
			}
		}
	})
}

// foundNamed is sessionsNamed, with the routes that lead there.
func foundNamed(all []foundSession, text string) []foundSession {
	var sessions []session.Session
	for _, f := range all {
		sessions = append(sessions, f.Session)
	}
	var list []foundSession
	for _, s := range sessionsNamed(sessions, text) {
		for _, f := range all {
			if f.ID == s.ID {
				list = append(list, f)
			}
		}
	}
	return list
}

// chooseLevel settles how much the chat hears; without a word it says how much that is.
func (c *Controller) chooseLevel(in inbound.Input, text string) {
	chat := c.chats.settings(in.Chat)
	level, ok := levelOf(text)
	if !ok {
		c.reply(in, ui.HearsOf(chat, c.chats.after))
		return
	}
	chat.Level = level
	c.settleOn(in, chat, ui.HearsOf(chat, c.chats.after), target{})
}

// chooseMute keeps the ends of turns quiet for a while. What is asked still comes.
func (c *Controller) chooseMute(in inbound.Input, text string) {
	chat := c.chats.settings(in.Chat)
	t, ok := muteFor(text)
	if !ok {
		c.reply(in, ui.IsMuted(chat))
		return
	}
	chat.Muted = time.Time{}
	if t > 0 {
		chat.Muted = time.Now().Add(t)
	}
	c.settleOn(in, chat, ui.IsMuted(chat), target{})
}

// followNone ends that the chat follows the session that it uses.
func (c *Controller) followNone(in inbound.Input) {
	chat := c.chats.settings(in.Chat)
	chat.Follow = false
	c.settleOn(in, chat, ui.Follows(sessionInUse(chat).asSession(), false, false), sessionInUse(chat))
}

// chooseFollow makes the chat follow a session; with another word it says whether it does.
func (c *Controller) chooseFollow(in inbound.Input, to target, text string) {
	chat := c.chats.settings(in.Chat)
	switch {
	case text != "" && text != "on":
		c.reply(in, ui.Follows(to.asSession(), chat.Follow, false))
		return
	case chat.Session == to.session:
		chat.Follow = true
		c.settleOn(in, chat, ui.Follows(to.asSession(), true, false), sessionInUse(chat))
		return
	}
	along := c.routes.toOpen(in, to)
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, to.session)
		return func() {
			if err != nil {
				c.replyFailure(in, err)
				return
			}
			chat := using(c.chats.settings(in.Chat), foundAt(at, s))
			chat.Follow = true
			c.settleOn(in, chat, ui.Follows(s, true, true), foundAt(at, s))
		}
	})
}
