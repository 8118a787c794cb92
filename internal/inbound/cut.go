package inbound

import (
	"time"
	"unicode/utf16"
)

// Telegram's clients cut a text of more than 4096 characters into several messages, at a
// space or line break before that; the later ones reply to the same message or to none. So
// a text that is almost as long may be continued. A crash while its rest is waited for loses
// nothing, as the parts stay in the inbox.
const (
	// RestWithin is how long the rest of a text is waited for after each part.
	RestWithin = 1500 * time.Millisecond
	// AlbumWithin is the same for the files of an album: clients send what is shown as one as
	// a message for each file, in moments, with the caption at one of them.
	AlbumWithin = 1500 * time.Millisecond

	almostFull = 3500            // UTF-16 units, as clients count
	sentWithin = 3 * time.Second // by Telegram's clock, which has whole seconds
)

// MayBeContinued reports whether a text is so long that a client may have cut it here.
func MayBeContinued(text string) bool { return len(utf16.Encode([]rune(text))) >= almostFull }

// CanContinue reports whether the message can be the one that a client sent behind an earlier
// one of the same person, as the rest of its text.
func (in Input) CanContinue(earlier Input) bool {
	return in.Sent.Sub(earlier.Sent) <= sentWithin && (in.ReplyTo == 0 || in.ReplyTo == earlier.ReplyTo)
}
