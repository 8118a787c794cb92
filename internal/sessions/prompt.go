package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/loop"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/telegram/ui"
)

const (
	// promptWithin is how long hermes tries to bring a prompt to its session.
	promptWithin = 12 * time.Hour
	// firstPause and lastPause bound the time between two tries. What hangs at OpenCode,
	// hermes has given up by then.
	firstPause = 2 * time.Second
	lastPause  = time.Minute
)

// queuedPrompt is a prompt that is owed to a session. What is embedded is stored.
type queuedPrompt struct {
	remote.QueuedPrompt
	away    bool      // it is of an earlier life of hermes, and no OpenCode was heard of that may take it
	busy    bool      // a step is under way
	outcome *outcome  // how it ended; nil: that is open
	ended   time.Time // when that was known
	alarm   alarm
	ack     acknowledgement
}

// Next says what is owed for the prompt, if it is the oldest one of its session.
func (p *queuedPrompt) Next(now time.Time) ([]step, time.Time) {
	d := due{now: now}
	switch {
	case p.away, p.busy:
	case p.outcome != nil:
		d.add(endStep, now)
	case now.Sub(p.At) > promptWithin:
		d.add(giveUpStep, now)
	case p.Tries.Next.IsZero():
		d.add(deliverStep, now)
	default:
		d.add(deliverStep, p.Tries.Next)
	}
	return d.steps, d.wake
}

func promptTarget(p remote.QueuedPrompt) target {
	return target{session: p.Prompt.Session, origin: p.Origin, title: p.Place.Title}
}

func (p *queuedPrompt) target() target { return promptTarget(p.QueuedPrompt) }

func (p *queuedPrompt) listener() remote.Listener {
	return remote.Listener{
		Chat: p.Chat, Topic: p.Topic, Message: p.Message, Prompt: p.Prompt.ID, Lang: p.Lang, Unmarked: p.Message != 0 && p.Message != p.Ack,
	}
}

// outcome is the result of a try. Without an end another try follows.
type outcome struct {
	end     remote.PromptStatus
	route   route
	session session.Session
	asks    []question.Thread // PromptBehind
	file    chat.File         // PromptTooLarge, PromptFileGone
	err     error             // why there is no end, or it is a bad one
}

// tell is what the person is told at the end.
func (o outcome) tell() ui.Prompt {
	return ui.Prompt{Status: o.end, Session: o.session, Asks: o.asks, File: o.file, Reason: reasonOf(o.err)}
}

// tellOpen is what the person is told when another try follows.
func (o outcome) tellOpen() ui.Prompt {
	var f *fetchError
	if errors.As(o.err, &f) {
		return ui.Prompt{Status: remote.PromptFetching, File: f.file}
	}
	return ui.Prompt{Status: remote.PromptKept}
}

// failWith tells whether another try follows after an error.
func (o outcome) failWith(err error) outcome {
	var e interface{ Temporary() bool }
	var fetch *fetchError
	var hear *hearError
	o.err = err
	switch {
	case errors.As(err, &hear):
		o.end = hear.end
	case errors.As(err, &fetch):
		o.end, o.file = fetch.endOfPrompt(), fetch.file
	case errors.Is(err, session.ErrNoSession), errors.Is(err, errGone):
		o.end = remote.PromptDeleted
	case errors.As(err, &e) && !e.Temporary() && !errors.Is(err, session.ErrLateID):
		o.end = remote.PromptRefused
	default:
		return outcome{err: err}
	}
	return o
}

// endOfTaken says how a session took a prompt.
func endOfTaken(p session.Prompt, busy, asks bool) remote.PromptStatus {
	switch {
	case p.NoReply:
		return remote.PromptNoted
	case busy && asks:
		return remote.PromptBehind
	case busy:
		return remote.PromptQueued
	}
	return remote.PromptTaken
}

// isDelivered reports whether the session has a prompt that ended so.
func isDelivered(end remote.PromptStatus) bool {
	return end == remote.PromptTaken || end == remote.PromptNoted || end == remote.PromptQueued || end == remote.PromptBehind
}

// reasonOf is why a prompt was refused, as far as people can do something about it.
func reasonOf(err error) remote.Reason {
	for _, r := range []struct {
		err  error
		word remote.Reason
	}{
		{session.ErrNoAgent, remote.ReasonAgent},
		{session.ErrNoModel, remote.ReasonModel},
		{session.ErrNoCommand, remote.ReasonCommand},
		{session.ErrSigns, remote.ReasonSigns},
		{session.ErrNoText, remote.ReasonNoText},
		{session.ErrFile, remote.ReasonFile},
		{session.ErrTooLarge, remote.ReasonTooLarge},
		{session.ErrNotDriven, remote.ReasonNotDriven},
	} {
		if errors.Is(err, r.err) {
			return r.word
		}
	}
	return ""
}

// fetchError says that a file of a prompt could not be got.
type fetchError struct {
	file chat.File
	err  error
}

func (e *fetchError) Error() string { return "a file cannot be fetched: " + e.err.Error() }
func (e *fetchError) Unwrap() error { return e.err }

// endOfPrompt is how the prompt ends, "" if another try follows.
func (e *fetchError) endOfPrompt() remote.PromptStatus {
	switch {
	case errors.Is(e.err, session.ErrTooLarge):
		return remote.PromptTooLarge
	case retry.IsTemporary(e.err), errors.Is(e.err, context.Canceled):
		return ""
	}
	return remote.PromptFileGone
}

// hearError says why the words of a voice message are not known.
type hearError struct {
	end remote.PromptStatus
	err error
}

func (e *hearError) Error() string { return "a voice message cannot be written down: " + e.err.Error() }
func (e *hearError) Unwrap() error { return e.err }

// Each obligation is a record. Its Next says, as a pure function of the record and the time,
// what is owed by now and when to ask again; whatever happens only changes the record. So
// there is one timer a record, and the start asks each record what it needs.

// step is one thing that a record owes.
type step string

const (
	lookStep    step = "look"    // see how the session stands
	storeStep   step = "store"   // store the record: it has lasted
	deliverStep step = "deliver" // make one try to bring the prompt to its session
	giveUpStep  step = "give-up" // no try has succeeded for too long
	endStep     step = "end"     // store that nothing is owed any more, and tell
)

// due collects steps and the earliest time of those that are not due yet.
type due struct {
	now   time.Time
	wake  time.Time
	steps []step
}

// add adds a step that is due at a time. The zero time never comes.
func (d *due) add(s step, at time.Time) {
	switch {
	case at.IsZero():
	case !at.After(d.now):
		d.steps = append(d.steps, s)
	case d.wake.IsZero() || at.Before(d.wake):
		d.wake = at
	}
}

// isDue reports whether a time that may be zero has come.
func isDue(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }

// alarm is the timer of one record.
type alarm struct{ timer *time.Timer }

// set has f run in the loop at a time, and at no other; the zero time: never. f may run once
// more after that, if it was under way.
func (a *alarm) set(l *loop.Loop, at time.Time, f func()) {
	a.stop()
	if !at.IsZero() {
		a.timer = l.After(time.Until(at), f)
	}
}

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}
