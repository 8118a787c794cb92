package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
)

const (
	// followEvery is how often a followed session at work is looked at: events can be
	// lost, and the time that it takes goes on.
	followEvery = 30 * time.Second
	// followSoon is how long after something was asked the session is looked at: people
	// are shown it by then.
	followSoon = time.Second
	// followSettled is the same after an answer. It is less than an edit has to wait.
	followSettled = 200 * time.Millisecond
)

// stirred takes in what a session's OpenCode said, for those who follow it.
func (d *Desk) stirred(e question.Event) {
	switch e.Kind {
	case question.Worked:
		for _, seat := range d.followers(e.Session) {
			d.following(seat, followAfter).rest(false)
		}
	case question.Spoke:
		for _, seat := range d.followers(e.Session) {
			d.spoke(d.following(seat, followAfter), e.Spoken)
		}
	case question.Rested, question.Failed:
		for _, seat := range d.followers(e.Session) {
			if f := d.follows[seat.Chat]; f != nil {
				f.rest(e.Kind == question.Rested)
				d.lookFollowIn(f, d.config.IdleDelay+followSoon) // behind the message of the turn's end
			}
		}
	case question.Asked:
		d.lookAround(e.Origin, followSoon)
	case question.Replied, question.Rejected:
		d.lookAround(e.Origin, followSettled)
	case question.Opened:
		for _, seat := range d.followers("") {
			if d.mayHave(e.Origin, seat.Origin) {
				d.lookFollowIn(d.following(seat, followAfter), followAfter)
			}
		}
	}
}

// rest notes whether the session rests. It is shown with the next change: most likely the
// turn is over, and the message goes.
func (f *follow) rest(rests bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case rests:
		f.state.Live, f.tools = question.LiveRests, nil
	case f.state.Live == question.LiveRests:
		f.state.Live = question.LiveWorks
	}
}

// lookAround looks at what is followed in a directory: a subagent's ask is its session's.
func (d *Desk) lookAround(o question.Origin, in time.Duration) {
	for _, f := range d.follows {
		if f.about.origin.Directory == o.Directory && d.tells(o, f.about.session) {
			d.lookFollowIn(f, in)
		}
	}
}

// cutOff looks at what was followed at an origin that cannot be reached any more. A
// link that only broke comes back at once.
func (d *Desk) cutOff(e question.Event) {
	for _, f := range d.follows {
		if f.about.origin != e.Origin {
			continue
		}
		if f.cut.closed = e.Kind == question.Closed; f.cut.closed {
			d.lookFollowIn(f, 0)
		} else {
			d.lookFollowIn(f, d.config.IdleDelay)
		}
	}
}

// spoke shows what the session does just now.
func (d *Desk) spoke(f *follow, s question.Spoken) {
	f.mu.Lock()
	switch {
	case s.Tool != "":
		f.tools = but(f.tools, s.Part)
		if !s.Ended {
			f.tools = append(f.tools, s)
		}
	case s.Text != "":
		f.state.Turn.Text = s.Text
	}
	f.mu.Unlock()
	if f.shown {
		f.touch()
	}
}

// but is the list without a part.
func but(list []question.Spoken, part string) []question.Spoken {
	var left []question.Spoken
	for _, s := range list {
		if s.Part != part {
			left = append(left, s)
		}
	}
	return left
}

func (d *Desk) lookFollowIn(f *follow, in time.Duration) {
	if f.timer != nil {
		f.timer.Stop()
	}
	f.timer = d.after(in, func() { d.lookFollow(f) })
}

// lookFollow looks how the session stands.
func (d *Desk) lookFollow(f *follow) {
	if d.follows[f.chat] != f || d.ctx == nil {
		return
	}
	if f.looking {
		f.again = true
		return
	}
	f.looking, f.again = true, false
	ways, id := d.towards(f.about), f.about.session
	f.mu.Lock()
	fresh := f.state.Turn.Began.IsZero()
	f.mu.Unlock()
	d.beside(func(ctx context.Context) {
		seen := d.lookLive(ctx, ways, id, fresh)
		d.back(func() { d.lookedFollow(f, seen) })
	})
}

// lookLive is like look, for a session that most likely works.
func (d *Desk) lookLive(ctx context.Context, ways []way, id question.SessionID, fresh bool) (s sight) {
	if s.way, s.session, s.err = d.working(ctx, ways, id); s.err != nil {
		return s
	}
	s.asks = len(d.waiting(ctx, id, s.way.Origin)) > 0
	if fresh || !s.session.Busy {
		s.lastTurn(ctx, id)
	}
	return s
}

func (d *Desk) lookedFollow(f *follow, s sight) {
	f.looking = false
	if d.follows[f.chat] != f {
		return
	}
	if f.again {
		d.lookFollowIn(f, followSoon)
		return
	}
	s.open = f.cut.leaves(&s, d.home(f.about), time.Now())
	switch {
	case errors.Is(s.err, errGone):
		d.finishFollow(f, question.Telling{Live: question.LiveGone})
	case s.err != nil && f.cut.closed && errors.Is(s.err, errAway):
		d.finishFollow(f, question.Telling{Live: question.LiveClosed})
	case s.err != nil, s.open:
		d.lostSight(f)
	case s.session.Busy:
		d.sawWork(f, s)
	default:
		// The end of the turn is told in a message of its own, unless the chat is muted.
		t := question.Telling{Live: question.LiveEnded, Turn: s.turn, Remove: !d.seat(f.chat).Muted.After(time.Now())}
		if f.killed(s.turn) {
			t.Live, t.Remove = question.LiveClosed, false
		}
		d.finishFollow(f, t)
	}
}

// killed reports whether OpenCode was closed in the midst of a turn. One that was stopped
// has no end for a moment as well, but then the session was heard to rest.
func (f *follow) killed(t question.Turn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return t.Unfinished && t.Aborted && (f.cut.closed || f.state.Live != question.LiveRests)
}

// lostSight shows that it is not known how the session stands.
func (d *Desk) lostSight(f *follow) {
	if !f.shown && f.message == 0 {
		delete(d.follows, f.chat) // it begins anew when something is heard
		return
	}
	f.change(func(t *question.Telling) {
		if t.Live = question.LiveAway; t.Session.ID == "" {
			t.Session = f.about.known()
		}
	})
	d.display(f)
	d.lookFollowIn(f, followEvery)
}

// sawWork shows that the session works, or that it waits for a person.
func (d *Desk) sawWork(f *follow, s sight) {
	f.cut = cut{}
	f.about = place(s.way, s.session)
	f.change(func(t *question.Telling) {
		t.Session, t.Live = s.session, question.LiveWorks
		if s.asks {
			t.Live = question.LiveWaits
		}
		if !s.turn.Began.IsZero() {
			t.Turn.Began = s.turn.Began
			if t.Turn.Text == "" {
				t.Turn.Text = s.turn.Text
			}
		}
	})
	if f.shown || f.message != 0 || !s.asks { // what it waits for is a message already
		d.display(f)
	}
	d.lookFollowIn(f, followEvery)
}

func (d *Desk) display(f *follow) {
	if !f.dead {
		d.showFollow(f)
	}
}

// follow settles whether the chat follows the session that it uses.
func (d *Desk) follow(in question.Input, text string) {
	seat := d.seat(in.Chat)
	t := question.Telling{Kind: question.TellFollow, Session: seated(seat).known()}
	switch {
	case text == "off":
		seat.Follow = false
	case seat.Session == "":
		d.reply(in, question.Telling{Kind: question.TellWhich})
		return
	case text == "" || text == "on":
		seat.Follow = true
	default:
		t.Seat = seat
		d.reply(in, t)
		return
	}
	d.settle(in, seat, t, seated(seat))
}
