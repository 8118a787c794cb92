package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
)

// noteLate lets the question say what became of its late answer. Only then the errand
// ends: a crash in between, and the errand comes to its end once more.
func (d *Desk) noteLate(e *errand, r result) {
	e.steps = true
	d.beside(func(ctx context.Context) {
		t, ok, err := d.config.Store.Find(question.Key{ID: e.Answers})
		if err == nil && ok && t.Late != nil && t.Late.Errand == e.ID {
			late := *t.Late
			late.State = lateState(r.end)
			err = d.config.Late(ctx, t.ID, late, question.Change{})
		}
		d.back(func() { d.lateNoted(e, r, err) })
	})
}

func (d *Desk) lateNoted(e *errand, r result, err error) {
	e.steps = false
	if err != nil && !errors.Is(err, question.ErrLate) && !errors.Is(err, question.ErrNoThread) {
		e.Tries.Next = time.Now().Add(retryStore)
		d.carry(e.Prompt.Session)
		return
	}
	e.noted = true
	d.carried(e, r)
}

// lateState is how far a late answer has come when its prompt ends so.
func lateState(end question.TellingKind) question.LateState {
	switch {
	case reached(end):
		return question.LateSent
	case end == question.TellDeleted:
		return question.LateDeleted
	case end == question.TellRefused:
		return question.LateRefused
	}
	return question.LateUnsure
}

// tooLate tells that the question takes no answer any more, and why. An offer says so
// from then on.
func (d *Desk) tooLate(in question.Input, t question.Thread, offer bool) {
	if in.Kind == question.Typed {
		_ = d.finish(in, question.Change{})
		d.say(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		return
	}
	d.refuseLate(in, over(t))
	if offer {
		tell := addressed(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		tell.Edit = in.Message
		d.tell(tell, target{}, nil)
	}
}

// over says why a question takes no late answer.
func over(t question.Thread) question.Alert {
	switch {
	case t.Late != nil:
		return question.Alert{Kind: question.AlertLate, Late: t.Late, Outcome: t.Outcome, Request: t.Request}
	case t.Outcome != nil:
		return question.Alert{Kind: question.AlertEnded, Outcome: t.Outcome, Request: t.Request}
	}
	return question.Alert{Kind: question.AlertUnknown}
}

func (d *Desk) turnAway(in question.Input, t question.Thread, kind question.AlertKind) {
	d.refuseLate(in, question.Alert{Kind: kind, Request: t.Request})
}

// refuseLate answers a tap that has no effect.
func (d *Desk) refuseLate(in question.Input, a question.Alert) {
	_ = d.finish(in, question.Change{Entries: []question.Entry{
		{Kind: question.EntryRefused, Request: a.Request.ID, By: author(in), Detail: string(a.Kind)},
	}})
	d.config.Chat.Answer(in.Callback, a, in.User.Lang)
}
