package question

import (
	"errors"
	"time"
)

// ErrTopicGone means that a topic is not there any more: somebody deleted it, with
// all messages in it.
var ErrTopicGone = errors.New("the topic is gone")

// Topic is the topic of a root session in one chat, and what hermes remembers of it.
type Topic struct {
	Chat    ChatID
	Root    SessionID
	ID      int    // Telegram's message_thread_id; 0: there is none
	Name    string // as it was last asked for
	Project string
	Title   string    // of the session; empty while it has none
	Doubts  int       // tries to make it that may have left an empty topic: their outcome is not known
	Deleted int       // how often somebody deleted it
	Over    bool      // the session was deleted or archived, and has asked nothing since
	Closed  time.Time // when it was closed; zero: it is open
	Used    time.Time // when something was asked there last, to within a day; zero: before that was noted
	Origin  Origin    // where the session asked last; zero: not known, as in records of before it was kept
}

// Usable reports whether cards can be sent to the topic.
func (t Topic) Usable() bool { return t.ID != 0 && t.Closed.IsZero() }

// TopicPost is what a chat is to do with a topic. All but making one may be done twice.
type TopicPost struct {
	Do   TopicDeed
	Chat ChatID
	ID   int    // all but MakeTopic
	Name string // MakeTopic, RenameTopic; of any length and content

	Source string // where its session is; what is done for several sources is done in turns
}

// TopicDeed is the closed set of what can be done with a topic.
type TopicDeed string

const (
	MakeTopic   TopicDeed = "make"
	RenameTopic TopicDeed = "rename"
	CloseTopic  TopicDeed = "close"
	ReopenTopic TopicDeed = "reopen"
)

// TopicDone says what became of a TopicPost. That it was so already is no error.
type TopicDone struct {
	ID         int           // of a topic that was made
	Err        error         // nil on success; ErrTopicGone if there is no such topic
	Unknown    bool          // with Err: it may have been done all the same
	Final      bool          // with Err: no further try will succeed, as things are
	RetryAfter time.Duration // with Err: Telegram said when to try again
}
