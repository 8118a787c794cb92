package bridge

import (
	"slices"
	"time"

	"hermes/internal/question"
)

// forum makes, renames and closes the topics of sessions, and knows where each is.
type forum struct {
	*engine
	maker TopicMaker // nil: no topics are made

	foreign func() // told whenever an OpenCode speaks of a session of another one

	topics map[topicKey]*topic
	logged map[topicFailure]string // why a chat did not take something of a topic
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

// topicFailure is what a chat did not take.
type topicFailure struct {
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

func newForum(e *engine, maker TopicMaker) *forum {
	return &forum{engine: e, maker: maker, topics: map[topicKey]*topic{}, logged: map[topicFailure]string{}}
}

// roomFor finds where a first card goes: to the topic of its session, where there can be
// one. It reports false while that is on its way; the card is looked at again then.
func (f *forum) roomFor(l *liveThread, card int) bool {
	c := l.Cards[card]
	if f.maker == nil || c.Place() != 0 || len(c.Messages) > 0 || l.Place.Root == "" {
		return true
	}
	t := f.topicFor(c.Chat, l)
	switch {
	case t == nil:
		return true
	case t.Usable() && t.busy != question.CloseTopic:
		c.Room = t.ID
		l.setCard(card, c)
		if t.Over {
			t.Over = false
			f.saveTopic(t)
		}
		f.renameIfDue(t)
		return true
	case t.busy != "":
		return false
	case !l.Open() || f.hasGivenUp(t):
		return true
	}
	f.openTopic(t)
	return t.busy == ""
}

// topicFor returns what is known of the topic of the thread's session in a chat; nil if the
// topic is one of another machine's session, which the thread's OpenCode only names.
func (f *forum) topicFor(chat question.ChatID, l *liveThread) *topic {
	key := topicKey{chat, l.Place.Root}
	t := f.topics[key]
	if t == nil {
		t = &topic{Topic: question.Topic{Chat: chat, Root: l.Place.Root, Used: time.Now().Round(0)}}
		f.topics[key] = t
	}
	if !t.mayBeOf(l.LastOrigin()) {
		return nil
	}
	t.learnName(l)
	if time.Since(t.Used) > usedEvery {
		t.Used = time.Now().Round(0)
		f.saveTopic(t)
	}
	return t
}

// isTopicOf reports whether it is the topic of the thread's session in this chat.
func (f *forum) isTopicOf(l *liveThread, chat question.ChatID, id int) bool {
	t := f.topics[topicKey{chat, l.Place.Root}]
	return t != nil && t.ID == id
}

// learnName takes in what the topic's name is made of, and reports whether that is new.
func (t *topic) learnName(l *liveThread) bool {
	before := t.Topic
	t.Project, t.Origin = l.Project, l.LastOrigin()
	if l.Place.Title != "" {
		t.Title = l.Place.Title
	}
	return t.Topic != before
}

// hasGivenUp reports whether a card need not wait for the topic. One that somebody
// deleted is made anew once: who does that twice wants none.
func (f *forum) hasGivenUp(t *topic) bool {
	resting := time.Now().Before(t.rest)
	return resting || t.ID == 0 && (t.Doubts >= topicDoubts || t.Deleted > 1)
}

// openTopic makes the topic, or opens it again. That a try to make it begins is stored
// first: there is no telling two tries from one (Bot API createForumTopic), so a
// crash in the middle counts as one that may have left a topic behind.
func (f *forum) openTopic(t *topic) {
	if t.ID != 0 {
		f.startChange(t, question.ReopenTopic)
		return
	}
	t.Doubts++
	if f.records.commit(question.Change{Topics: []question.Topic{t.Topic}}) != nil {
		t.Doubts--
		t.rest = time.Now().Add(retryStore) // a question waits for no topic
		return
	}
	f.startChange(t, question.MakeTopic)
}

// nameOf is the title of the session, behind its project where the chat has
// topics of several.
func (f *forum) nameOf(t *topic) string {
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

func (f *forum) hasSeveralProjects(t *topic) bool {
	for _, other := range f.topics {
		if other.Chat == t.Chat && other.ID != 0 && other.Project != t.Project {
			return true
		}
	}
	return false
}

// renameIfDue renames the topic, if it should have another name.
func (f *forum) renameIfDue(t *topic) {
	if f.maker != nil && f.loop.Running() && t.Usable() && t.busy == "" && !t.Over && t.Name != f.nameOf(t) {
		f.startChange(t, question.RenameTopic)
	}
}

// closeIfDone closes the topic of a session that has ended, when nothing of it is left to be
// shown. In private chats topics cannot be closed (Bot API closeForumTopic).
func (f *forum) closeIfDone(t *topic) {
	if f.maker == nil || !f.loop.Running() || !t.Over || !t.Usable() || t.busy != "" || t.Chat > 0 {
		return
	}
	for _, l := range f.threads.byID {
		if l.Place.Root == t.Root && t.mayBeOf(l.LastOrigin()) {
			return
		}
	}
	f.startChange(t, question.CloseTopic)
}

// topicsOf lists the topics of a session, one for each chat.
func (f *forum) topicsOf(root question.SessionID) []*topic {
	var list []*topic
	for _, t := range f.topics {
		if t.Root == root {
			list = append(list, t)
		}
	}
	return list
}

// mayBeOf reports whether the OpenCode at the origin may have the topic's session.
func (t *topic) mayBeOf(o question.Origin) bool {
	return t.Origin == (question.Origin{}) || o.MayHave(t.Origin)
}

// sessionEnded takes in that a session was deleted or archived at the origin.
func (f *forum) sessionEnded(o question.Origin, root question.SessionID) {
	for _, t := range f.topicsOf(root) {
		if !t.mayBeOf(o) {
			f.foreign()
			continue
		}
		if !t.Over && t.ID != 0 {
			t.Over = true
			f.saveTopic(t)
		}
		f.closeIfDone(t)
	}
}

// sessionRenamed takes in what the thread's session is called now.
func (f *forum) sessionRenamed(l *liveThread) {
	for _, t := range f.topicsOf(l.Place.Root) {
		if !t.mayBeOf(l.LastOrigin()) {
			continue
		}
		if t.learnName(l) {
			f.saveTopic(t)
		}
		f.renameIfDue(t)
	}
}

// load begins where the last process stopped.
func (f *forum) load(topics []question.Topic) {
	var undated []question.Topic
	for _, t := range topics {
		if t.Used.IsZero() {
			t.Used = time.Now().Round(0)
			undated = append(undated, t)
		}
		f.topics[topicKey{t.Chat, t.Root}] = &topic{Topic: t}
	}
	if len(undated) > 0 {
		_ = f.records.commit(question.Change{Topics: undated}) // else the next start does it
	}
}

// start does what is due for the topics that were loaded.
func (f *forum) start() {
	for _, t := range f.topics {
		f.renameIfDue(t)
		f.closeIfDone(t)
	}
}

// flush is the last try for what the store did not take, when the loop ends.
func (f *forum) flush() {
	for _, t := range f.topics {
		if t.stale {
			f.saveTopic(t)
		}
	}
}

// prune forgets the topics that were closed before this time, that were not used for
// long, of which there is nothing to remember, and the oldest of those that are too many.
// The topic of a session that asks is remembered.
func (f *forum) prune(before time.Time) error {
	open := map[question.SessionID]bool{}
	for _, l := range f.threads.byID {
		open[l.Place.Root] = true
	}
	var spare []*topic
	for _, t := range f.topics {
		if t.busy == "" && !open[t.Root] {
			spare = append(spare, t)
		}
	}
	slices.SortFunc(spare, func(x, y *topic) int { return x.Used.Compare(y.Used) })
	var c question.Change
	for i, t := range spare {
		if len(spare)-i > maxTopics || t.isSpare(before) {
			c.Dropped = append(c.Dropped, t.Topic)
			delete(f.topics, topicKey{t.Chat, t.Root})
		}
	}
	if c.Empty() {
		return nil
	}
	return f.records.commit(c)
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
