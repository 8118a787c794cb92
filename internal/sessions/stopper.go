package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// stopWithin is how long after the question a session can be stopped by its button:
// later it may work on something else.
const stopWithin = 2 * time.Minute

// askFirst asks whether the session shall be stopped, if it works.
func (c *Controller) askFirst(in inbound.Input, to target) {
	c.replySeen(in, c.routes.toOpen(in, to), to, func(_ context.Context, _ route, s session.Session) (ui.Text, error) {
		if !s.Busy {
			return ui.NothingToStop(s), nil
		}
		return ui.StopAsk(s, time.Now()), nil
	})
}

// letGoOn tells the person that the session continues.
func (c *Controller) letGoOn(in inbound.Input) {
	c.reply(in, ui.GoesOn().Text())
}

// stopSession stops a session and proves it. The wish is in the journal before it is acted
// on; the update leaves the inbox when the end is known, so after a crash it is acted
// on again, while the button is fresh.
func (c *Controller) stopSession(in inbound.Input, o inbound.Button) {
	if time.Since(o.At) > stopWithin {
		c.reply(in, ui.TooLateToStop().Text())
		return
	}
	c.commit(storage.Change{Entries: []storage.Entry{
		{Kind: storage.EntryStopping, Session: o.Session, By: in.Author()},
	}})
	c.turns.noteStop(o.Session, in.Chat, true)
	along := c.routes.toID(o.Session)
	if last := c.routes.lastHeard(o.Session); last.Way != "" {
		along = c.routes.toSession(target{session: o.Session, origin: last})
	}
	along = c.routes.openTo(in, along)
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, stopped, err := c.haltSession(ctx, along, o.Session)
		if errors.Is(err, loop.ErrEnded) {
			return nil
		}
		return func() { c.tellStopped(in, at, s, stopped, err) }
	})
}

// tellStopped tells whether a session has stopped, and consumes the wish.
func (c *Controller) tellStopped(in inbound.Input, at route, s session.Session, stopped bool, err error) {
	text := ui.StillWorks(s)
	switch {
	case err != nil:
		text = failureOf(err, "")
	case stopped:
		text = ui.Stopped(s)
	case !s.Busy:
		text = ui.NothingToStop(s)
	}
	change := storage.Change{}
	if stopped {
		change.Entries = []storage.Entry{{At: time.Now(), Kind: storage.EntryHalted, Session: in.Button.Session, By: in.Author()}}
	}
	c.tell(inPlace(in, text), foundAt(at, s), func(_ []chat.MessageID, err error) {
		c.turns.noteStop(in.Button.Session, in.Chat, stopped && err == nil)
		c.finish(in, change)
	})
}

// haltSession stops the session where it works, if it does, and looks whether it has stopped. Its error is
// loop.ErrEnded if hermes ends before that is known.
func (c *Controller) haltSession(ctx context.Context, along []route, id session.ID) (at route, s session.Session, stopped bool, err error) {
	at, s, err = findRunning(ctx, along, id)
	if err != nil || !s.Busy {
		return at, s, false, err
	}
	var ending error
	for n := range 16 {
		if n%4 == 0 { // one may end no more than a subagent (1.18.33)
			if err = at.Abort(ctx, id); err != nil {
				return at, s, false, err
			}
		}
		now, err := at.Session(ctx, id)
		if err == nil && !now.Busy {
			return at, now, true, nil
		}
		if ending != nil {
			return at, s, false, ending
		}
		ending = c.pause(500 * time.Millisecond) // then there is one more look
	}
	return at, s, false, nil
}
