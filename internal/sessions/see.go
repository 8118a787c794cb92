package sessions

import (
	"context"

	"hermes/internal/question"
)

// see asks OpenCode about a session, and answers with what read makes of it.
func (d *Desk) see(in question.Input, to target, read func(context.Context, way, question.Session) (question.Telling, error)) {
	ways := d.towards(to)
	d.beside(func(ctx context.Context) {
		w, s, err := d.find(ctx, ways, to.session)
		var t question.Telling
		if err == nil {
			t, err = read(ctx, w, s)
		}
		d.back(func() {
			if err != nil {
				d.reply(in, d.failure(err, to.session))
				return
			}
			t.Session = s
			d.replyAbout(in, t, place(w, s))
		})
	})
}

// last shows what the session did last.
func (d *Desk) last(in question.Input, to target) {
	home := d.home(to)
	d.see(in, to, func(ctx context.Context, w way, s question.Session) (question.Telling, error) {
		turn, err := w.Turn(ctx, s.ID)
		turn.Session = s
		if unowned(turn, w, home) {
			turn.Aborted = false // only there it is known
		}
		return question.Telling{Kind: question.TellLast, Turn: turn}, err
	})
}

// todo shows the session's list.
func (d *Desk) todo(in question.Input, to target) {
	d.see(in, to, func(ctx context.Context, w way, s question.Session) (question.Telling, error) {
		turn, err := w.Turn(ctx, s.ID)
		return question.Telling{Kind: question.TellTodo, Turn: turn}, err
	})
}

// diff shows what the session changed.
func (d *Desk) diff(in question.Input, to target) {
	d.see(in, to, func(ctx context.Context, w way, s question.Session) (question.Telling, error) {
		text, err := w.Diff(ctx, s.ID)
		return question.Telling{Kind: question.TellDiff, Text: text}, err
	})
}

// pending lists what waits for a person, of what this chat is shown.
func (d *Desk) pending(in question.Input) {
	d.beside(func(ctx context.Context) {
		all, err := d.config.Waiting(ctx)
		t := question.Telling{Kind: question.TellPending, Asks: shownIn(all, in.Chat)}
		d.back(func() {
			if err == nil {
				d.reply(in, t)
			}
		})
	})
}

// shownIn are the asks that wait and that the chat has on its screen.
func shownIn(all []question.Thread, chat question.ChatID) []question.Thread {
	var some []question.Thread
	for _, t := range all {
		if t.Open() && t.Card(chat) >= 0 {
			some = append(some, t)
		}
	}
	return some
}

// status says how everything stands: the session in use, the chat, and the ways.
func (d *Desk) status(in question.Input, to target) {
	t := question.Telling{Kind: question.TellStatus, Seat: d.seat(in.Chat), Found: d.reached()}
	for _, line := range d.lines {
		for _, e := range line {
			if e.Chat == in.Chat {
				t.Owed++
			}
		}
	}
	ways := d.towards(to)
	d.beside(func(ctx context.Context) {
		all, _ := d.config.Waiting(ctx)
		t.Asks = shownIn(all, in.Chat)
		about := target{}
		if to.session != "" {
			if w, s, err := d.find(ctx, ways, to.session); err == nil {
				t.Session, about = s, place(w, s)
			}
		}
		d.back(func() { d.replyAbout(in, t, about) })
	})
}
