package forum

import (
	"context"
	"errors"
	"time"

	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// startChange has something done with a topic, beside the loop.
func (f *Forum) startChange(t *topic, deed outbound.TopicDeed) {
	t.busy = deed
	post := outbound.TopicPost{Do: deed, Chat: t.Chat, ID: t.ID, Name: f.nameOf(t), Source: t.Origin.Source()}
	done := make(chan outbound.TopicDone, 1)
	f.config.Maker.Topic(post, func(d outbound.TopicDone) { done <- d })
	f.loop.Beside(func(context.Context) func() {
		d := <-done
		return func() { f.noteChange(t, post, d) }
	})
}

// noteChange acts on what became of it, and looks again at all that waited for it.
func (f *Forum) noteChange(t *topic, p outbound.TopicPost, d outbound.TopicDone) {
	t.busy = ""
	if p.Do == outbound.MakeTopic && !d.Unknown {
		t.Doubts--
	}
	var threads []question.Thread
	again := p.Do != outbound.MakeTopic || !d.Unknown
	switch {
	case d.Err == nil:
		f.noteSuccess(t, p, d.ID)
	case errors.Is(d.Err, outbound.ErrTopicGone):
		threads = f.noteVanished(t, p.ID)
	case again && !d.Final && t.tries < topicTries-1 && d.RetryAfter <= topicWait:
		f.retryChange(t, p.Do, d.RetryAfter)
	default:
		f.giveUp(t, p, d)
	}
	f.saveTopic(t, threads...)
	f.reconcileTopic(t)
}

// noteSuccess notes what was done. A crash before a new topic is stored: it stays empty,
// and another one is made. A crash behind it: the cards are sent there at the next
// start.
func (f *Forum) noteSuccess(t *topic, p outbound.TopicPost, id int) {
	t.tries = 0
	switch p.Do {
	case outbound.MakeTopic:
		delete(f.logged, topicFailure{t.Chat, p.Do})
		t.ID, t.Name, t.Doubts = id, p.Name, 0
	case outbound.RenameTopic:
		t.Name = p.Name
	case outbound.CloseTopic:
		t.Closed = time.Now()
	case outbound.ReopenTopic:
		t.Closed = time.Time{}
	}
}

// noteVanished notes that a topic is gone, and all that it showed. That is shown anew;
// the threads are returned, to be stored together with the topic.
func (f *Forum) noteVanished(t *topic, id int) []question.Thread {
	if t.ID == id {
		t.ID, t.Name, t.Closed, t.tries = 0, "", time.Time{}, 0
		t.Deleted++
	}
	return f.config.Threads.Vacate(t.Chat, t.Root, id)
}

// FindsGone acts on what of a card could not be sent because the session's topic is gone, and
// reports whether that was why.
func (f *Forum) FindsGone(of question.Thread, c question.Card, sentTo int, err error) bool {
	if !errors.Is(err, outbound.ErrTopicGone) || c.Topic != 0 || sentTo == 0 {
		return false
	}
	if c.Room == sentTo { // else it was found before
		t := f.topicFor(c.Chat, of)
		if t == nil { // it belongs to another machine's session by now
			t = f.topics[topicKey{c.Chat, of.Place.Root}]
		}
		f.saveTopic(t, f.noteVanished(t, sentTo)...)
		f.reconcileTopic(t)
	}
	return true
}

// retryChange does it once more, in a while.
func (f *Forum) retryChange(t *topic, deed outbound.TopicDeed, wait time.Duration) {
	t.tries++
	t.busy = deed
	f.loop.After(max(wait, retry.Backoff(t.tries, time.Second, topicWait)), func() {
		t.busy = ""
		if deed == outbound.MakeTopic || deed == outbound.ReopenTopic {
			f.openTopic(t)
		}
		f.reconcileTopic(t)
	})
}

// giveUp gives up for now: cards go to the chat itself. What only looks better than
// it is, a name or a topic that stays open, is not tried again.
func (f *Forum) giveUp(t *topic, p outbound.TopicPost, d outbound.TopicDone) {
	t.tries = 0
	switch p.Do {
	case outbound.RenameTopic:
		t.Name = p.Name
	case outbound.CloseTopic:
		t.Closed = time.Now()
	case outbound.MakeTopic, outbound.ReopenTopic:
		t.rest = time.Now().Add(topicRest)
	}
	if key, text := (topicFailure{t.Chat, p.Do}), d.Err.Error(); f.logged[key] != text {
		f.logged[key] = text
		f.config.Log.Warn("a session's topic is not as it should be; its questions are shown all the same", "chat", t.Chat, "op", string(p.Do), "err", d.Err)
	}
}

// reconcileTopic does what waited for the topic.
func (f *Forum) reconcileTopic(t *topic) {
	f.config.Threads.Reconcile(t.Root)
	for _, other := range f.topics {
		if other.Chat == t.Chat {
			f.renameIfDue(other)
		}
	}
	f.closeIfDone(t)
}

// saveTopic stores the topic as it is now, and threads together with it.
func (f *Forum) saveTopic(t *topic, threads ...question.Thread) {
	f.config.Commit(storage.Change{Topics: []storage.Topic{t.Topic}, Threads: threads})
}
