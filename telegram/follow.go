package telegram

import (
	"context"
	"errors"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/telegram/botapi"
	"hermes/telegram/outbox"
	"hermes/telegram/sessionview"
)

// After liveTries attempts in a row that failed, one is made every liveLater.
const (
	liveTries = 5
	liveLater = time.Minute
)

// Follow shows in one message, without sound, what a session does, and edits it while
// it changes. touch says that it has changed: it never blocks, and may be called at any rate
// and from any goroutine. Edits are made one at a time, at a slow pace, after everything else
// in the chat's queue. end makes the last edit, or none if nothing was shown yet, and stops
// all others. Only the first part of what Now tells is
// shown, without buttons.
//
// A message that somebody deletes is not sent again, nor is one whose sending had an
// unknown outcome. What may pass is tried again until the Bot is closed. Nothing
// survives a restart but the message, which another Following can take over.
func (b *Bot) Follow(f remote.LiveMessage) (touch, end func()) {
	l := &liveMessage{out: b.out, sender: b.sender, texts: b.texts, keeps: b.keeps, following: f, id: f.Message}
	l.touch()
	return l.touch, l.end
}

// liveMessage is a message that follows what a session does.
type liveMessage struct {
	out       *outbox.Outbox
	sender    *sender
	texts     languages
	keeps     func() error // Config.Keeps
	following remote.LiveMessage

	mu      sync.Mutex
	id      chat.MessageID // 0: not sent yet
	waiting bool           // an edit will be made
	ending  bool           // and it is the last
	over    bool           // nothing will be done any more
	failed  int            // attempts in a row
}

func (l *liveMessage) touch() { l.touchAfter(0) }

// touchAfter has the message edited after a wait; 0: as soon as the chat has room for an edit.
func (l *liveMessage) touchAfter(wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting || l.over {
		return
	}
	l.waiting = true
	if wait == 0 {
		wait = l.out.ReserveLiveEdit(l.following.Chat)
	}
	time.AfterFunc(wait, func() { l.out.Enqueue(l.following.Chat, outbox.Live, outbox.Job{Run: l.update}) })
}

// end makes the next edit the last one.
func (l *liveMessage) end() {
	l.mu.Lock()
	l.ending = true
	l.mu.Unlock()
	l.touch()
}

// update is the job in the chat's queue: it makes one attempt, unless the message has ended.
func (l *liveMessage) update(ctx context.Context, c *outbox.Chat, err error) {
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
	l.noteOutcome(id, ending, err)
}

// show makes one attempt.
func (l *liveMessage) show(ctx context.Context, c *outbox.Chat, id chat.MessageID) (chat.MessageID, error) {
	if id == 0 {
		if err := l.kept(); err != nil {
			return 0, err
		}
	}
	t := l.following.Now()
	m := message{text: sessionview.Render(t, l.texts.table(l.following.Chat, t.Lang), time.Now()).Parts[0], topic: l.following.Topic, silent: true}
	switch {
	case id != 0 && t.Remove:
		return id, l.sender.remove(ctx, c, id, m)
	case id != 0:
		return id, l.sender.edit(ctx, c, id, m)
	}
	p, err := l.sender.send(ctx, c, m)
	return p.id, err
}

// kept fails where the number of a new message would not be stored: no start after this one could then say how it ended.
func (l *liveMessage) kept() error {
	if l.keeps == nil {
		return nil
	}
	if err := l.keeps(); err != nil {
		return &Error{Op: "sendMessage", Reason: botapi.Store, Detail: l.sender.api.Redact(err.Error())}
	}
	return nil
}

// noteOutcome records what became of an attempt. A failure that may pass is tried again.
func (l *liveMessage) noteOutcome(id chat.MessageID, ended bool, err error) {
	l.mu.Lock()
	l.id = id
	l.over = ended
	again, wait := false, time.Duration(0)
	if l.failed++; err == nil {
		l.failed = 0
	} else {
		var e *Error
		unknown := errors.As(err, &e) && e.Unknown && id == 0
		again = e != nil && e.Temporary() && e.Reason != botapi.Stopping && !unknown
		l.over = !again
	}
	if l.failed >= liveTries {
		wait = liveLater
	}
	l.mu.Unlock()
	l.following.Shown(id, err)
	if again {
		l.touchAfter(wait)
	}
}
