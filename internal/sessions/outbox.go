package sessions

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// maxAttempts bounds how often one message is sent within about a minute: a chat may take
// no more messages for some seconds, and the network may be gone for a while.
const maxAttempts = 6

// errNotHome says that hermes sends nothing about sessions to this chat.
var errNotHome = errors.New("hermes is not set up for this chat")

// outbox tells people of sessions, and stores which session each message belongs to.
type outbox struct {
	chat  Chat
	loop  *loop.Loop
	log   *slog.Logger
	store *committer
	chats *chatBook

	sending func(chat.ID) (arrived func()) // Config.Sending
}

// tell shows a message, and remembers which session it belongs to. then is called in
// the loop with what became of it; it may be nil, and is not called when the loop ends
// meanwhile.
func (o *outbox) tell(t outbound.Message, about target, then func([]chat.MessageID, error)) {
	if then == nil {
		then = func([]chat.MessageID, error) {}
	}
	o.attempt(1, t, about, then)
}

func (o *outbox) attempt(n int, t outbound.Message, about target, then func([]chat.MessageID, error)) {
	t = o.redirect(t)
	if o.isSilent(t) {
		o.loop.Post(func() { then(nil, errNotHome) })
		return
	}
	if t.Remove && t.Edit == 0 {
		o.loop.Post(func() { then(nil, nil) }) // it stayed in the group that became this one
		return
	}
	done := o.holdEnd()
	arrived := o.sending(t.Chat)
	o.chat.Tell(t, func(shown outbound.MessageShown) {
		o.loop.Post(func() {
			defer arrived()
			o.takeResult(n, t, about, shown, then)
		})
		done()
	})
}

// takeResult takes in what became of the n-th attempt.
func (o *outbox) takeResult(n int, t outbound.Message, about target, shown outbound.MessageShown, then func([]chat.MessageID, error)) {
	ids, err := shown.Messages, shown.Err
	if about.session != "" && len(ids) > 0 {
		o.store.commit(storage.Change{MessageRefs: about.messages(t.Chat, ids)})
	}
	mayRetry := n < maxAttempts && o.loop.Running()
	if to := successorIn(err); to != 0 && mayRetry {
		o.chats.GroupMoved(t.Chat, to)
		o.attempt(n+1, t, about, then)
		return
	}
	if err != nil && isTemporary(err) && mayRetry {
		if len(ids) > 0 {
			t.Shown, t.Unfiled, t.Edit = ids, shown.Unfiled, 0
		}
		o.loop.After(time.Second<<(n-1), func() { o.attempt(n+1, t, about, then) })
		return
	}
	if err != nil {
		o.log.Warn("a message was not sent", "chat", t.Chat, "err", err)
	}
	then(ids, err)
}

// react puts an emoji under a person's message. then is called in the loop with what became
// of it.
func (o *outbox) react(chat chat.ID, message chat.MessageID, emoji string, then func(error)) {
	done := o.holdEnd()
	o.chat.React(chat, message, emoji, func(err error) {
		o.loop.Post(func() {
			if err != nil {
				o.log.Debug("a reaction was not set", "chat", chat, "err", err)
			}
			then(err)
		})
		done()
	})
}

// answerTap answers the tap that an input is, without words if say is nil.
func (o *outbox) answerTap(in inbound.Input, say ui.Line) {
	o.chat.Answer(in.Callback, say, in.User.Lang)
}

// holdEnd has the end of the loop wait until done is called, within its grace. When the
// loop ends already it waits for nothing new.
func (o *outbox) holdEnd() (done func()) {
	called := make(chan struct{})
	o.loop.Go(func(ctx context.Context) {
		select {
		case <-called:
		case <-ctx.Done():
		}
	})
	return func() { close(called) }
}

// redirect gives a message the chat that its own has become. What it replies to or changes is
// not there.
func (o *outbox) redirect(t outbound.Message) outbound.Message {
	if to := o.chats.Current(t.Chat); to != t.Chat {
		t.Chat, t.Topic, t.ReplyTo, t.Edit, t.Shown = to, 0, 0, 0, nil
	}
	return t
}

// isSilent reports whether a message must not be told in its chat: anything about sessions
// where hermes is not set up, whatever was settled there before.
func (o *outbox) isSilent(t outbound.Message) bool {
	return !t.Anywhere && !o.chats.Home(t.Chat)
}

// isTemporary reports whether the same may succeed later.
func isTemporary(err error) bool {
	var e interface{ Temporary() bool }
	return errors.As(err, &e) && e.Temporary()
}

// committer reads the store, and writes changes.
type committer struct {
	Store
	loop *loop.Loop
	log  *slog.Logger
}

// commit stores a change. One that the store does not take ends the loop, and hermes with it: commit does not return then. So what
// follows a call of it is stored, and what it leads to may leave. The updates are in the inbox, and what was owed still is: the next
// start takes them up.
func (s *committer) commit(c storage.Change) {
	if c.Empty() {
		return
	}
	stampEntries(c.Entries)
	if err := s.Commit(c); err != nil {
		s.loop.Fail(err)
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
func (s *committer) messageOf(chat chat.ID, message chat.MessageID) (remote.MessageRef, bool) {
	said, found, err := s.MessageRef(chat, message)
	if err != nil {
		s.log.Error("cannot read the store", "err", err)
	}
	return said, found
}

// sessionOf is the session that a message belongs to, the card of an ask included.
func (s *committer) sessionOf(chat chat.ID, message chat.MessageID) (target, bool) {
	said, found := s.messageOf(chat, message)
	switch {
	case !found:
		return s.askerOf(chat, storage.Key{Chat: chat, Message: message})
	case said.Session == "": // a text that has no session
		return target{}, false
	}
	return target{session: said.Session, origin: said.Origin, title: said.Title, asked: said.Asked}, true
}

// askerOf is the session of an ask that the chat shows, if people can drive it.
func (s *committer) askerOf(chat chat.ID, ask storage.Key) (target, bool) {
	t, ok, err := s.Find(ask)
	if err != nil && !errors.Is(err, question.ErrNoThread) {
		s.log.Error("cannot read the store", "err", err)
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
