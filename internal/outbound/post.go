package outbound

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
)

// Post is a card that a chat is to show: as a new message where it has none yet,
// else by editing.
type Post struct {
	Thread   question.ID
	Chat     chat.ID
	Topic    int
	Messages []chat.MessageID // what the chat shows of it now; empty: nothing yet
	Unfiled  bool             // Messages have no file, though the card would begin with one: the chat took none
	Silent   bool             // new messages make no sound
	Newcomer bool             // the chat asks to be let in, and decides nothing
	Source   string           // where the ask comes from; the cards of several take turns

	// View is asked once at most, when it is the post's turn, before anything of it is sent: what the card
	// shows by then, and whether the post is wanted still. If it is not, nothing is sent. Both are of one moment.
	View func() (v question.View, wanted bool)

	// Stale is asked before each further new message: whether the card has changed since View told this revision. What is left
	// of it then comes with the next post. Nil: it never has.
	Stale func(rev int) bool
}

// Shown says what became of a post.
type Shown struct {
	Messages   []chat.MessageID // as the chat shows it now; unchanged on failure; empty on success: the post was not wanted any more
	Unfiled    bool             // of Messages, as in Post
	Rev        int              // the revision that is on screen, on success
	At         time.Time        // when its last new message was sent, by Telegram's clock; zero: none was
	Err        error            // why it is not; nil on success
	RetryAfter time.Duration    // with Err: Telegram said when to try again
	Refused    string           // with Err: why the chat takes nothing at all now; a closed word
	MovedTo    chat.ID          // with Err: the chat's new id, to be used from now on
}
