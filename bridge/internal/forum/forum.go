package forum

import (
	"iter"
	"log/slog"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/loop"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Maker makes and changes the topics of chats that have them. Its method queues and
// returns; done is called once, from another goroutine. What it may do is decided in
// docs/design/asks.md.
type Maker interface {
	Topic(p outbound.TopicPost, done func(outbound.TopicDone))
}

// Threads are the unretired threads, as far as topics are concerned with them.
type Threads interface {
	// Of gives those of a session, as its root session is called; of all, for "".
	Of(root session.ID) iter.Seq[question.Thread]
	// Vacate empties the cards that a topic showed, so that they are shown anew. It returns
	// their threads, to be stored.
	Vacate(chat chat.ID, root session.ID, topic int) []question.Thread
	// Reconcile starts what the threads of a session need now.
	Reconcile(root session.ID)
}

// Config says what a Forum works with.
type Config struct {
	Maker   Maker // nil: no topics are made
	Threads Threads
	Commit  func(storage.Change) // stores a change; where that fails it does not return
	Foreign func()               // called whenever an OpenCode speaks of a session of another one
	Loop    *loop.Loop           // in which all methods are called
	Log     *slog.Logger
}

// Forum makes, renames and closes the topics of sessions, and knows where each is.
type Forum struct {
	config Config
	loop   *loop.Loop

	topics map[topicKey]*topic
	logged map[topicFailure]string // why a chat did not take something of a topic
}

// New makes a Forum without topics.
func New(c Config) *Forum {
	return &Forum{config: c, loop: c.Loop, topics: map[topicKey]*topic{}, logged: map[topicFailure]string{}}
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
	chat chat.ID
	root session.ID
}

// topicFailure is what a chat did not take.
type topicFailure struct {
	chat chat.ID
	deed outbound.TopicDeed
}

// topic is the topic of a session, and what is under way for it.
type topic struct {
	storage.Topic
	busy  outbound.TopicDeed // under way, or to be tried again soon; empty: nothing
	tries int                // that failed, in a row
	rest  time.Time          // neither made nor reopened before
}

// RoomFor finds where a first card goes: to the topic of its session, where there can be
// one; 0: where the card says. It reports false while the topic is being made; then the
// thread is reconciled when it is there.
func (f *Forum) RoomFor(t question.Thread, card int) (id int, ready bool) {
	c := t.Cards[card]
	if f.config.Maker == nil || c.Place() != 0 || len(c.Messages) > 0 || t.Place.Root == "" {
		return 0, true
	}
	topic := f.topicFor(c.Chat, t)
	switch {
	case topic == nil:
		return 0, true
	case topic.Usable() && topic.busy != outbound.CloseTopic:
		if topic.Over {
			topic.Over = false
			f.saveTopic(topic)
		}
		f.renameIfDue(topic)
		return topic.ID, true
	case topic.busy != "":
		return 0, false
	case !t.Open() || f.hasGivenUp(topic):
		return 0, true
	}
	f.openTopic(topic)
	return 0, topic.busy == ""
}

// topicFor returns what is known of the topic of the thread's session in a chat; nil if the
// topic is one of another machine's session, which the thread's OpenCode only names.
func (f *Forum) topicFor(chat chat.ID, of question.Thread) *topic {
	key := topicKey{chat, of.Place.Root}
	t := f.topics[key]
	if t == nil {
		t = &topic{Topic: storage.Topic{Chat: chat, Root: of.Place.Root, Used: time.Now().Round(0)}}
		f.topics[key] = t
	}
	if !t.mayBeOf(of.LastOrigin()) {
		return nil
	}
	t.learnName(of)
	if time.Since(t.Used) > usedEvery {
		t.Used = time.Now().Round(0)
		f.saveTopic(t)
	}
	return t
}

// IsTopicOf reports whether it is the topic of a session in this chat.
func (f *Forum) IsTopicOf(root session.ID, chat chat.ID, id int) bool {
	t := f.topics[topicKey{chat, root}]
	return t != nil && t.ID == id
}

// TopicOf is the topic of a session at the origin in this chat; 0: there is none that is open.
func (f *Forum) TopicOf(root session.ID, chat chat.ID, at session.Origin) int {
	t := f.topics[topicKey{chat, root}]
	if t == nil || !t.Usable() || !t.mayBeOf(at) {
		return 0
	}
	return t.ID
}

// learnName notes what the topic's name is made of, and reports whether that is new.
func (t *topic) learnName(of question.Thread) bool {
	before := t.Topic
	t.Project, t.Origin = of.Project, of.LastOrigin()
	if of.Place.Title != "" {
		t.Title = of.Place.Title
	}
	return t.Topic != before
}

// hasGivenUp reports whether a card need not wait for the topic. One that somebody
// deleted is made anew once: who does that twice wants none.
func (f *Forum) hasGivenUp(t *topic) bool {
	resting := time.Now().Before(t.rest)
	return resting || t.ID == 0 && (t.Doubts >= topicDoubts || t.Deleted > 1)
}

// openTopic makes the topic, or opens it again. That a try to make it begins is stored
// first: there is no telling two tries from one (Bot API createForumTopic), so a
// crash in the middle counts as one that may have left a topic behind.
func (f *Forum) openTopic(t *topic) {
	if t.ID != 0 {
		f.startChange(t, outbound.ReopenTopic)
		return
	}
	t.Doubts++
	f.saveTopic(t)
	f.startChange(t, outbound.MakeTopic)
}

// nameOf is the title of the session, behind its project where the chat has
// topics of several.
func (f *Forum) nameOf(t *topic) string {
	switch {
	case t.Title == "" && t.Project == "":
		return string(t.Root)
	case t.Title == "":
		return t.Project
	case t.Project != "" && f.hasSeveralProjects(t):
		return t.Project + " · " + t.Title
	}
	return t.Title
}

func (f *Forum) hasSeveralProjects(t *topic) bool {
	for _, other := range f.topics {
		if other.Chat == t.Chat && other.ID != 0 && other.Project != t.Project {
			return true
		}
	}
	return false
}

// renameIfDue renames the topic, if it should have another name.
func (f *Forum) renameIfDue(t *topic) {
	if f.config.Maker != nil && f.loop.Running() && t.Usable() && t.busy == "" && !t.Over && t.Name != f.nameOf(t) {
		f.startChange(t, outbound.RenameTopic)
	}
}

// closeIfDone closes the topic of a session that has ended, when nothing of it is left to be
// shown. In private chats topics cannot be closed (Bot API closeForumTopic).
func (f *Forum) closeIfDone(t *topic) {
	if f.config.Maker == nil || !f.loop.Running() || !t.Over || !t.Usable() || t.busy != "" || t.Chat > 0 {
		return
	}
	for thread := range f.config.Threads.Of(t.Root) {
		if t.mayBeOf(thread.LastOrigin()) {
			return
		}
	}
	f.startChange(t, outbound.CloseTopic)
}

// topicsOf lists the topics of a session, one for each chat.
func (f *Forum) topicsOf(root session.ID) []*topic {
	var list []*topic
	for _, t := range f.topics {
		if t.Root == root {
			list = append(list, t)
		}
	}
	return list
}

// mayBeOf reports whether the OpenCode at the origin may have the topic's session.
func (t *topic) mayBeOf(o session.Origin) bool {
	return t.Origin == (session.Origin{}) || o.MayHave(t.Origin)
}

// SessionEnded notes that a session was deleted or archived at the origin.
func (f *Forum) SessionEnded(o session.Origin, root session.ID) {
	for _, t := range f.topicsOf(root) {
		if !t.mayBeOf(o) {
			f.config.Foreign()
			continue
		}
		if !t.Over && t.ID != 0 {
			t.Over = true
			f.saveTopic(t)
		}
		f.closeIfDone(t)
	}
}

// SessionRenamed notes what the thread's session is called now.
func (f *Forum) SessionRenamed(of question.Thread) {
	for _, t := range f.topicsOf(of.Place.Root) {
		if !t.mayBeOf(of.LastOrigin()) {
			continue
		}
		if t.learnName(of) {
			f.saveTopic(t)
		}
		f.renameIfDue(t)
	}
}

// Load begins where the last process stopped.
func (f *Forum) Load(topics []storage.Topic) {
	var undated []storage.Topic
	for _, t := range topics {
		if t.Used.IsZero() {
			t.Used = time.Now().Round(0)
			undated = append(undated, t)
		}
		f.topics[topicKey{t.Chat, t.Root}] = &topic{Topic: t}
	}
	if len(undated) > 0 {
		f.config.Commit(storage.Change{Topics: undated})
	}
}

// Start does what is due for the topics that were loaded.
func (f *Forum) Start() {
	for _, t := range f.topics {
		f.renameIfDue(t)
		f.closeIfDone(t)
	}
}

// Prune forgets the topics that were closed before this time, that were not used for
// long, of which there is nothing to remember, and the oldest of those that are too many.
// The topic of a session that asks is remembered.
func (f *Forum) Prune(before time.Time) {
	open := map[session.ID]bool{}
	for thread := range f.config.Threads.Of("") {
		open[thread.Place.Root] = true
	}
	var spare []*topic
	for _, t := range f.topics {
		if t.busy == "" && !open[t.Root] {
			spare = append(spare, t)
		}
	}
	slices.SortFunc(spare, func(x, y *topic) int { return x.Used.Compare(y.Used) })
	var c storage.Change
	for i, t := range spare {
		if len(spare)-i > maxTopics || t.isSpare(before) {
			c.Dropped = append(c.Dropped, t.Topic)
			delete(f.topics, topicKey{t.Chat, t.Root})
		}
	}
	if !c.Empty() {
		f.config.Commit(c)
	}
}

// How long a topic is remembered in which nothing is asked, and how many of those. Most
// sessions are never deleted. One that asks after that gets a topic anew.
const (
	forgetTopicsAfter = 60 * 24 * time.Hour
	maxTopics         = 1000
)

// isSpare reports whether the topic need not be remembered.
func (t *topic) isSpare(before time.Time) bool {
	closed := !t.Closed.IsZero() && t.Closed.Before(before)
	never := t.ID == 0 && t.Deleted == 0 && t.Doubts == 0
	return closed || never || time.Since(t.Used) > forgetTopicsAfter
}

// CloseIdle closes the topics of a session that has ended, where no thread needs them.
func (f *Forum) CloseIdle(root session.ID) {
	for _, t := range f.topicsOf(root) {
		f.closeIfDone(t)
	}
}

// Len is how many topics are known.
func (f *Forum) Len() int { return len(f.topics) }
