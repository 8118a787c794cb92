package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
)

// stopWithin is how long after the question a session can be stopped by its button:
// later it may work on something else.
const stopWithin = 2 * time.Minute

// abort asks whether the session shall be stopped, if it works.
func (d *Desk) abort(in question.Input, to target) {
	d.see(in, to, func(_ context.Context, _ way, s question.Session) (question.Telling, error) {
		if !s.Busy {
			return question.Telling{Kind: question.TellIdle}, nil
		}
		return question.Telling{Kind: question.TellStopAsk, At: time.Now()}, nil
	})
}

// keep notes that the session shall go on.
func (d *Desk) keep(in question.Input, o question.Order) {
	d.reply(in, question.Telling{Kind: question.TellGoesOn, Session: question.Session{ID: o.Session}})
}

// stop stops a session and proves it. The wish is in the journal before it is acted
// on; the update leaves the inbox when the end is known, so after a crash it is acted
// on again, while the button is fresh.
func (d *Desk) stop(in question.Input, o question.Order) {
	if time.Since(o.At) > stopWithin {
		d.reply(in, question.Telling{Kind: question.TellTooLate, Session: question.Session{ID: o.Session}})
		return
	}
	d.happened(question.Change{Entries: []question.Entry{
		{Kind: question.EntryStopping, Session: o.Session, By: author(in)},
	}})
	ways := d.waysTo(o.Session)
	if last := d.heard.of(o.Session); last.Way != "" {
		ways = d.towards(target{session: o.Session, origin: last})
	}
	d.beside(func(ctx context.Context) {
		w, s, kind, err := d.halt(ctx, ways, o.Session)
		d.back(func() {
			if errors.Is(err, errEnding) {
				return
			}
			t := question.Telling{Kind: kind, Session: s}
			if err != nil {
				t = d.failure(err, o.Session)
			}
			c := question.Change{}
			if kind == question.TellStopped {
				c.Entries = []question.Entry{{At: time.Now(), Kind: question.EntryHalted, Session: o.Session, By: author(in)}}
			}
			t = addressed(in, t)
			t.Edit = in.Message
			d.tell(t, place(w, s), func([]question.PostedID, error) {
				c.Consumed = d.uses(in)
				d.decided(in)
				delete(d.with, in.Update)
				d.happened(c)
			})
		})
	})
}

// halt stops the session where it works, and looks whether it has stopped. Its error is
// errEnding if hermes ends before that is known.
func (d *Desk) halt(ctx context.Context, ways []way, id question.SessionID) (way, question.Session, question.TellingKind, error) {
	w, s, err := d.working(ctx, ways, id)
	if err != nil {
		return w, s, "", err
	}
	if !s.Busy {
		return w, s, question.TellIdle, nil
	}
	var ending error
	for n := range 16 {
		if n%4 == 0 { // one may end no more than a subagent (1.18.33)
			if err = w.Abort(ctx, id); err != nil {
				return w, s, "", err
			}
		}
		now, err := w.Session(ctx, id)
		if err == nil && !now.Busy {
			return w, now, question.TellStopped, nil
		}
		if ending != nil {
			return w, s, "", ending
		}
		ending = d.rest(ctx, 500*time.Millisecond) // then there is one more look
	}
	return w, s, question.TellWorks, nil
}

// working finds the OpenCode that runs the session's turn: only that one can stop it.
func (d *Desk) working(ctx context.Context, ways []way, id question.SessionID) (way, question.Session, error) {
	w, s, err := d.find(ctx, ways, id)
	for _, other := range ways {
		if err == nil && s.Busy {
			break
		}
		if at, busyErr := other.Session(ctx, id); busyErr == nil && at.Busy {
			return other, at, nil
		}
	}
	return w, s, err
}
