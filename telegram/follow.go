package telegram

import (
	"context"
	"errors"
	"sync"
	"time"

	tg "github.com/go-telegram/bot"

	"hermes/internal/question"
	"hermes/telegram/sessionview"
)

// How often a live message is edited. Edits count as messages (Bot API FAQ: one a
// second, twenty a minute in a group), and at least half of what a chat may have is left
// to what is asked there.
const (
	liveEvery      = 2 * time.Second
	liveEveryGroup = 6 * time.Second
)

// liveSettle is how long after a change it is shown at the earliest: much comes at once.
const liveSettle = 300 * time.Millisecond

// After liveTries attempts in a row that failed, one is made every liveLater.
const (
	liveTries = 5
	liveLater = time.Minute
)

// Follow shows something that goes on in one message, without sound, and edits it while
// it changes. touch says that it has changed: it never blocks, may be called at any rate
// and from anywhere, and what it leads to is one edit at a time, at a slow pace, that
// lets everything else in the chat's queue go first. end makes the last edit, or none if
// nothing was shown yet; it stops the rest. Only the first part of what Now tells is
// shown, without buttons.
//
// A message that somebody deletes is not sent again, nor is one whose sending had an
// unknown outcome. What may pass is tried again until the Bot is closed. Nothing
// survives a restart but the message, which another Following can take over.
func (b *Bot) Follow(f question.Following) (touch, end func()) {
	l := &live{b: b, f: f, id: f.Message}
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

func (l *live) touch() { l.touchIn(0) }

func (l *live) touchIn(wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting || l.over {
		return
	}
	l.waiting = true
	if wait == 0 {
		wait = l.b.chats.liveWait(l.f.Chat)
	}
	time.AfterFunc(wait, func() { l.b.enqueue(l.f.Chat, liveLane, job{run: l.turn}) })
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
	at := later(now.Add(liveSettle), c.nextLive)
	c.nextLive = at.Add(every)
	return at.Sub(now)
}

// turn is the job.
func (l *live) turn(ctx context.Context, c *chat, err error) {
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
	m := message{text: sessionview.Render(t, l.b.words(l.f.Chat, t.Lang), time.Now()).Parts[0], topic: l.f.Topic, silent: true}
	switch {
	case id != 0 && t.Remove:
		return id, l.b.remove(ctx, c, id, m)
	case id != 0:
		return id, l.b.edit(ctx, c, id, m)
	}
	p, err := l.b.send(ctx, c, m)
	return p.id, err
}

// remove takes a message away. One that cannot be (Bot API deleteMessage: after 48 hours)
// is edited.
func (b *Bot) remove(ctx context.Context, c *chat, id question.PostedID, otherwise message) error {
	err := b.attempt(ctx, c, "deleteMessage", func(ctx context.Context) error {
		return b.api.DeleteMessage(ctx, &tg.DeleteMessageParams{ChatID: int64(c.id), MessageID: int(id)})
	})
	b.screen.forget(c.id, id)
	var e *Error
	if err == nil || errors.As(err, &e) && e.Temporary() {
		return err
	}
	return b.edit(ctx, c, id, otherwise)
}

// shown takes in the outcome. What may pass is tried again.
func (l *live) shown(id question.PostedID, ended bool, err error) {
	l.mu.Lock()
	l.id = id
	l.over = ended
	again, wait := false, time.Duration(0)
	if l.failed++; err == nil {
		l.failed = 0
	} else {
		var e *Error
		unknown := errors.As(err, &e) && e.Unknown && id == 0
		again = e != nil && e.Temporary() && e.Reason != Stopping && !unknown
		l.over = !again
	}
	if l.failed >= liveTries {
		wait = liveLater
	}
	l.mu.Unlock()
	l.f.Shown(id, err)
	if again {
		l.touchIn(wait)
	}
}
