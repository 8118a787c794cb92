package telegram

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	tg "github.com/go-telegram/bot"

	"hermes/internal/chat"
	"hermes/internal/letters"
	"hermes/internal/outbound"
	"hermes/telegram/botapi"
	"hermes/telegram/outbox"
)

// After liveTries attempts in a row that failed, one is made every liveLater.
const (
	liveTries = 5
	liveLater = time.Minute
)

// Follow shows in one message, without sound, what a session does, and edits it while
// it changes. touch says that it has changed: it never blocks, and may be called at any rate
// and from any goroutine. Edits are made one at a time, at a slow pace, after everything else
// in the chat's queue. end makes the last edit at once, or none if nothing was shown yet, and stops
// all others. Only the first part of what Now tells is
// shown, without buttons.
//
// A message that somebody deletes is not sent again, nor is one whose sending had an
// unknown outcome. What may pass is tried again until the Bot is closed. Nothing
// survives a restart but the message, which another Following can take over.
func (b *Bot) Follow(f outbound.LiveMessage) (touch, end func()) {
	l := &liveMessage{bot: b, following: f, began: time.Now(), id: f.Message}
	l.touch()
	return l.touch, l.end
}

// liveMessage is a message that follows what a session does.
type liveMessage struct {
	bot       *Bot
	following outbound.LiveMessage
	began     time.Time

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
		wait = l.bot.out.ReserveLiveEdit(l.following.Chat, time.Since(l.began))
	}
	time.AfterFunc(wait, l.enqueue)
}

func (l *liveMessage) enqueue() {
	l.bot.out.Enqueue(l.following.Chat, outbox.Live, outbox.Job{Run: l.update})
}

// end makes the next edit the last one. It waits for no pace: there is one in a turn.
func (l *liveMessage) end() {
	l.mu.Lock()
	l.ending = true
	l.mu.Unlock()
	l.enqueue()
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
	text, remove := l.following.Now()
	m := message{text: text(l.bot.readerIn(l.following.Chat, "")).Parts[0], topic: l.following.Topic, silent: true}
	switch {
	case id != 0 && remove:
		return id, l.bot.sender.remove(ctx, c, id, m)
	case id != 0:
		return id, l.bot.sender.edit(ctx, c, id, m)
	}
	p, err := l.bot.sender.send(ctx, c, m)
	return p.id, err
}

// kept fails where the number of a new message would not be stored: no start after this one could then say how it ended.
func (l *liveMessage) kept() error {
	if l.bot.keeps == nil {
		return nil
	}
	if err := l.bot.keeps(); err != nil {
		return &Error{Op: "sendMessage", Reason: botapi.Store, Detail: l.bot.api.Redact(err.Error())}
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

// maxTopicName is how many characters the name of a topic has (Bot API createForumTopic).
const maxTopicName = 128

// topicTimeout bounds a call about a topic: a card may wait for it.
const topicTimeout = 8 * time.Second

// Topic makes or changes a topic, in the chat's queue. It makes one attempt and
// never blocks. done is called once, from another goroutine. A flood wait does not
// silence the chat: Telegram counts topics apart from messages, and those continue.
func (b *Bot) Topic(p outbound.TopicPost, done func(outbound.TopicDone)) {
	lane := outbox.Cards // a card may wait for it
	if p.Do == outbound.CloseTopic {
		lane = outbox.Notes // and the last ones in it go before
	}
	b.out.Enqueue(p.Chat, lane, outbox.Job{Source: p.Source, Ask: p.Do == outbound.MakeTopic, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(topicDone(0, err))
			return
		}
		c.CountCall()
		ctx, cancel := context.WithTimeout(ctx, topicTimeout)
		defer cancel()
		done(topicDone(b.topicNow(ctx, p)))
	}})
}

// topicNow makes the call. The error is an *Error.
func (b *Bot) topicNow(ctx context.Context, p outbound.TopicPost) (id int, err error) {
	op, chat := "", int64(p.Chat)
	switch p.Do {
	case outbound.MakeTopic:
		op = "createForumTopic"
		made, failed := b.api.CreateForumTopic(ctx, &tg.CreateForumTopicParams{ChatID: chat, Name: topicName(p.Name)})
		if err = failed; err == nil {
			id = made.MessageThreadID
		}
	case outbound.RenameTopic:
		op = "editForumTopic"
		err = b.api.EditForumTopic(ctx, &tg.EditForumTopicParams{ChatID: chat, MessageThreadID: p.ID, Name: topicName(p.Name)})
	case outbound.CloseTopic:
		op = "closeForumTopic"
		err = b.api.CloseForumTopic(ctx, &tg.CloseForumTopicParams{ChatID: chat, MessageThreadID: p.ID})
	case outbound.ReopenTopic:
		op = "reopenForumTopic"
		err = b.api.ReopenForumTopic(ctx, &tg.ReopenForumTopicParams{ChatID: chat, MessageThreadID: p.ID})
	}
	if err != nil {
		err = b.api.AsError(op, err)
	}
	if botapi.ReasonOf(err) == botapi.Unchanged {
		err = nil
	}
	return id, err
}

// topicDone reports an outcome as the caller needs it.
func topicDone(id int, err error) outbound.TopicDone {
	d := outbound.TopicDone{ID: id, Err: err}
	var e *Error
	if errors.As(err, &e) {
		d.Unknown, d.RetryAfter, d.Final = e.Unknown, e.RetryAfter, !e.Temporary()
	}
	return d
}

// topicName is text from elsewhere as the name of a topic: one line, not too long,
// never empty.
func topicName(text string) string {
	name := strings.Join(strings.Fields(letters.Clean(text)), " ")
	if utf8.RuneCountInString(name) > maxTopicName {
		name = string([]rune(name)[:maxTopicName-1]) + "…"
	}
	if name == "" {
		return "…"
	}
	return name
}
