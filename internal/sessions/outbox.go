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
	"hermes/internal/remote"
	"hermes/internal/storage"
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
	moved   func(from, to chat.ID)         // called when a chat turns out to be another one now
}

// tell shows a message, and remembers which session it belongs to. then is called in
// the loop with what became of it; it may be nil, and is not called when the loop ends
// meanwhile.
func (o *outbox) tell(t remote.Message, about target, then func([]chat.MessageID, error)) {
	if then == nil {
		then = func([]chat.MessageID, error) {}
	}
	o.attempt(1, t, about, then)
}

func (o *outbox) attempt(n int, t remote.Message, about target, then func([]chat.MessageID, error)) {
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
	o.chat.Tell(t, func(shown remote.MessageShown) {
		o.loop.Post(func() {
			defer arrived()
			o.takeResult(n, t, about, shown, then)
		})
		done()
	})
}

// takeResult takes in what became of the n-th attempt.
func (o *outbox) takeResult(n int, t remote.Message, about target, shown remote.MessageShown, then func([]chat.MessageID, error)) {
	ids, err := shown.Messages, shown.Err
	if about.session != "" && len(ids) > 0 {
		_ = o.store.commit(storage.Change{MessageRefs: about.messages(t.Chat, ids)}) // a reply to it then needs /use
	}
	mayRetry := n < maxAttempts && o.loop.Running()
	if to := successorIn(err); to != 0 && mayRetry {
		o.moved(t.Chat, to)
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
		o.log.Warn("a message was not sent", "chat", t.Chat, "kind", string(t.Kind), "err", err)
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

// answerTap answers the tap that an input is.
func (o *outbox) answerTap(in inbound.Input, a outbound.Alert) {
	o.chat.Answer(in.Callback, a, in.User.Lang)
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
func (o *outbox) redirect(t remote.Message) remote.Message {
	if to := o.chats.successorOf(t.Chat); to != t.Chat {
		t.Chat, t.Topic, t.ReplyTo, t.Edit, t.Shown = to, 0, 0, 0, nil
	}
	return t
}

// isSilent reports whether a message must not be told in its chat: anything about sessions
// where hermes is not set up, whatever was settled there before.
func (o *outbox) isSilent(t remote.Message) bool {
	return t.Kind != remote.TellNotHere && t.Kind != remote.TellForward && !o.chats.isSetUp(t.Chat)
}

// isTemporary reports whether the same may succeed later.
func isTemporary(err error) bool {
	var e interface{ Temporary() bool }
	return errors.As(err, &e) && e.Temporary()
}
