package sessions

import (
	"slices"
	"sync"
	"time"

	"hermes/internal/question"
)

// follow is a session that a chat follows while it works, and the live message that
// shows it. Its id is in the chat's seat until the message tells how that ended, so
// that the next start can finish what a crash left behind.
type follow struct {
	chat    question.ChatID
	topic   int
	about   target
	message question.PostedID // 0: none that is known
	shown   bool              // the chat was asked to show one
	cut     cut
	dead    bool // the message is: nothing more is shown of this turn
	looking bool
	again   bool // something happened meanwhile
	timer   *time.Timer
	touch   func()
	end     func()

	mu    sync.Mutex
	state question.Telling
	tools []question.Spoken // that run, the newest last
	last  bool              // state is what the message ends as
	told  bool              // and was given to be shown
}

// The live message of a turn that is over soon would be noise.
const followAfter = 2 * time.Second

// followed sees to it that what a chat follows is what it has settled on.
func (d *Desk) followed(chat question.ChatID) {
	seat := d.seat(chat)
	if f := d.follows[chat]; f != nil && (!seat.Follow || f.about.session != seat.Session) {
		d.finishFollow(f, question.Telling{Live: question.LiveLeft})
	}
	d.tellFollowed()
	if seat.Follow && seat.Session != "" {
		d.following(seat, 0)
	}
}

// tellFollowed says which sessions are to be heard while they work.
func (d *Desk) tellFollowed() {
	var ids []question.SessionID
	for _, seat := range d.followers("") {
		if !slices.Contains(ids, seat.Session) {
			ids = append(ids, seat.Session)
		}
	}
	slices.Sort(ids)
	d.config.Follow(ids)
}

// followers are the chats that follow a session; empty: any.
func (d *Desk) followers(id question.SessionID) []question.Seat {
	var list []question.Seat
	d.seats.Range(func(_, value any) bool {
		s := value.(question.Seat)
		if s.Follow && s.Session != "" && (id == "" || s.Session == id) && d.setUp(s.Chat) {
			list = append(list, s)
		}
		return true
	})
	slices.SortFunc(list, byChat)
	return list
}

// following gives what follows the seat's session. What is new is looked at in a while.
func (d *Desk) following(seat question.Seat, in time.Duration) *follow {
	if f := d.follows[seat.Chat]; f != nil {
		return f
	}
	f := &follow{chat: seat.Chat, topic: seat.Topic, about: seated(seat)}
	d.follows[seat.Chat] = f
	d.lookFollowIn(f, in)
	return f
}

// resume takes over the live messages that an earlier hermes did not finish.
func (d *Desk) resume() {
	d.tellFollowed()
	d.seats.Range(func(_, value any) bool {
		seat := value.(question.Seat)
		if seat.Live == 0 || d.follows[seat.Chat] != nil || !d.setUp(seat.Chat) {
			return true
		}
		said, known, err := d.config.Store.Said(seat.Chat, seat.Live)
		f := &follow{chat: seat.Chat, topic: seat.Topic, message: seat.Live, about: target{session: said.Session, origin: said.Origin, title: said.Title}}
		d.follows[seat.Chat] = f
		if err != nil || !known || !seat.Follow || seat.Session != said.Session {
			d.finishFollow(f, question.Telling{Live: question.LiveLeft})
			return true
		}
		d.lookFollowIn(f, warmUp)
		return true
	})
}

// showFollow shows how the session stands, in the message that there is or a new one.
func (d *Desk) showFollow(f *follow) {
	if f.dead = f.dead || !d.setUp(f.chat); f.dead {
		return
	}
	if f.shown {
		f.touch()
		return
	}
	f.shown = true
	f.touch, f.end = d.config.Chat.Follow(question.Following{
		Chat: f.chat, Topic: f.topic, Message: f.message, Now: f.now,
		Shown: func(id question.PostedID, err error) { d.back(func() { d.followShown(f, id, err) }) },
	})
}

// now is what the message is to show. It is called beside the loop.
func (f *follow) now() question.Telling {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = f.last
	t := f.state
	t.Kind, t.Chat, t.Topic, t.Silent = question.TellLive, f.chat, f.topic, true
	if n := len(f.tools); n > 0 && t.Live == question.LiveWorks {
		t.Text = doing(f.tools[n-1])
	}
	return t
}

// doing is a tool call in one line.
func doing(s question.Spoken) string {
	if s.Title == "" {
		return s.Tool
	}
	return s.Tool + ": " + s.Title
}

// change alters what the message shows.
func (f *follow) change(alter func(*question.Telling)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	alter(&f.state)
}

// finishFollow lets the message tell how it ended, for the last time.
func (d *Desk) finishFollow(f *follow, t question.Telling) {
	if f.timer != nil {
		f.timer.Stop()
	}
	if d.follows[f.chat] == f {
		delete(d.follows, f.chat)
	}
	if f.dead || !f.shown && f.message == 0 {
		return
	}
	f.mu.Lock()
	t.Session = f.state.Session
	if t.Session.ID == "" {
		t.Session = f.about.known()
	}
	f.state, f.last = t, true
	f.mu.Unlock()
	if d.showFollow(f); f.end != nil {
		f.end()
	}
}

// followShown keeps which message it is, until that has told its end.
func (d *Desk) followShown(f *follow, id question.PostedID, err error) {
	if d.current(f.chat) != f.chat {
		f.dead = true // it stays behind
		return
	}
	seat := d.seat(f.chat)
	f.mu.Lock()
	ended := f.told && err == nil
	f.mu.Unlock()
	switch {
	case err == nil && id != 0 && f.message == 0:
		f.message = id
		if !ended {
			seat.Chat, seat.Live = f.chat, id
			d.keepLive(question.Change{Seats: []question.Seat{seat}, Said: f.about.said(f.chat, []question.PostedID{id})})
		}
	case ended || err != nil && !later(err):
		f.dead = true
		if seat.Live != 0 && seat.Live == f.message {
			seat.Live = 0
			d.keepLive(question.Change{Seats: []question.Seat{seat}})
		}
	}
	if err != nil {
		d.log.Debug("a live message was not shown", "chat", f.chat, "err", err)
	}
}

// keepLive stores a change of one seat. What the store does not take is true until
// hermes ends.
func (d *Desk) keepLive(c question.Change) {
	_ = d.commit(c)
	d.seats.Store(c.Seats[0].Chat, c.Seats[0])
}
