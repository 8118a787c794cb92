package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// What Answer says of an answer that it did not take.
var (
	ErrUnknown = errors.New("no such question")
	ErrSettled = errors.New("the question takes no more answers")
	ErrPeople  = errors.New("a rule leaves this to people; it is answered in the chat")
	ErrChat    = errors.New("permission asks are decided by people, in the chat alone")
)

// What Trouble says. The log has the details.
var (
	ErrMute = errors.New("a chat does not take questions; see the log")
	// ErrUnshown is wrapped with the reason.
	ErrUnshown = errors.New("a question is shown in no chat, and is tried again")
)

// Invalid is an answer that does not fit its question.
type Invalid struct {
	Item   int // counted from 0; -1: the answer as a whole
	Reason string
}

func (e *Invalid) Error() string {
	if e.Item < 0 {
		return e.Reason
	}
	return fmt.Sprintf("answers[%d]: %s", e.Item, e.Reason)
}

// Ping returns when the loop takes things in, or ctx ends.
func (b *Bridge) Ping(ctx context.Context) error { return b.loop.Do(ctx, func() {}) }

// Trouble says that a chat does not take what it should show, or that a question is
// shown nowhere; nil when all is well.
func (b *Bridge) Trouble(ctx context.Context) (err error) {
	failed := b.loop.Do(ctx, func() {
		if err = b.unshown(); b.isMuted() {
			err = ErrMute
		}
	})
	return cmp.Or(failed, err)
}

// Open lists the threads that are not retired, oldest first, but for admissions.
func (b *Bridge) Open(ctx context.Context) ([]question.Thread, error) {
	var list []question.Thread
	err := b.loop.Do(ctx, func() {
		for _, l := range b.threads.byID {
			if l.Request.Admission == nil {
				list = append(list, l.Clone())
			}
		}
	})
	slices.SortStableFunc(list, func(x, y question.Thread) int { return x.Asked.Compare(y.Asked) })
	return list, err
}

// Thread gives one thread, retired ones included; ErrUnknown without one.
func (b *Bridge) Thread(ctx context.Context, id question.ID) (question.Thread, error) {
	return b.find(ctx, storage.Key{ID: id})
}

// Request is Thread for the thread of a request that the process at the origin made.
func (b *Bridge) Request(ctx context.Context, o session.Origin, id question.RequestID) (question.Thread, error) {
	return b.find(ctx, storage.Key{Request: id, Origin: o})
}

func (b *Bridge) find(ctx context.Context, k storage.Key) (t question.Thread, err error) {
	failed := b.loop.Do(ctx, func() {
		if l := b.threads.byID[cmp.Or(k.ID, b.threads.byRequest[keyOf(k.Origin, k.Request)])]; l != nil {
			t = l.Clone()
			return
		}
		var ok bool
		if t, ok, err = b.config.Store.Find(k); err == nil && !ok {
			err = ErrUnknown
		}
	})
	return t, cmp.Or(failed, err)
}

// Answer takes an answer to a question from a program; nil answers dismiss it. No program decides a permission: a rejection
// speaks to the agent in a person's place, too. When it returns nil the decision is stored, and will be delivered like a person's. Other
// errors than ErrUnknown, ErrSettled, ErrPeople, ErrChat and *Invalid are the store's.
func (b *Bridge) Answer(ctx context.Context, id question.ID, answers question.Answers) error {
	return b.answerAsProgram(ctx, id, func(l *liveThread) error {
		if err := b.access.whyNotPrograms(l); err != nil {
			return err
		}
		return b.answer(l, question.Decision{Reject: answers == nil, Answers: answers})
	})
}

// Withdraw dismisses an ask for the program that asked it. Its errors are those of
// Answer; it is its asker's whatever the rules leave to people.
func (b *Bridge) Withdraw(ctx context.Context, id question.ID) error {
	return b.answerAsProgram(ctx, id, func(l *liveThread) error { return b.answer(l, question.Decision{Reject: true, Withdrawn: true}) })
}

// answerAsProgram does what a program wants of a thread that takes answers.
func (b *Bridge) answerAsProgram(ctx context.Context, id question.ID, do func(*liveThread) error) error {
	if _, err := b.Thread(ctx, id); err != nil {
		return err
	}
	var err error
	failed := b.loop.Do(ctx, func() {
		if l := b.threads.byID[id]; l != nil && l.Open() {
			err = do(l)
			return
		}
		err = ErrSettled
	})
	return cmp.Or(failed, err)
}

// ForPeople says of each ask that takes answers and that programs may not answer why:
// ErrPeople or ErrChat.
func (b *Bridge) ForPeople(ctx context.Context) (map[question.ID]error, error) {
	why := map[question.ID]error{}
	err := b.loop.Do(ctx, func() {
		for id, l := range b.threads.byID {
			if err := b.access.whyNotPrograms(l); l.Open() && err != nil {
				why[id] = err
			}
		}
	})
	return why, err
}

// answer stores what a program decided.
func (b *Bridge) answer(l *liveThread, d question.Decision) error {
	answers := d.Answers
	if err := checkAnswers(l.Request, answers); answers != nil && err != nil {
		return err
	}
	d.By, d.At = question.OverAPI(), time.Now()
	next, followers := l.Thread, l.Equals
	next.Equals = nil // it is answered alone
	next.Rev++
	next.Decision = &d
	b.decide(l, next, nil, storage.Entry{Kind: storage.EntryAnswered, By: d.By, Answers: answers})
	b.leaveGroup(l)
	b.chooseLeader(followers, next.Votes)
	b.reconcile(l)
	return nil
}

// checkAnswers checks an answer as a person's would be: one list an item, with the labels
// to the letter. With an option that cancels, the other lists may be empty. Those of a form hold values.
func checkAnswers(r question.Request, answers question.Answers) error {
	if len(answers) != len(r.Items) {
		return &Invalid{-1, fmt.Sprintf("there are %d questions, so answers must hold %d lists", len(r.Items), len(r.Items))}
	}
	if r.Form != nil {
		return checkForm(r, answers)
	}
	cancels := r.Cancelled(answers)
	for i, item := range r.Items {
		if cancels && len(answers[i]) == 0 {
			continue // nobody is asked for more
		}
		if reason := whyNoAnswer(item, answers[i]); reason != "" {
			return &Invalid{i, reason}
		}
	}
	return nil
}

func whyNoAnswer(item question.Item, labels []string) string {
	switch {
	case len(labels) == 0:
		return "needs at least one answer"
	case len(labels) > 1 && !item.Multiple:
		return "takes one answer only"
	case item.TakesText():
		return ""
	}
	for _, label := range labels {
		if !slices.ContainsFunc(item.Options, func(o question.Option) bool { return o.Label == label }) {
			return fmt.Sprintf("%q is none of the options", label)
		}
	}
	return ""
}

// Reaches reports whether hermes may show asks in the chat and topic of the card.
func (b *Bridge) Reaches(ctx context.Context, c question.Card) (ok bool, err error) {
	err = b.loop.Do(ctx, func() { ok = b.canReach(c) })
	return ok, err
}
