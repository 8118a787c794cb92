package telegram

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hermes/question"
)

// The pace of outgoing messages. Telegram's FAQ names one a second in a chat
// (with bursts), 20 a minute in a group and 30 a second in all.
const (
	chatBurst   = 3
	groupMinute = 20
	perSecond   = 25
)

// chats holds a queue for each chat. A chat without work has no goroutine.
type chats struct {
	mu     sync.Mutex
	byID   map[question.ChatID]*chat
	all    *rate.Limiter
	parked time.Time       // nothing is sent before
	flood  question.ChatID // the chat that was told to wait last
	until  time.Time       // and until when
}

// chat is the queue of one chat. The fields below mu are guarded by chats.mu.
type chat struct {
	id     question.ChatID
	pace   *rate.Limiter
	minute *window // groups only

	jobs     []job
	lives    int // how many of the jobs are for live messages
	working  bool
	paid     bool // the turn for the next call was taken; for the chat's goroutine alone
	parked   time.Time
	nextLive time.Time                    // a live message is edited no sooner
	highest  question.PostedID            // message id seen there
	known    []question.PostedID          // the last ones that were sent or seen: no strays
	before   map[string]question.PostedID // highest when a send of that thread was first in doubt
}

// job is one thing to do in a chat. It gets nil to go on, or why it cannot.
type job func(ctx context.Context, c *chat, err error)

func newChats() chats {
	return chats{byID: map[question.ChatID]*chat{}, all: rate.NewLimiter(perSecond, perSecond)}
}

// get returns the chat, made if needed. Called with mu held.
func (s *chats) get(id question.ChatID) *chat {
	c := s.byID[id]
	if c == nil {
		s.sweep()
		c = &chat{id: id, pace: rate.NewLimiter(1, chatBurst), before: map[string]question.PostedID{}}
		if id < 0 {
			c.minute = new(window)
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
		if !c.working && rested && !c.parked.After(now) && len(c.before) == 0 {
			delete(s.byID, id)
		}
	}
}

// enqueue adds a job to the chat's queue and starts its goroutine if none runs.
// A post takes the place of one for the same thread that still waits.
func (b *Bot) enqueue(id question.ChatID, j job) { b.queue(id, j, false) }

func (b *Bot) queue(id question.ChatID, j job, live bool) {
	b.chats.mu.Lock()
	if b.stopped() {
		b.chats.mu.Unlock()
		go j(b.work, nil, &Error{Op: "send", Reason: Stopping})
		return
	}
	defer b.chats.mu.Unlock()
	c := b.chats.get(id)
	c.jobs = append(c.jobs, j)
	if live {
		c.lives++
	}
	if !c.working {
		c.working = true
		b.running.Go(func() { b.serve(c) })
	}
}

// serve works until the queue is empty.
func (b *Bot) serve(c *chat) {
	for {
		b.chats.mu.Lock()
		if len(c.jobs) == 0 {
			c.jobs, c.working = nil, false
			b.chats.mu.Unlock()
			return
		}
		b.chats.mu.Unlock()
		// A post is looked at only when its first call may be made: what changes
		// meanwhile is then in it.
		err := b.turn(c)
		c.paid = err == nil
		b.chats.mu.Lock()
		j := c.jobs[0]
		c.jobs = c.jobs[1:]
		b.chats.mu.Unlock()
		j(b.work, c, err)
	}
}
