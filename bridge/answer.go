package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/question"
)

// What Answer says of an answer that it did not take.
var (
	ErrUnknown = errors.New("no such question")
	ErrSettled = errors.New("the question takes no more answers")
	ErrPeople  = errors.New("a rule leaves this to people; it is answered in the chat")
)

// What Trouble says. The log has the details.
var (
	ErrStore = errors.New("the store does not take changes; see the log")
	ErrMute  = errors.New("a chat does not take questions; see the log")
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
func (b *Bridge) Ping(ctx context.Context) error { return b.do(ctx, func() {}) }

// Trouble says why the store took no change of late, or that a chat does not take
// what it should show; nil when both work.
func (b *Bridge) Trouble(ctx context.Context) (err error) {
	failed := b.do(ctx, func() {
		switch {
		case b.troubled != "":
			err = ErrStore
		case len(b.mute) > 0:
			err = ErrMute
		}
	})
	return cmp.Or(failed, err)
}

// Open lists the threads that are not retired, oldest first.
func (b *Bridge) Open(ctx context.Context) ([]question.Thread, error) {
	var list []question.Thread
	err := b.do(ctx, func() {
		for _, l := range b.live {
			list = append(list, l.Clone())
		}
	})
	slices.SortFunc(list, func(x, y question.Thread) int { return x.Asked.Compare(y.Asked) })
	return list, err
}

// Thread gives one thread, retired ones included; ErrUnknown without one.
func (b *Bridge) Thread(ctx context.Context, id question.ID) (question.Thread, error) {
	return b.find(ctx, question.Key{ID: id})
}

// Request is Thread for the thread of a request.
func (b *Bridge) Request(ctx context.Context, id question.RequestID) (question.Thread, error) {
	return b.find(ctx, question.Key{Request: id})
}

func (b *Bridge) find(ctx context.Context, k question.Key) (t question.Thread, err error) {
	failed := b.do(ctx, func() {
		if l := b.live[cmp.Or(k.ID, b.byReq[k.Request])]; l != nil {
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

// Answer takes an answer from a program; nil answers dismiss the question. A note goes
// with the rejection of a permission; the agent is told it and goes on. When it
// returns nil the decision is stored, and will be delivered like a person's. Other
// errors than ErrUnknown, ErrSettled, ErrPeople and *Invalid are the store's.
func (b *Bridge) Answer(ctx context.Context, id question.ID, answers question.Answers, note string) error {
	if _, err := b.Thread(ctx, id); err != nil {
		return err
	}
	var err error
	failed := b.do(ctx, func() { err = b.answer(id, answers, note) })
	return cmp.Or(failed, err)
}

func (b *Bridge) answer(id question.ID, answers question.Answers, note string) error {
	l := b.live[id]
	if l == nil || !l.Open() {
		return ErrSettled
	}
	if err := fits(l.Request, answers); answers != nil && err != nil {
		return err
	}
	if answers != nil && b.forPeople(l) {
		return ErrPeople
	}
	if note != "" && (answers != nil || !l.Request.TakesNote()) {
		return &Invalid{-1, "a note goes with the rejection of a permission only, and not with one of a session under /api"}
	}
	by := question.Actor{Kind: question.Caller}
	next, followers := l.Thread, l.Equals
	next.Equals = nil // it is answered alone
	next.Rev++
	next.Decision = &question.Decision{Reject: answers == nil, Note: note, Answers: answers, By: by, At: time.Now()}
	err := b.decide(l, next, nil, question.Entry{Kind: question.EntryAnswered, By: by, Answers: answers, Note: note})
	if err == nil {
		b.part(l)
		b.promote(followers, next.Votes)
	}
	b.reconcile(l)
	return err
}

// forPeople reports whether a rule leaves the answer to people, or to the one who is on it.
func (b *Bridge) forPeople(l *live) bool {
	rule := b.rule(l)
	return rule.Approvals > 1 || len(rule.Roles) > 0 || b.claimed(l, 0).Kind != question.AlertNone
}

// fits checks an answer as a person's would be: one list an item, with the labels
// to the letter. With an option that cancels, the other lists may be empty.
func fits(r question.Request, answers question.Answers) error {
	switch {
	case r.Permission != nil && r.Grants(answers):
		return nil
	case r.Permission != nil:
		return &Invalid{-1, `a permission is answered with [["once"]] or [["always"]], or rejected`}
	}
	if len(answers) != len(r.Items) {
		return &Invalid{-1, fmt.Sprintf("there are %d questions, so answers must hold %d lists", len(r.Items), len(r.Items))}
	}
	cancels := r.Cancelled(answers)
	for i, item := range r.Items {
		if cancels && len(answers[i]) == 0 {
			continue // nobody is asked for more
		}
		if reason := misfit(item, answers[i]); reason != "" {
			return &Invalid{i, reason}
		}
	}
	return nil
}

func misfit(item question.Item, labels []string) string {
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
