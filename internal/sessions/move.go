package sessions

import (
	"errors"
	"slices"
	"sync"

	"hermes/internal/question"
	"hermes/internal/recent"
)

// maxMoves bounds what is remembered of groups that became others. Groups of strangers do
// so too; what is forgotten is told anew by the first message that is sent there.
const maxMoves = 1000

// Moved follows a group that became a supergroup: what the chat has settled on, and what
// its people wait for, is the new one's from then on. Messages stay behind in the old
// group, where nobody can write any more, and the new one numbers its own anew; so which
// session they belong to does not follow. It may be said again, and never waits.
func (d *Desk) Moved(from, to question.ChatID) { d.back(func() { d.moved(from, to) }) }

func (d *Desk) moved(from, to question.ChatID) {
	if to == 0 || d.current(to) == from {
		return
	}
	d.moves.put(from, to)
	c := question.Change{
		Seats: d.movedSeat(from, d.current(to)), Errands: d.movedErrands(from, d.current(to)), Watches: d.movedWatches(from, d.current(to)),
	}
	if len(c.Seats)+len(c.Errands)+len(c.Watches) > 0 {
		_ = d.commit(c) // else the next start does it
	}
}

// current is what a chat has become. It is safe beside the loop.
func (d *Desk) current(chat question.ChatID) question.ChatID {
	for range 8 { // a supergroup never becomes another; no loop may hang hermes
		next, ok := d.moves.get(chat)
		if !ok {
			break
		}
		chat = next
	}
	return chat
}

// moves are the groups that became others, the last maxMoves of them. Safe for concurrent
// use.
type moves struct {
	mu sync.Mutex
	to *recent.Map[question.ChatID, question.ChatID]
}

func newMoves() *moves {
	return &moves{to: recent.New[question.ChatID, question.ChatID](maxMoves)}
}

func (m *moves) put(from, to question.ChatID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.to.Put(from, to)
}

func (m *moves) get(from question.ChatID) (question.ChatID, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.to.Get(from)
}

// into lists the groups that became this one.
func (m *moves) into(chat question.ChatID) (list []question.ChatID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for from, to := range m.to.All() {
		if to == chat {
			list = append(list, from)
		}
	}
	return list
}

// movedSeat leaves an empty seat behind, unless the new chat has settled on something
// already.
func (d *Desk) movedSeat(from, to question.ChatID) []question.Seat {
	value, _ := d.seats.LoadAndDelete(from)
	seat, ok := value.(question.Seat)
	if empty := (question.Seat{Chat: from}); !ok || seat == empty {
		return nil
	}
	if value, taken := d.seats.Load(to); taken {
		seat = value.(question.Seat)
	}
	if seat.Chat != to { // the live message stays behind, and a topic of that number is another
		seat.Chat, seat.Topic, seat.Live = to, 0, 0
	}
	d.seats.Store(to, seat)
	return []question.Seat{seat, {Chat: from}}
}

func (d *Desk) movedErrands(from, to question.ChatID) []question.Errand {
	var moved []question.Errand
	for _, line := range d.lines {
		for _, e := range line {
			if e.Chat == from {
				e.Chat, e.Topic, e.Message, e.Ack = to, 0, 0, 0
				moved = append(moved, e.Errand)
			}
		}
	}
	return moved
}

func (d *Desk) movedWatches(from, to question.ChatID) []question.Watch {
	var moved []question.Watch
	for _, w := range d.watches {
		if !slices.ContainsFunc(w.For, func(l question.Listener) bool { return l.Chat == from }) {
			continue
		}
		w.For = slices.Clone(w.For)
		for i, l := range w.For {
			if l.Chat == from {
				w.For[i].Chat, w.For[i].Topic, w.For[i].Message = to, 0, 0
			}
		}
		moved = append(moved, w.Watch)
	}
	return moved
}

// redirected is a telling for what its chat has become. What it replies to or changes is
// not there.
func (d *Desk) redirected(t question.Telling) question.Telling {
	if to := d.current(t.Chat); to != t.Chat {
		t.Chat, t.Topic, t.ReplyTo, t.Edit, t.Shown = to, 0, 0, 0, nil
	}
	return t
}

// successor is what a chat has become, as the error says that told of it; 0: it says
// nothing of the kind.
func successor(err error) question.ChatID {
	var e interface{ Successor() question.ChatID }
	if !errors.As(err, &e) {
		return 0
	}
	return e.Successor()
}
