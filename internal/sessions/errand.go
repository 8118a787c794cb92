package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
)

// errand is a prompt on its way.
type errand struct {
	question.Errand
	steps  bool      // a try is under way
	noted  bool      // the question that it answers knows its end
	ended  time.Time // when it was first known how; zero: not yet
	timer  *time.Timer
	acking bool                 // an acknowledgement is on its way
	acked  question.TellingKind // the last one
	next   func()               // the one that waits for it
}

// again lets the next try be made at once.
func (e *errand) again() {
	e.Tries.Next = time.Time{}
	if e.timer != nil {
		e.timer.Stop()
	}
}

func (e *errand) target() target {
	return target{session: e.Prompt.Session, origin: e.Origin, title: e.Seat.Title}
}

// carriedWithin is how long hermes tries.
const carriedWithin = 12 * time.Hour

// pause is how long after the n-th failed try the next is made. What hangs at
// OpenCode, hermes has given up by then.
func pause(n int) time.Duration {
	return min(time.Minute, 2*time.Second<<min(n-1, 5))
}

// carry starts the next try for the oldest prompt that is owed to a session. Prompts
// of one session go one after another, so that they stay in their order.
func (d *Desk) carry(id question.SessionID) {
	line := d.lines[id]
	if len(line) == 0 || d.ctx == nil {
		delete(d.lines, id)
		return
	}
	e := line[0]
	wait := time.Until(e.Tries.Next)
	switch {
	case e.steps:
	case time.Since(e.At) > carriedWithin:
		d.carried(e, result{end: question.TellGivenUp})
	case wait > 0:
		e.timer = d.after(wait, func() {
			if !time.Now().Before(e.Tries.Next) && len(d.lines[id]) > 0 && d.lines[id][0] == e {
				d.carry(id)
			}
		})
	default:
		e.steps = true
		owed, ways := e.Errand, d.waysFor(e)
		d.beside(func(ctx context.Context) {
			r := d.deliver(ctx, e, owed, ways)
			d.back(func() { d.tried(e, r) })
		})
	}
}

// result is what came of a try. Without an end there is to be another.
type result struct {
	end     question.TellingKind // TellTaken, TellQueued, TellBehind, TellDeleted, TellRefused, and those of files
	way     way
	session question.Session
	asks    []question.Thread // TellBehind
	file    question.File     // TellTooLarge, TellFileGone
	err     error             // why there is no end
}

// deliver makes one try. It runs beside the loop.
func (d *Desk) deliver(ctx context.Context, e *errand, owed question.Errand, ways []way) result {
	w, s, err := d.find(ctx, ways, owed.Prompt.Session)
	if err != nil {
		return failure(result{}, err)
	}
	r := result{way: w, session: s}
	if owed.Prompt.ID != "" {
		there, err := w.Prompted(ctx, s.ID, owed.Prompt.ID)
		if there {
			r.end = took(owed.Prompt, false, false)
			return r
		}
		if err != nil {
			return result{err: err}
		}
	}
	p, err := d.written(ctx, e, owed)
	if err == nil {
		p, err = d.filled(ctx, p)
	}
	if err == nil && p.ID == "" {
		p, err = d.named(ctx, e, p, w)
	}
	if err == nil && owed.Answers == "" { // else the agent's own words are in it
		p, err = mentioned(ctx, w, p)
	}
	if err == nil {
		r.session = d.freshly(ctx, w, s, owed.Prompt)
		r.asks = d.waiting(ctx, s.ID, w.Origin)
		err = w.Prompt(ctx, p)
	}
	if errors.Is(err, question.ErrLateID) { // the session has gone on, without it
		if p, err = d.named(ctx, e, p, w); err == nil {
			err = w.Prompt(ctx, p)
		}
	}
	return d.judge(ctx, r, p, err)
}

// named gives a prompt an id and stores it: from then on the session may have it.
func (d *Desk) named(ctx context.Context, e *errand, p question.Prompt, w way) (question.Prompt, error) {
	id, err := w.NextID(ctx, p.Session)
	if err != nil {
		return p, err
	}
	p.ID = id
	return p, d.alter(ctx, e, func(next *question.Errand) { next.Prompt.ID = id })
}

// alter stores an errand otherwise than it was, and what that was for. It is called
// beside the loop, and waits for it.
func (d *Desk) alter(ctx context.Context, e *errand, how func(*question.Errand), entries ...question.Entry) error {
	stored := make(chan error, 1)
	d.back(func() {
		next := e.Errand
		how(&next)
		err := d.commit(question.Change{Errands: []question.Errand{next}, Entries: entries})
		if err == nil {
			e.Errand = next
		}
		stored <- err
	})
	select {
	case err := <-stored:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// judge tells what a try has come to. Only a look at the session proves it. Its error is
// errEnding if hermes ends before that is known.
func (d *Desk) judge(ctx context.Context, r result, p question.Prompt, err error) result {
	if err != nil {
		return failure(r, err)
	}
	var ending error
	for _, wait := range []time.Duration{0, 100 * time.Millisecond, 400 * time.Millisecond, time.Second} {
		if ending != nil {
			return result{err: ending}
		}
		ending = d.rest(ctx, wait) // then there is one more look
		if there, err := r.way.Prompted(ctx, p.Session, p.ID); err == nil && there {
			r.end = took(p, r.session.Busy, len(r.asks) > 0)
			return r
		}
	}
	return result{err: errUnproven}
}

// failure tells whether there is to be another try after an error.
func failure(r result, err error) result {
	var e interface{ Temporary() bool }
	var u *unfetched
	var mute *unheard
	r.err = err
	switch {
	case errors.As(err, &mute):
		r.end = mute.end
	case errors.As(err, &u):
		r.end, r.file = u.end(), u.file
	case errors.Is(err, question.ErrNoSession), errors.Is(err, errGone):
		r.end = question.TellDeleted
	case errors.As(err, &e) && !e.Temporary() && !errors.Is(err, question.ErrLateID):
		r.end = question.TellRefused
	default:
		return result{err: err}
	}
	return r
}

var errUnproven = errors.New("OpenCode took the prompt and does not have it")

// took says how a session took a prompt.
func took(p question.Prompt, busy, asks bool) question.TellingKind {
	switch {
	case p.NoReply:
		return question.TellNoted
	case busy && asks:
		return question.TellBehind
	case busy:
		return question.TellQueued
	}
	return question.TellTaken
}

// tried takes in what came of a try.
func (d *Desk) tried(e *errand, r result) {
	e.steps = false
	switch {
	case r.end != "":
		d.carried(e, r)
		return
	case errors.Is(r.err, errEnding):
		return
	}
	e.Tries.Made++
	e.Tries.Next = time.Now().Add(pause(e.Tries.Made))
	d.log.Debug("a prompt was not delivered", "session", string(e.Prompt.Session), "attempt", e.Tries.Made, "err", r.err)
	if errors.Is(r.err, errAway) || e.Tries.Made > 1 {
		d.acknowledge(e, keptFor(r), e.target())
	}
	d.carry(e.Prompt.Session)
}

// carried ends an errand. What it leaves behind is a watch for the end of its turn,
// in the same transaction. The question that it is a late answer to is told before.
func (d *Desk) carried(e *errand, r result) {
	if e.Answers != "" && !e.noted {
		d.noteLate(e, r)
		return
	}
	if e.ended.IsZero() {
		e.ended = time.Now()
	}
	about := e.target()
	c := question.Change{Carried: []question.ID{e.ID}, Entries: []question.Entry{{
		At: e.ended, Kind: question.EntryCarried, Thread: e.ID, Session: e.Prompt.Session, Detail: string(r.end),
	}}}
	var w *watch
	if r.way.Agent != nil {
		about = place(r.way, r.session)
	}
	if reached(r.end) && !e.Prompt.NoReply {
		w = d.watched(about).joined(e.listener())
		c.Watches = []question.Watch{w.Watch}
	}
	if d.commit(c) != nil {
		e.Tries.Next = time.Now().Add(retryStore)
		d.carry(e.Prompt.Session)
		return
	}
	d.lines[e.Prompt.Session] = d.lines[e.Prompt.Session][1:]
	if w != nil {
		d.watches[w.Session] = w
		d.checkIn(w, d.config.IdleDelay)
	}
	if r.end == question.TellRefused {
		d.log.Warn("a prompt was refused", "session", string(e.Prompt.Session), "err", r.err)
	}
	d.end(e, question.Telling{Kind: r.end, Session: r.session, Asks: r.asks, File: r.file, Reason: reason(r.err)}, about)
	d.carry(e.Prompt.Session)
}

func reached(end question.TellingKind) bool {
	return end == question.TellTaken || end == question.TellNoted || end == question.TellQueued || end == question.TellBehind
}

func (e *errand) listener() question.Listener {
	return question.Listener{Chat: e.Chat, Topic: e.Topic, Message: e.Message, Prompt: e.Prompt.ID, Lang: e.Lang}
}

// acknowledge tells the person how their prompt stands, in one message that changes.
func (d *Desk) acknowledge(e *errand, t question.Telling, about target) {
	if e.acked == t.Kind {
		return
	}
	if e.acking {
		e.next = func() { d.acknowledge(e, t, about) }
		return
	}
	e.acking, e.acked = true, t.Kind
	if t.Session.ID == "" {
		t.Session = about.known()
	}
	t.Chat, t.Topic, t.ReplyTo, t.Lang, t.Edit = e.Chat, e.Topic, e.Message, e.Lang, e.Ack
	d.tell(t, about, func(ids []question.PostedID, err error) {
		e.acking = false
		if len(ids) > 0 {
			e.Ack = ids[len(ids)-1]
		}
		if next := e.next; next != nil {
			e.next = nil
			next()
		} else if line := d.lines[e.Prompt.Session]; len(line) > 0 && line[0] == e {
			_ = d.commit(question.Change{Errands: []question.Errand{e.Errand}}) // else a second message tells the end
		}
	})
}

// reason is why a prompt was refused, as far as people can do something about it.
func reason(err error) question.Reason {
	for _, r := range []struct {
		err  error
		word question.Reason
	}{
		{question.ErrNoAgent, question.ReasonAgent},
		{question.ErrNoModel, question.ReasonModel},
		{question.ErrNoCommand, question.ReasonCommand},
		{question.ErrSigns, question.ReasonSigns},
		{question.ErrNoText, question.ReasonNoText},
		{question.ErrFile, question.ReasonFile},
		{question.ErrTooLarge, question.ReasonTooLarge},
		{question.ErrNotDriven, question.ReasonNotDriven},
	} {
		if errors.Is(err, r.err) {
			return r.word
		}
	}
	return ""
}
