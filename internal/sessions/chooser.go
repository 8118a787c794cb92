package sessions

import (
	"context"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// chooser changes what chats have settled on.
type chooser struct {
	*services
	choices *pendingChoices
	live    *liveView
}

// settleOn stores what the chat has settled on, and then tells of it.
func (c *chooser) settleOn(in inbound.Input, chat remote.ChatSettings, t remote.Message, about target) {
	chat.Chat, chat.Topic = c.chats.successorOf(in.Chat), in.Topic
	if c.respond.finish(in, storage.Change{ChatSettings: []remote.ChatSettings{chat}}) != nil {
		return
	}
	c.chats.put(chat)
	c.choices.markSettled(in)
	t.Settings = chat
	if isSetting(in.Button.Kind) {
		t.Edit = in.Message // what was offered there is decided
	}
	c.outbox.tell(addressedTo(in, t), about, nil)
	c.live.matchSettings(chat.Chat)
}

// useSession makes the chat use a session.
func (c *chooser) useSession(in inbound.Input, at route, s session.Session) {
	chat := c.chats.settings(in.Chat)
	if chat.Session != s.ID {
		chat.Agent, chat.Model = "", session.Model{}
	}
	chat.Session, chat.Origin, chat.Title = s.ID, at.Origin, s.Title
	c.settleOn(in, chat, remote.Message{Kind: remote.TellUsing, Session: s}, foundAt(at, s))
}

// useNone makes plain text go nowhere.
func (c *chooser) useNone(in inbound.Input) {
	chat := c.chats.settings(in.Chat)
	chat.Session, chat.Origin, chat.Title = "", session.Origin{}, ""
	c.settleOn(in, chat, remote.Message{Kind: remote.TellUsing}, target{})
}

// useByID uses a session by its id, from wherever it can be reached.
func (c *chooser) useByID(in inbound.Input, id session.ID) {
	along := c.routes.openTo(in, c.routes.toID(id))
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, id)
		return func() {
			if err != nil {
				c.respond.replyWith(in, addressedTo(in, failureOf(err, id)), target{})
				return
			}
			c.useSession(in, at, s)
		}
	})
}

// useNamed uses the one session that the words name; several are listed.
func (c *chooser) useNamed(in inbound.Input, text string) {
	along, inUse, may := c.routes.openTo(in, c.routes.all()), c.chats.settings(in.Chat).Session, c.routes.owners()
	if len(along) == 0 {
		c.respond.reply(in, remote.Message{Kind: remote.TellOffline})
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
				c.respond.reply(in, remote.Message{Kind: remote.TellFailed})
			case len(some) == 1:
				c.useSession(in, some[0].route, some[0].Session)
			case len(some) == 0:
				c.respond.reply(in, remote.Message{Kind: remote.TellGone})
			default:
				c.respond.reply(in, several)
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
func (c *chooser) chooseLevel(in inbound.Input, text string) {
	chat := c.chats.settings(in.Chat)
	level, ok := levelOf(text)
	if !ok {
		c.respond.reply(in, remote.Message{Kind: remote.TellLevel, Settings: chat, Text: text, After: c.chats.after})
		return
	}
	chat.Level = level
	c.settleOn(in, chat, remote.Message{Kind: remote.TellLevel, After: c.chats.after}, target{})
}

// chooseMute keeps the ends of turns quiet for a while. What is asked still comes.
func (c *chooser) chooseMute(in inbound.Input, text string) {
	chat := c.chats.settings(in.Chat)
	t, ok := muteFor(text)
	if !ok {
		c.respond.reply(in, remote.Message{Kind: remote.TellMute, Settings: chat, Text: text})
		return
	}
	chat.Muted = time.Time{}
	if t > 0 {
		chat.Muted = time.Now().Add(t)
	}
	c.settleOn(in, chat, remote.Message{Kind: remote.TellMute}, target{})
}

// chooseFollow settles whether the chat follows the session that it uses.
func (c *chooser) chooseFollow(in inbound.Input, text string) {
	chat := c.chats.settings(in.Chat)
	t := remote.Message{Kind: remote.TellFollow, Session: sessionInUse(chat).asSession()}
	switch {
	case text == "off":
		chat.Follow = false
	case chat.Session == "":
		c.respond.reply(in, remote.Message{Kind: remote.TellWhich})
		return
	case text == "" || text == "on":
		chat.Follow = true
	default:
		t.Settings = chat
		c.respond.reply(in, t)
		return
	}
	c.settleOn(in, chat, t, sessionInUse(chat))
}
