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

// stopper stops sessions.
type stopper struct{ *common }

// askFirst asks whether the session shall be stopped, if it works.
func (p *stopper) askFirst(in question.Input, to target) {
	p.respond.replySeen(in, p.routes.toSession(to), to, func(_ context.Context, _ route, s question.Session) (question.Telling, error) {
		if !s.Busy {
			return question.Telling{Kind: question.TellIdle}, nil
		}
		return question.Telling{Kind: question.TellStopAsk, At: time.Now()}, nil
	})
}

// letGoOn notes that the session shall go on.
func (p *stopper) letGoOn(in question.Input, o question.Order) {
	p.respond.reply(in, question.Telling{Kind: question.TellGoesOn, Session: question.Session{ID: o.Session}})
}

// stopSession stops a session and proves it. The wish is in the journal before it is acted
// on; the update leaves the inbox when the end is known, so after a crash it is acted
// on again, while the button is fresh.
func (p *stopper) stopSession(in question.Input, o question.Order) {
	if time.Since(o.At) > stopWithin {
		p.respond.reply(in, question.Telling{Kind: question.TellTooLate, Session: question.Session{ID: o.Session}})
		return
	}
	p.store.commitSurely(question.Change{Entries: []question.Entry{
		{Kind: question.EntryStopping, Session: o.Session, By: author(in)},
	}})
	along := p.routes.toID(o.Session)
	if last := p.routes.lastHeard(o.Session); last.Way != "" {
		along = p.routes.toSession(target{session: o.Session, origin: last})
	}
	p.loop.Beside(func(ctx context.Context) func() {
		at, s, kind, err := p.haltSession(ctx, along, o.Session)
		if errors.Is(err, errEnding) {
			return nil
		}
		return func() { p.tellStopped(in, at, s, kind, err) }
	})
}

// tellStopped tells whether a session has stopped, and consumes the wish.
func (p *stopper) tellStopped(in question.Input, at route, s question.Session, kind question.TellingKind, err error) {
	t := question.Telling{Kind: kind, Session: s}
	if err != nil {
		t = failureOf(err, in.Order.Session)
	}
	c := question.Change{}
	if kind == question.TellStopped {
		c.Entries = []question.Entry{{At: time.Now(), Kind: question.EntryHalted, Session: in.Order.Session, By: author(in)}}
	}
	t = addressedTo(in, t)
	t.Edit = in.Message
	p.outbox.tell(t, foundAt(at, s), func([]question.PostedID, error) { p.respond.finishSurely(in, c) })
}

// haltSession stops the session where it works, and looks whether it has stopped. Its error is
// errEnding if hermes ends before that is known.
func (p *stopper) haltSession(ctx context.Context, along []route, id question.SessionID) (route, question.Session, question.TellingKind, error) {
	at, s, err := findRunning(ctx, along, id)
	if err != nil {
		return at, s, "", err
	}
	if !s.Busy {
		return at, s, question.TellIdle, nil
	}
	var ending error
	for n := range 16 {
		if n%4 == 0 { // one may end no more than a subagent (1.18.33)
			if err = at.Abort(ctx, id); err != nil {
				return at, s, "", err
			}
		}
		now, err := at.Session(ctx, id)
		if err == nil && !now.Busy {
			return at, now, question.TellStopped, nil
		}
		if ending != nil {
			return at, s, "", ending
		}
		ending = p.pause(500 * time.Millisecond) // then there is one more look
	}
	return at, s, question.TellWorks, nil
}
