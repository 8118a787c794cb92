package bridge

import (
	"time"

	"hermes/internal/question"
)

// Forum makes and changes the topics of chats that have them. Its method queues and
// returns; done is called once, from another goroutine. What it may do is decided in
// docs/design/topics.md.
type Forum interface {
	Topic(p question.TopicPost, done func(question.TopicDone))
}

// Bounds on what is done for a topic. Cards wait for no more than topicTries tries
// that certainly failed, or for one of which nothing is known.
const (
	topicTries  = 3
	topicWait   = 5 * time.Second  // the longest wait, between tries, that Telegram may ask for
	topicRest   = 10 * time.Minute // after giving up; cards go to the chat itself meanwhile
	topicDoubts = 2                // empty topics that may be left behind, at most
	usedEvery   = 24 * time.Hour   // how exactly it is noted when a topic was used last
)

// topicKey is one session in one chat.
type topicKey struct {
	chat question.ChatID
	root question.SessionID
}

// refused is what a chat did not take.
type refused struct {
	chat question.ChatID
	deed question.TopicDeed
}

// topic is the topic of a session, and what is going on for it.
type topic struct {
	question.Topic
	busy  question.TopicDeed // under way, or to be tried again soon; empty: nothing
	tries int                // that failed, in a row
	rest  time.Time          // neither made nor reopened before

	stale bool // the store has it as it was before
}

// room finds where a first card goes: to the topic of its session, where there can be
// one. It reports false while that is on its way; the card is looked at again then.
func (b *Bridge) room(l *live, card int) bool {
	c := l.Cards[card]
	if b.config.Forum == nil || c.Place() != 0 || len(c.Messages) > 0 || l.Place.Root == "" {
		return true
	}
	t := b.topic(c.Chat, l)
	switch {
	case t == nil:
		return true
	case t.Usable() && t.busy != question.CloseTopic:
		c.Room = t.ID
		l.set(card, c)
		if t.Over {
			t.Over = false
			b.keepTopic(t)
		}
		b.retitle(t)
		return true
	case t.busy != "":
		return false
	case !l.Open() || b.hopeless(t):
		return true
	}
	b.open(t)
	return t.busy == ""
}

// topic returns what is known of the topic of the thread's session in a chat; nil if the
// topic is one of another machine's session, which the thread's OpenCode only names.
func (b *Bridge) topic(chat question.ChatID, l *live) *topic {
	key := topicKey{chat, l.Place.Root}
	t := b.topics[key]
	if t == nil {
		t = &topic{Topic: question.Topic{Chat: chat, Root: l.Place.Root, Used: time.Now().Round(0)}}
		b.topics[key] = t
	}
	if !t.of(l.LastOrigin()) {
		return nil
	}
	t.learn(l)
	if time.Since(t.Used) > usedEvery {
		t.Used = time.Now().Round(0)
		b.keepTopic(t)
	}
	return t
}

// learn takes in what the topic's name is made of, and reports whether that is new.
func (t *topic) learn(l *live) bool {
	before := t.Topic
	t.Project, t.Origin = l.Project, l.LastOrigin()
	if l.Place.Title != "" {
		t.Title = l.Place.Title
	}
	return t.Topic != before
}

// hopeless reports whether a card need not wait for the topic. One that somebody
// deleted is made anew once: who does that twice wants none.
func (b *Bridge) hopeless(t *topic) bool {
	resting := time.Now().Before(t.rest)
	return resting || t.ID == 0 && (t.Doubts >= topicDoubts || t.Deleted > 1)
}

// open makes the topic, or opens it again. That a try to make it begins is stored
// first: there is no telling two tries from one (Bot API createForumTopic), so a
// crash in the middle counts as one that may have left a topic behind.
func (b *Bridge) open(t *topic) {
	if t.ID != 0 {
		b.alter(t, question.ReopenTopic)
		return
	}
	t.Doubts++
	if b.records.commit(question.Change{Topics: []question.Topic{t.Topic}}) != nil {
		t.Doubts--
		t.rest = time.Now().Add(retryStore) // a question waits for no topic
		return
	}
	b.alter(t, question.MakeTopic)
}

// topicName is the title of the session, behind its project where the chat has
// topics of several.
func (b *Bridge) topicName(t *topic) string {
	switch {
	case t.Title == "" && t.Project == "":
		return string(t.Root)
	case t.Title == "":
		return t.Project
	case t.Project != "" && b.shared(t):
		return t.Project + " · " + t.Title
	}
	return t.Title
}

func (b *Bridge) shared(t *topic) bool {
	for _, other := range b.topics {
		if other.Chat == t.Chat && other.ID != 0 && other.Project != t.Project {
			return true
		}
	}
	return false
}

// retitle renames the topic, if it should have another name.
func (b *Bridge) retitle(t *topic) {
	if b.config.Forum != nil && b.loop.Running() && t.Usable() && t.busy == "" && !t.Over && t.Name != b.topicName(t) {
		b.alter(t, question.RenameTopic)
	}
}

// tidy closes the topic of a session that has ended, when nothing of it is left to be
// shown. In private chats topics cannot be closed (Bot API closeForumTopic).
func (b *Bridge) tidy(t *topic) {
	if b.config.Forum == nil || !b.loop.Running() || !t.Over || !t.Usable() || t.busy != "" || t.Chat > 0 {
		return
	}
	for _, l := range b.threads.byID {
		if l.Place.Root == t.Root && t.of(l.LastOrigin()) {
			return
		}
	}
	b.alter(t, question.CloseTopic)
}

// topicsOf lists the topics of a session, one for each chat.
func (b *Bridge) topicsOf(root question.SessionID) []*topic {
	var list []*topic
	for _, t := range b.topics {
		if t.Root == root {
			list = append(list, t)
		}
	}
	return list
}

// of reports whether the OpenCode at the origin may have the topic's session.
func (t *topic) of(o question.Origin) bool {
	return t.Origin == (question.Origin{}) || o.MayHave(t.Origin)
}

// finished takes in that a session was deleted or archived at the origin.
func (b *Bridge) finished(o question.Origin, root question.SessionID) {
	for _, t := range b.topicsOf(root) {
		if !t.of(o) {
			b.foreign()
			continue
		}
		if !t.Over && t.ID != 0 {
			t.Over = true
			b.keepTopic(t)
		}
		b.tidy(t)
	}
}

// renamed takes in what the thread's session is called now.
func (b *Bridge) renamed(l *live) {
	for _, t := range b.topicsOf(l.Place.Root) {
		if !t.of(l.LastOrigin()) {
			continue
		}
		if t.learn(l) {
			b.keepTopic(t)
		}
		b.retitle(t)
	}
}

// loadTopics begins where the last process stopped.
func (b *Bridge) loadTopics() error {
	topics, err := b.config.Store.Topics()
	var undated []question.Topic
	for _, t := range topics {
		if t.Used.IsZero() {
			t.Used = time.Now().Round(0)
			undated = append(undated, t)
		}
		b.topics[topicKey{t.Chat, t.Root}] = &topic{Topic: t}
	}
	if len(undated) > 0 {
		_ = b.records.commit(question.Change{Topics: undated}) // else the next start does it
	}
	return err
}
