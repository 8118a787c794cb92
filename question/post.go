package question

import "time"

// Post is a card that a chat is to show: as a new message where it has none yet,
// else by editing.
type Post struct {
	Thread   ID
	Chat     ChatID
	Topic    int
	Messages []PostedID // what the chat shows of it now; empty: nothing yet
	Silent   bool       // new messages make no sound
	Newcomer bool       // the chat asks to be let in, and decides nothing
	Again    bool       // it may have been sent before, with an unknown outcome
	Source   string     // where the ask comes from; the cards of several take turns
	View     func() View
}

// Shown says what became of a post.
type Shown struct {
	Messages   []PostedID    // as the chat shows it now; unchanged on failure
	Rev        int           // the revision that is on screen, on success
	At         time.Time     // when its last new message was sent, by Telegram's clock; zero: none was
	Err        error         // why it is not; nil on success
	Unknown    bool          // with Err: it may have been sent all the same
	RetryAfter time.Duration // with Err: Telegram said when to try again
	Lost       string        // with Err: why no try will ever succeed; a closed word
	MovedTo    ChatID        // with Err: the chat's new id, to be used from now on
}
