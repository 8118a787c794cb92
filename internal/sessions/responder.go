package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// How often one person is answered who only wants to be told something: so many times at
// once, and once more after each while. Prompts and what changes something have no such
// limit.
const (
	replyBurst = 10
	replyEvery = 6 * time.Second
	// refuseEvery is the same for being told that something does not count.
	refuseEvery = time.Minute
)

// responder answers inputs and consumes their updates.
type responder struct {
	*services
	choices *pendingChoices
	roles   func() []string // Config.Roles
	skipped func()          // Config.Skipped; may be nil

	replies  pace.People
	refusals pace.People
}

func newResponder(c *services, config Config, choices *pendingChoices) *responder {
	return &responder{
		services: c, choices: choices, roles: config.Roles, skipped: config.Skipped,
		replies: pace.People{Burst: replyBurst, Every: replyEvery}, refusals: pace.People{Burst: 1, Every: refuseEvery},
	}
}

// finish stores what an input meant, and consumes its update, and those of the
// inputs that go with it. If the store fails, they stay in the inbox and come again at
// the next start.
func (r *responder) finish(in inbound.Input, c storage.Change) error {
	used := in.Updates()
	c.Consumed = append(c.Consumed, used...)
	err := r.store.commit(c)
	r.choices.release(in)
	if err != nil {
		r.store.abandon(used...)
		r.say(in, remote.Message{Kind: remote.TellNotSaved})
	}
	return err
}

// consume is finish for an input that has no effect.
func (r *responder) consume(in inbound.Input) error { return r.finish(in, storage.Change{}) }

// finishSurely is finish for what has happened already: if the store fails it is offered
// again.
func (r *responder) finishSurely(in inbound.Input, c storage.Change) {
	c.Consumed = append(c.Consumed, in.Updates()...)
	r.choices.release(in)
	r.store.commitSurely(c)
}

// say replies to an input, about no session.
func (r *responder) say(in inbound.Input, t remote.Message) {
	r.outbox.tell(addressedTo(in, t), target{}, nil)
}

// addressedTo is a message for the person and place of an input.
func addressedTo(in inbound.Input, t remote.Message) remote.Message {
	t.Chat, t.Topic, t.Lang = in.Chat, in.Topic, in.User.Lang
	if in.Kind != inbound.Tapped {
		t.ReplyTo = in.Message
	}
	return t
}

// reply answers an input that changes nothing. The update is consumed when the
// answer was tried: a crash before that answers it at the next start.
func (r *responder) reply(in inbound.Input, t remote.Message) { r.replyAbout(in, t, target{}) }

func (r *responder) replyAbout(in inbound.Input, t remote.Message, about target) {
	t = addressedTo(in, t)
	switch {
	case in.Kind != inbound.Tapped:
	case in.Button.Kind == inbound.ButtonDiff:
		t.ReplyTo = in.Message
	default:
		t.Edit = in.Message
	}
	r.replyWith(in, t, about)
}

// replyFailure answers an input with an error, in words.
func (r *responder) replyFailure(in inbound.Input, err error, id session.ID) {
	r.reply(in, failureOf(err, id))
}

// replyWith is replyAbout with a message that is addressed already.
func (r *responder) replyWith(in inbound.Input, t remote.Message, about target) {
	r.outbox.tell(t, about, func(ids []chat.MessageID, _ error) {
		r.choices.noteMiss(in, ids)
		_ = r.consume(in)
	})
}

// replySeen asks OpenCode about a session, along these routes, and replies with what read makes of
// it, beside the loop.
func (r *responder) replySeen(in inbound.Input, along []route, to target, read func(context.Context, route, session.Session) (remote.Message, error)) {
	r.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, to.session)
		var t remote.Message
		if err == nil {
			t, err = read(ctx, at, s)
		}
		return func() {
			if err != nil {
				r.replyFailure(in, err, to.session)
				return
			}
			t.Session = s
			r.replyAbout(in, t, foundAt(at, s))
		}
	})
}

// failureOf words an error for people.
func failureOf(err error, id session.ID) remote.Message {
	t := remote.Message{Kind: remote.TellFailed, Session: session.Session{ID: id}}
	switch {
	case errors.Is(err, errGone):
		t.Kind = remote.TellGone
	case errors.Is(err, errAway):
		t.Kind = remote.TellOffline
	}
	return t
}

// mayReply reports whether a person may be told one more thing. If not, the input is
// consumed, and they are told once that some of it is left out.
func (r *responder) mayReply(in inbound.Input) bool {
	verdict := r.replies.Take(int64(in.User.ID), time.Now())
	if verdict == pace.Yes {
		return true
	}
	if r.consume(in) == nil && verdict == pace.Last {
		r.say(in, remote.Message{Kind: remote.TellPaced})
	}
	if r.skipped != nil {
		r.skipped()
	}
	return false
}

// mayRefuse reports whether a person may be told once more that something does not count.
func (r *responder) mayRefuse(in inbound.Input) bool {
	return r.refusals.Take(int64(in.User.ID), time.Now()) == pace.Yes
}

// refuse tells a person that they may not, and notes it.
func (r *responder) refuse(in inbound.Input) {
	err := r.finish(in, storage.Change{Entries: []storage.Entry{
		{Kind: storage.EntryRefused, By: author(in), Detail: string(outbound.AlertNoRole)},
	}})
	switch {
	case in.Kind == inbound.Tapped:
		r.outbox.answerTap(in, outbound.Alert{Kind: outbound.AlertNoRole, Roles: r.roles()})
	case err == nil && r.mayRefuse(in):
		r.say(in, remote.Message{Kind: remote.TellNoRight, Roles: r.roles()})
	}
}

// passOver consumes an input that does not count, and says why.
func (r *responder) passOver(in inbound.Input, why remote.MessageKind) {
	if r.consume(in) != nil {
		return
	}
	switch {
	case in.Kind == inbound.Tapped && why == remote.TellNotYours:
		r.outbox.answerTap(in, outbound.Alert{Kind: outbound.AlertNotYours})
	case in.Kind == inbound.Tapped:
		r.outbox.answerTap(in, outbound.Alert{Kind: outbound.AlertNotHere})
	case r.mayRefuse(in):
		r.say(in, remote.Message{Kind: why})
	}
}

// author is who did it, as the journal names people.
func author(in inbound.Input) question.Actor {
	return question.Actor{Kind: question.Person, User: in.User.ID, Name: in.User.Name, Chat: in.Chat}
}
