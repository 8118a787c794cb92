package telegram

import (
	"context"
	"errors"
	"sync"
	"time"

	"hermes/question"
)

// How often a live message is edited. Edits count as messages (Bot API FAQ: one a
// second, twenty a minute in a group), and at least half of what a chat may have is left
// to what is asked there.
const (
	liveEvery      = 2 * time.Second
	liveEveryGroup = 6 * time.Second
)

// liveTries bounds the attempts in a row that fail.
const liveTries = 5

// Follow shows something that goes on in one message, without sound, and edits it while
// it changes. touch says that it has changed: it never blocks, may be called at any rate
// and from anywhere, and what it leads to is one edit at a time, at a slow pace, that
// lets everything else in the chat's queue go first. end makes the last edit, or none if
// nothing was shown yet; it stops the rest. Only the first part of what Now tells is
// shown, without buttons.
//
// A message that somebody deletes is not sent again, nor is one whose sending had an
// unknown outcome. Nothing survives a restart but the message.
func (b *Bot) Follow(f question.Following) (touch, end func()) {
	l := &live{b: b, f: f}
	l.touch()
	return l.touch, l.end
}

// live is a message that follows what goes on.
type live struct {
	b *Bot
	f question.Following

	mu      sync.Mutex
	id      question.PostedID // 0: not sent yet
	waiting bool              // an edit will be made
	ending  bool              // and it is the last
	over    bool
	failed  int // attempts in a row
}

func (l *live) touch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting || l.over {
		return
	}
	l.waiting = true
	time.AfterFunc(l.b.chats.liveWait(l.f.Chat), func() { l.b.queue(l.f.Chat, l.turn, true) })
}

func (l *live) end() {
	l.mu.Lock()
	l.ending = true
	l.mu.Unlock()
	l.touch()
}

// liveWait takes the chat's next place for an edit of a live message.
func (s *chats) liveWait(id question.ChatID) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, every := s.get(id), liveEvery
	if id < 0 {
		every = liveEveryGroup
	}
	now := time.Now()
	at := later(now, c.nextLive)
	c.nextLive = at.Add(every)
	return at.Sub(now)
}

// behind reports whether anything but live messages waits in the chat. It is called by
// a live message's job.
func (s *chats) behind(c *chat) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.lives--
	return len(c.jobs) > c.lives
}

// turn is the job. When something waits behind it, that gets the turn.
func (l *live) turn(ctx context.Context, c *chat, err error) {
	if c != nil && l.b.chats.behind(c) && err == nil {
		l.b.queue(l.f.Chat, l.turn, true)
		return
	}
	l.mu.Lock()
	l.waiting = false
	id, ending, over := l.id, l.ending, l.over
	l.mu.Unlock()
	if over {
		return
	}
	if err == nil && (id != 0 || !ending) {
		id, err = l.show(ctx, c, id)
	}
	l.shown(id, ending, err)
}

// show makes one attempt.
func (l *live) show(ctx context.Context, c *chat, id question.PostedID) (question.PostedID, error) {
	t := l.f.Now()
	m := message{text: tellingOf(t, l.b.words(l.f.Chat, t.Lang), time.Now()).parts[0], topic: l.f.Topic, silent: true}
	if id != 0 {
		return id, l.b.edit(ctx, c, id, m)
	}
	p, err := l.b.send(ctx, c, m)
	return p.id, err
}

// shown takes in the outcome. What may pass is tried again.
func (l *live) shown(id question.PostedID, ended bool, err error) {
	l.mu.Lock()
	l.id = id
	l.over = ended
	again := false
	if l.failed++; err == nil {
		l.failed = 0
	} else {
		var e *Error
		unknown := errors.As(err, &e) && e.Unknown && id == 0
		again = e != nil && e.Temporary() && e.Reason != Stopping && !unknown && l.failed < liveTries
		l.over = !again
	}
	l.mu.Unlock()
	l.f.Shown(id, err)
	if again {
		l.touch()
	}
}
