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

	// Mark is called before a new message is sent, with the highest message id that is
	// known in the chat, and has to store that the message may be there. If it fails,
	// nothing is sent. Nil: that is stored.
	Mark func(after chat.MessageID) error
}

// Shown says what became of a post.
type Shown struct {
	Messages   []chat.MessageID // as the chat shows it now; unchanged on failure; empty on success: the post was not wanted any more
	Unfiled    bool             // of Messages, as in Post
	Rev        int              // the revision that is on screen, on success
	At         time.Time        // when its last new message was sent, by Telegram's clock; zero: none was
	Err        error            // why it is not; nil on success
	After      chat.MessageID   // the highest message id that was known in the chat before the try
	Unknown    bool             // with Err: a new message may have been sent all the same
	RetryAfter time.Duration    // with Err: Telegram said when to try again
	Refused    string           // with Err: why the chat takes nothing at all now; a closed word
	MovedTo    chat.ID          // with Err: the chat's new id, to be used from now on
}

// Search is a look for copies of a card in its chat.
type Search struct {
	Chat  chat.ID
	Span  chat.Span        // where they may lie
	Card  []chat.MessageID // the card's own messages
	Spare []chat.MessageID // what is known there, and is no copy
}

// Searched says what became of a search.
type Searched struct {
	Left       []chat.Span   // where copies may still lie
	Err        error         // why the search goes no further now; nil: it may continue at once
	RetryAfter time.Duration // with Err: Telegram said when to try again
	MovedTo    chat.ID       // with Err: the chat's new id
}
