package outbound

import (
	"errors"
	"time"

	"hermes/internal/chat"
)

// ErrTopicGone means that a topic is not there any more: somebody deleted it, with
// all messages in it.
var ErrTopicGone = errors.New("the topic is gone")

// TopicPost is what a chat is to do with a topic. All but making one may be done twice.
type TopicPost struct {
	Do   TopicDeed
	Chat chat.ID
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
