package bridge

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
	"hermes/internal/retry"
)

// alter has something done with a topic, beside the loop.
func (b *Bridge) alter(t *topic, deed question.TopicDeed) {
	t.busy = deed
	post := question.TopicPost{Do: deed, Chat: t.Chat, ID: t.ID, Name: b.topicName(t), Source: t.Origin.Source()}
	done := make(chan question.TopicDone, 1)
	b.config.Forum.Topic(post, func(d question.TopicDone) { done <- d })
	b.loop.Beside(func(context.Context) func() {
		d := <-done
		return func() { b.altered(t, post, d) }
	})
}

// altered acts on what became of it, and looks again at all that waited for it.
func (b *Bridge) altered(t *topic, p question.TopicPost, d question.TopicDone) {
	t.busy = ""
	if p.Do == question.MakeTopic && !d.Unknown {
		t.Doubts--
	}
	var threads []question.Thread
	again := p.Do != question.MakeTopic || !d.Unknown
	switch {
	case d.Err == nil:
		b.became(t, p, d.ID)
	case errors.Is(d.Err, question.ErrTopicGone):
		threads = b.vanished(t, p.ID)
	case again && !d.Final && t.tries < topicTries-1 && d.RetryAfter <= topicWait:
		b.tryAgain(t, p.Do, d.RetryAfter)
	default:
		b.without(t, p, d)
	}
	b.keepTopic(t, threads...)
	b.follow(t)
}

// became notes what was done. A crash before a new topic is stored: it stays empty,
// and another one is made. A crash behind it: the cards are sent there at the next
// start.
func (b *Bridge) became(t *topic, p question.TopicPost, id int) {
	t.tries = 0
	switch p.Do {
	case question.MakeTopic:
		delete(b.flat, refused{t.Chat, p.Do})
		t.ID, t.Name, t.Doubts = id, p.Name, 0
	case question.RenameTopic:
		t.Name = p.Name
	case question.CloseTopic:
		t.Closed = time.Now()
	case question.ReopenTopic:
		t.Closed = time.Time{}
	}
}

// vanished notes that a topic is gone, and all that it showed. That is shown anew;
// the threads are returned, to be stored together with the topic.
func (b *Bridge) vanished(t *topic, id int) (threads []question.Thread) {
	if t.ID == id {
		t.ID, t.Name, t.Closed, t.tries = 0, "", time.Time{}, 0
		t.Deleted++
	}
	for _, l := range b.threads.byID {
		for i, c := range l.Cards {
			if l.Place.Root == t.Root && c.Chat == t.Chat && c.Topic == 0 && c.Room == id {
				l.set(i, question.Card{Chat: c.Chat, Lost: c.Lost})
				threads = append(threads, l.Clone())
			}
		}
	}
	return threads
}

// emptied acts on what could not be sent because the session's topic is gone, and
// reports whether that was why.
func (b *Bridge) emptied(l *live, card, sentTo int, err error) bool {
	c := l.Cards[card]
	if !errors.Is(err, question.ErrTopicGone) || c.Topic != 0 || sentTo == 0 {
		return false
	}
	if c.Room == sentTo { // else it was found before
		t := b.topic(c.Chat, l)
		if t == nil { // it belongs to another machine's session by now
			t = b.topics[topicKey{c.Chat, l.Place.Root}]
		}
		b.keepTopic(t, b.vanished(t, sentTo)...)
		b.follow(t)
	}
	return true
}

// tryAgain does it once more, in a while.
func (b *Bridge) tryAgain(t *topic, deed question.TopicDeed, wait time.Duration) {
	t.tries++
	t.busy = deed
	b.loop.After(max(wait, retry.Backoff(t.tries, time.Second, topicWait)), func() {
		t.busy = ""
		if deed == question.MakeTopic || deed == question.ReopenTopic {
			b.open(t)
		}
		b.follow(t)
	})
}

// without gives up for now: cards go to the chat itself. What only looks better than
// it is, a name or a topic that stays open, is not tried again.
func (b *Bridge) without(t *topic, p question.TopicPost, d question.TopicDone) {
	t.tries = 0
	switch p.Do {
	case question.RenameTopic:
		t.Name = p.Name
	case question.CloseTopic:
		t.Closed = time.Now()
	case question.MakeTopic, question.ReopenTopic:
		t.rest = time.Now().Add(topicRest)
	}
	if key, text := (refused{t.Chat, p.Do}), d.Err.Error(); b.flat[key] != text {
		b.flat[key] = text
		b.log.Warn("a session's topic is not as it should be; its questions are shown all the same", "chat", t.Chat, "op", string(p.Do), "err", d.Err)
	}
}

// follow does what waited for the topic.
func (b *Bridge) follow(t *topic) {
	for _, l := range b.threads.byID {
		if l.Place.Root == t.Root {
			b.reconcile(l)
		}
	}
	for _, other := range b.topics {
		if other.Chat == t.Chat {
			b.retitle(other)
		}
	}
	b.tidy(t)
}

// keepTopic stores the topic as it is now, and threads together with it. If the store
// fails, both are stored with what changes next, or by a later try.
func (b *Bridge) keepTopic(t *topic, threads ...question.Thread) {
	t.stale = b.records.commit(question.Change{Topics: []question.Topic{t.Topic}, Threads: threads}) != nil
	if !t.stale {
		return
	}
	for _, stale := range threads {
		if l := b.threads.byID[stale.ID]; l != nil {
			l.stale = true
			b.records.retryThread(l)
		}
	}
	b.loop.Retry(t, retryStore, func() {
		if t.stale && b.topics[topicKey{t.Chat, t.Root}] == t { // else it was stored, or forgotten, meanwhile
			b.keepTopic(t)
		}
	})
}
