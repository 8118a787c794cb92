package sessions

import (
	"context"
	"time"

	"hermes/internal/question"
)

// settle stores what the chat has settled on, and then tells of it.
func (d *Desk) settle(in question.Input, seat question.Seat, t question.Telling, about target) {
	seat.Chat, seat.Topic = d.current(in.Chat), in.Topic
	if d.finish(in, question.Change{Seats: []question.Seat{seat}}) != nil {
		return
	}
	d.seats.Store(seat.Chat, seat)
	d.settles(in)
	t.Seat = seat
	d.tell(addressed(in, t), about, nil)
	d.followed(seat.Chat)
}

// sit makes the chat use a session.
func (d *Desk) sit(in question.Input, w way, s question.Session, kind question.TellingKind) {
	seat := d.seat(in.Chat)
	if seat.Session != s.ID {
		seat.Agent, seat.Model = "", question.Model{}
	}
	seat.Session, seat.Origin, seat.Title = s.ID, w.Origin, s.Title
	d.settle(in, seat, question.Telling{Kind: kind, Session: s}, place(w, s))
}

// use makes plain text go to the session that the words name, or, in a reply, to that
// of the message; "off" makes it go nowhere. Without words it shows the list.
func (d *Desk) use(in question.Input, to target, text string) {
	switch {
	case text == "off":
		seat := d.seat(in.Chat)
		seat.Session, seat.Origin, seat.Title = "", question.Origin{}, ""
		d.settle(in, seat, question.Telling{Kind: question.TellUsing}, target{})
	case text == "" && in.ReplyTo != 0 && to.session != "":
		d.useFrom(in, to.session)
	case text == "":
		d.sessions(in, 0)
	default:
		d.choose(in, func(all []found) []found {
			var sessions []question.Session
			for _, f := range all {
				sessions = append(sessions, f.Session)
			}
			return among(all, called(sessions, text))
		})
	}
}

func among(all []found, some []question.Session) []found {
	var list []found
	for _, s := range some {
		for _, f := range all {
			if f.ID == s.ID {
				list = append(list, f)
			}
		}
	}
	return list
}

// useFrom uses a session by its id, from wherever it can be reached.
func (d *Desk) useFrom(in question.Input, id question.SessionID) {
	ways := d.waysTo(id)
	d.beside(func(ctx context.Context) {
		w, s, err := d.find(ctx, ways, id)
		d.back(func() {
			if err != nil {
				d.tell(addressed(in, d.failure(err, id)), target{}, func(ids []question.PostedID, _ error) {
					d.misses(in, ids)
					_ = d.finish(in, question.Change{})
				})
				return
			}
			d.sit(in, w, s, question.TellUsing)
		})
	})
}

// choose uses the one session that pick finds; several are listed.
func (d *Desk) choose(in question.Input, pick func([]found) []found) {
	ways, seat, may := d.ways(), d.seat(in.Chat), d.owners()
	if len(ways) == 0 {
		d.reply(in, question.Telling{Kind: question.TellOffline})
		return
	}
	d.beside(func(ctx context.Context) {
		all, err := list(ctx, ways, may)
		d.back(func() {
			some := pick(all)
			switch {
			case err != nil:
				d.reply(in, question.Telling{Kind: question.TellFailed})
			case len(some) == 1:
				d.sit(in, some[0].way, some[0].Session, question.TellUsing)
			case len(some) == 0:
				d.reply(in, question.Telling{Kind: question.TellGone})
			default:
				d.reply(in, pageOf(some, nil, seat.Session, 0))
			}
		})
	})
}

// level settles how much the chat hears; without a word it says how much that is.
func (d *Desk) level(in question.Input, text string) {
	seat := d.seat(in.Chat)
	level, ok := levelOf(text)
	if !ok {
		d.reply(in, question.Telling{Kind: question.TellLevel, Seat: seat, Text: text})
		return
	}
	seat.Level = level
	d.settle(in, seat, question.Telling{Kind: question.TellLevel}, target{})
}

// mute keeps the ends of turns quiet for a while. What is asked still comes.
func (d *Desk) mute(in question.Input, text string) {
	seat := d.seat(in.Chat)
	t, ok := muteFor(text)
	if !ok {
		d.reply(in, question.Telling{Kind: question.TellMute, Seat: seat, Text: text})
		return
	}
	seat.Muted = time.Time{}
	if t > 0 {
		seat.Muted = time.Now().Add(t)
	}
	d.settle(in, seat, question.Telling{Kind: question.TellMute}, target{})
}

// failure words an error for people.
func (d *Desk) failure(err error, id question.SessionID) question.Telling {
	t := question.Telling{Kind: question.TellFailed, Session: question.Session{ID: id}}
	switch {
	case err == errGone:
		t.Kind = question.TellGone
	case err == errAway:
		t.Kind = question.TellOffline
	}
	return t
}
