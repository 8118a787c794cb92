package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// stopWithin is how long after the question a session can be stopped by its button:
// later it may work on something else.
const stopWithin = 2 * time.Minute

// stopper stops sessions.
type stopper struct {
	*services
	turns *turnWatcher
}

// askFirst asks whether the session shall be stopped, if it works.
func (p *stopper) askFirst(in inbound.Input, to target) {
	p.respond.replySeen(in, p.routes.toOpen(in, to), to, func(_ context.Context, _ route, s session.Session) (remote.Message, error) {
		if !s.Busy {
			return remote.Message{Kind: remote.TellIdle}, nil
		}
		return remote.Message{Kind: remote.TellStopAsk, At: time.Now()}, nil
	})
}

// letGoOn tells the person that the session continues.
func (p *stopper) letGoOn(in inbound.Input, o inbound.Button) {
	p.respond.reply(in, remote.Message{Kind: remote.TellGoesOn, Session: session.Session{ID: o.Session}})
}

// stopSession stops a session and proves it. The wish is in the journal before it is acted
// on; the update leaves the inbox when the end is known, so after a crash it is acted
// on again, while the button is fresh.
func (p *stopper) stopSession(in inbound.Input, o inbound.Button) {
	if time.Since(o.At) > stopWithin {
		p.respond.reply(in, remote.Message{Kind: remote.TellTooLate, Session: session.Session{ID: o.Session}})
		return
	}
	p.store.commit(storage.Change{Entries: []storage.Entry{
		{Kind: storage.EntryStopping, Session: o.Session, By: author(in)},
	}})
	p.turns.noteStop(o.Session, in.Chat, true)
	along := p.routes.toID(o.Session)
	if last := p.routes.lastHeard(o.Session); last.Way != "" {
		along = p.routes.toSession(target{session: o.Session, origin: last})
	}
	along = p.routes.openTo(in, along)
	p.loop.Beside(func(ctx context.Context) func() {
		at, s, kind, err := p.haltSession(ctx, along, o.Session)
		if errors.Is(err, loop.ErrEnded) {
			return nil
		}
		return func() { p.tellStopped(in, at, s, kind, err) }
	})
}

// tellStopped tells whether a session has stopped, and consumes the wish.
func (p *stopper) tellStopped(in inbound.Input, at route, s session.Session, kind remote.MessageKind, err error) {
	t := remote.Message{Kind: kind, Session: s}
	if err != nil {
		t = failureOf(err, in.Button.Session)
	}
	c := storage.Change{}
	if kind == remote.TellStopped {
		c.Entries = []storage.Entry{{At: time.Now(), Kind: storage.EntryHalted, Session: in.Button.Session, By: author(in)}}
	}
	t = addressedTo(in, t)
	t.Edit = in.Message
	p.outbox.tell(t, foundAt(at, s), func(_ []chat.MessageID, err error) {
		p.turns.noteStop(in.Button.Session, in.Chat, kind == remote.TellStopped && err == nil)
		p.respond.finish(in, c)
	})
}

// haltSession stops the session where it works, and looks whether it has stopped. Its error is
// loop.ErrEnded if hermes ends before that is known.
func (p *stopper) haltSession(ctx context.Context, along []route, id session.ID) (route, session.Session, remote.MessageKind, error) {
	at, s, err := findRunning(ctx, along, id)
	if err != nil {
		return at, s, "", err
	}
	if !s.Busy {
		return at, s, remote.TellIdle, nil
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
			return at, now, remote.TellStopped, nil
		}
		if ending != nil {
			return at, s, "", ending
		}
		ending = p.pause(500 * time.Millisecond) // then there is one more look
	}
	return at, s, remote.TellWorks, nil
}
