package telegram

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hermes/internal/question"
)

// The pace of outgoing messages. Telegram's FAQ names one a second in a chat
// (with bursts), 20 a minute in a group and 30 a second in all.
const (
	chatBurst   = 3
	groupMinute = 20
	perSecond   = 25
)

// What of it notes and live messages may use. The rest is kept for cards: what is asked,
// what changes there, and how it ends.
const (
	noteBurst      = 2
	noteMinute     = 12
	notesPerSecond = 15
)

// maxReplies is how many replies to what people wrote may wait in a chat. Further ones
// fail with Full. What hermes owes, such as the end of a turn, may always wait.
const maxReplies = 100

// lane says what goes first in a chat. The jobs of one lane keep their order, except that the sources of
// cards take turns.
type lane int

const (
	cardLane lane = iota // what is asked: shown, changed, ended, reminded of
	noteLane             // all other messages
	liveLane             // live messages
	lanes                // how many there are
)

// chats holds a queue for each chat. A chat without work has no goroutine.
type chats struct {
	mu     sync.Mutex
	byID   map[question.ChatID]*chat
	all    *rate.Limiter
	notes  *rate.Limiter   // notes and live messages of all chats
	parked time.Time       // nothing is sent before
	flood  question.ChatID // the chat that was told to wait last
	until  time.Time       // and until when
}

// chat is the queue of one chat. The fields below mu are guarded by chats.mu.
type chat struct {
	id         question.ChatID
	pace       *rate.Limiter
	minute     *window       // groups only
	notePace   *rate.Limiter // what of pace notes and live messages may use
	noteWindow *window       // and of minute; groups only

	jobs    [lanes][]job
	sources map[string]*source
	turns   uint64        // how many turns sources had
	replies int           // how many of the notes are replies
	wake    chan struct{} // has a value when a job was added
	working bool

	// For the chat's goroutine alone.
	lane    lane                         // of the job that runs
	source  *source                      // of the card that it is about; nil for another job
	noFiles time.Time                    // no file is offered before
	paid    bool                         // the turn for the next call was taken
	cleared bool                         // and, for a note, its part of what notes may use
	unclear map[uint64]question.PostedID // by their buttons, messages of which it is not known if they were sent: the highest id before

	parked   time.Time
	nextLive time.Time           // a live message is edited no sooner
	highest  question.PostedID   // message id seen there
	known    []question.PostedID // the last ones that were sent or seen: no copies
}

// job is one thing to do in a chat.
type job struct {
	run   func(ctx context.Context, c *chat, err error) // gets nil to go on, or why it cannot
	free  bool                                          // Telegram does not count its calls as messages
	reply bool                                          // see maxReplies

	source string // of a card: see source
}

func newChats() chats {
	return chats{
		byID: map[question.ChatID]*chat{}, all: rate.NewLimiter(perSecond, perSecond),
		notes: rate.NewLimiter(notesPerSecond, notesPerSecond),
	}
}

// get returns the chat, made if needed. Called with mu held.
func (s *chats) get(id question.ChatID) *chat {
	c := s.byID[id]
	if c == nil {
		s.sweep()
		c = &chat{
			id: id, pace: rate.NewLimiter(1, chatBurst), notePace: rate.NewLimiter(1, noteBurst),
			wake: make(chan struct{}, 1), sources: map[string]*source{},
		}
		if id < 0 {
			c.minute, c.noteWindow = newWindow(groupMinute), newWindow(noteMinute)
		}
		s.byID[id] = c
	}
	return c
}

// sweep forgets chats that have nothing to remember, when there are many.
func (s *chats) sweep() {
	if len(s.byID) < 1000 {
		return
	}
	now := time.Now()
	for id, c := range s.byID {
		rested := c.pace.TokensAt(now) >= chatBurst && (c.minute == nil || c.minute.rested(now))
		if !c.working && rested && !c.parked.After(now) {
			delete(s.byID, id)
		}
	}
}

// enqueue adds a job to the chat's queue and starts its goroutine if none runs.
func (b *Bot) enqueue(id question.ChatID, l lane, j job) {
	b.chats.mu.Lock()
	defer b.chats.mu.Unlock()
	if b.stopped() {
		go j.run(b.work, nil, &Error{Op: "send", Reason: Stopping})
		return
	}
	c := b.chats.get(id)
	if j.reply {
		if c.replies >= maxReplies {
			go j.run(b.work, nil, &Error{Op: "send", Reason: Full, Detail: "too many messages wait in the chat"})
			return
		}
		c.replies++
	}
	c.jobs[l] = append(c.jobs[l], j)
	if !c.working {
		c.working = true
		b.running.Go(func() { b.serve(c) })
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// serve works until the queue is empty: cards first, live messages last. A job is looked
// at only when its first call may be made: what changes meanwhile is then in it, and what
// goes before it may have come.
func (b *Bot) serve(c *chat) {
	for {
		l, ok := b.chats.first(c)
		if !ok {
			return
		}
		if b.chats.head(c, l) == nil && !b.stopped() { // the sources of all cards have had their share
			b.await(c)
			continue
		}
		err := b.ready(c, l)
		if l != cardLane {
			l, _ = b.chats.first(c)
		}
		b.run(c, l, err)
	}
}

// serveCards does what waits in the first lane.
func (b *Bot) serveCards(c *chat) {
	for b.chats.head(c, cardLane) != nil {
		b.run(c, cardLane, b.ready(c, cardLane))
	}
}

// ready waits until the first job of a lane may make its first call.
func (b *Bot) ready(c *chat, l lane) error {
	if head := b.chats.head(c, l); head != nil && head.free {
		return b.clearance(c)
	}
	return b.turn(c, l)
}

// run takes the first job of a lane and does it.
func (b *Bot) run(c *chat, l lane, err error) {
	lane, from := c.lane, c.source
	var j job
	j, c.source = b.chats.take(c, l)
	c.lane = l
	j.run(b.work, c, err)
	c.lane, c.source = lane, from
}

// first is the lane that is to go on: that of cards also if none may be sent now, and
// nothing else is to be done. Where there is nothing to do the chat has no
// goroutine from then on.
func (s *chats) first(c *chat) (lane, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if card, _ := c.nextCard(time.Now()); card >= 0 {
		return cardLane, true
	}
	for _, l := range []lane{noteLane, liveLane, cardLane} {
		if len(c.jobs[l]) > 0 {
			return l, true
		}
	}
	c.jobs, c.working = [lanes][]job{}, false
	return 0, false
}

// head is the job of a lane whose turn it is, nil if there is none.
func (s *chats) head(c *chat, l lane) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := len(c.jobs[l]) - 1
	if l == cardLane {
		i, _ = c.nextCard(time.Now())
	} else if i > 0 {
		i = 0
	}
	if i < 0 {
		return nil
	}
	j := c.jobs[l][i]
	return &j
}

// take removes the job of a lane whose turn it is; the lane has one. A card comes with its source.
func (s *chats) take(c *chat, l lane) (job, *source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := 0
	var from *source
	if l == cardLane {
		i, _ = c.nextCard(time.Now())
		i = max(i, 0) // when the Bot stops, no turn is waited for
		from = c.from(c.jobs[l][i].source)
		c.turns++
		from.turn = c.turns
	}
	j := c.jobs[l][i]
	c.jobs[l] = slices.Delete(c.jobs[l], i, i+1)
	if j.reply {
		c.replies--
	}
	return j, from
}
