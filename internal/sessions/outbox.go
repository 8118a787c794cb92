package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// maxAttempts bounds how often one message is sent within about a minute: a chat may take
// no more messages for some seconds, and the network may be gone for a while.
const maxAttempts = 6

// errNotHome says that hermes sends nothing about sessions to this chat.
var errNotHome = errors.New("hermes is not set up for this chat")

// tell shows a message, and remembers which session it belongs to. then is called in
// the loop with what became of it; it may be nil, and is not called when the loop ends
// meanwhile.
func (c *Controller) tell(t outbound.Message, about target, then func([]chat.MessageID, error)) {
	if then == nil {
		then = func([]chat.MessageID, error) {}
	}
	c.attempt(1, t, about, then)
}

func (c *Controller) attempt(n int, t outbound.Message, about target, then func([]chat.MessageID, error)) {
	t = c.redirect(t)
	if c.isSilent(t) {
		c.loop.Post(func() { then(nil, errNotHome) })
		return
	}
	if t.Remove && t.Edit == 0 {
		c.loop.Post(func() { then(nil, nil) }) // it stayed in the group that became this one
		return
	}
	done := c.holdEnd()
	arrived := c.config.Sending(t.Chat)
	c.config.Chat.Tell(t, func(shown outbound.MessageShown) {
		c.loop.Post(func() {
			defer arrived()
			c.takeResult(n, t, about, shown, then)
		})
		done()
	})
}

// takeResult takes in what became of the n-th attempt.
func (c *Controller) takeResult(n int, t outbound.Message, about target, shown outbound.MessageShown, then func([]chat.MessageID, error)) {
	ids, err := shown.Messages, shown.Err
	if about.session != "" && len(ids) > 0 {
		c.commit(storage.Change{MessageRefs: about.messages(t.Chat, ids)})
	}
	mayRetry := n < maxAttempts && c.loop.Running()
	if to := successorIn(err); to != 0 && mayRetry {
		c.chats.GroupMoved(t.Chat, to)
		c.attempt(n+1, t, about, then)
		return
	}
	if retry.IsTemporary(err) && mayRetry {
		if len(ids) > 0 {
			t.Shown, t.Unfiled, t.Edit = ids, shown.Unfiled, 0
		}
		c.loop.After(time.Second<<(n-1), func() { c.attempt(n+1, t, about, then) })
		return
	}
	if err != nil {
		c.log.Warn("a message was not sent", "chat", t.Chat, "err", err)
	}
	then(ids, err)
}

// react puts an emoji under a person's message. then is called in the loop with what became
// of it.
func (c *Controller) react(chat chat.ID, message chat.MessageID, emoji string, then func(error)) {
	done := c.holdEnd()
	c.config.Chat.React(chat, message, emoji, func(err error) {
		c.loop.Post(func() {
			if err != nil {
				c.log.Debug("a reaction was not set", "chat", chat, "err", err)
			}
			then(err)
		})
		done()
	})
}

// answerTap answers the tap that an input is, without words if say is nil.
func (c *Controller) answerTap(in inbound.Input, say ui.Line) {
	c.config.Chat.Answer(in.Callback, say, in.User.Lang)
}

// holdEnd has the end of the loop wait until done is called, within its grace. When the
// loop ends already it waits for nothing new.
func (c *Controller) holdEnd() (done func()) {
	called := make(chan struct{})
	c.loop.Go(func(ctx context.Context) {
		select {
		case <-called:
		case <-ctx.Done():
		}
	})
	return func() { close(called) }
}

// redirect gives a message the chat that its own has become. What it replies to or changes is
// not there.
func (c *Controller) redirect(t outbound.Message) outbound.Message {
	if to := c.chats.Current(t.Chat); to != t.Chat {
		t.Chat, t.Topic, t.ReplyTo, t.Edit, t.Shown = to, 0, 0, 0, nil
	}
	return t
}

// isSilent reports whether a message must not be told in its chat: anything about sessions
// where hermes is not set up, whatever was settled there before.
func (c *Controller) isSilent(t outbound.Message) bool {
	return !t.Anywhere && !c.chats.Home(t.Chat)
}

// commit stores a change. One that the store does not take ends the loop, and hermes with it: commit does not return then. So what
// follows a call of it is stored, and what it leads to may leave. The updates are in the inbox, and what was owed still is: the next
// start takes them up.
func (c *Controller) commit(change storage.Change) {
	if change.Empty() {
		return
	}
	stampEntries(change.Entries)
	if err := c.config.Store.Commit(change); err != nil {
		c.loop.Fail(err)
	}
}

// stampEntries gives entries the time, unless they have it.
func stampEntries(entries []storage.Entry) {
	now := time.Now()
	for i := range entries {
		if entries[i].At.IsZero() {
			entries[i].At = now
		}
	}
}

// messageOf is what the store has of a message that belongs to a session.
func (c *Controller) messageOf(chat chat.ID, message chat.MessageID) (remote.MessageRef, bool) {
	said, found, err := c.config.Store.MessageRef(chat, message)
	if err != nil {
		c.log.Error("cannot read the store", "err", err)
	}
	return said, found
}

// sessionOf is the session that a message belongs to, the card of an ask included.
func (c *Controller) sessionOf(chat chat.ID, message chat.MessageID) (target, bool) {
	said, found := c.messageOf(chat, message)
	switch {
	case !found:
		return c.askerOf(chat, storage.Key{Chat: chat, Message: message})
	case said.Session == "": // a text that has no session
		return target{}, false
	}
	return target{session: said.Session, origin: said.Origin, title: said.Title, asked: said.Asked}, true
}

// askerOf is the session of an ask that the chat shows, if people can drive it.
func (c *Controller) askerOf(chat chat.ID, ask storage.Key) (target, bool) {
	t, ok, err := c.config.Store.Find(ask)
	if err != nil && !errors.Is(err, question.ErrNoThread) {
		c.log.Error("cannot read the store", "err", err)
	}
	if err != nil || !ok {
		return target{}, false
	}
	return asker(chat, t)
}

// asker is askerOf for a thread that was read.
func asker(chat chat.ID, t question.Thread) (target, bool) {
	if t.Card(chat) < 0 || !t.HasSession() {
		return target{}, false
	}
	return target{session: t.LateSession(), origin: t.LastOrigin(), title: t.Place.Title, asked: true}, true
}

// target is a session, and where it was last.
type target struct {
	session session.ID
	origin  session.Origin
	title   string
	asked   bool // it is known from an ask of an OpenCode, which counts only where that may speak of the session
}

// asSession is the session as far as it was known last.
func (t target) asSession() session.Session {
	return session.Session{ID: t.session, Title: t.title, Directory: t.origin.Directory}
}

// messages are those with these ids, as ones that belong to the session from now on.
func (t target) messages(chat chat.ID, ids []chat.MessageID) []remote.MessageRef {
	var all []remote.MessageRef
	for _, id := range ids {
		all = append(all, remote.MessageRef{
			Chat: chat, Message: id, Session: t.session, Origin: t.origin, Title: t.title, At: time.Now(), Asked: t.asked,
		})
	}
	return all
}
