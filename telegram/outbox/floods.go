package outbox

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/retry"
)

// What looks like a limit of the bot, not of a chat.
const (
	floodedChats = 3                // so many were told to wait, and no message was taken in between
	floodLook    = 30 * time.Second // so long nothing is sent, if Telegram names no shorter time; then one message is tried
	floodTry     = time.Second      // from one try to the next
)

// floods is what Telegram's flood waits (429) say of the bot. A 429 does not tell whether the chat or the bot sends too much. So
// each is taken for the chat's, which is silent for as long as Telegram said, and delays no other. Where several chats in a
// row are told to wait, with no message taken in between, it is taken for the bot's: then all wait, for no longer
// than floodLook, and one message a second is tried until Telegram takes one. It is guarded by Outbox.mu.
type floods struct {
	row   map[chat.ID]bool // who was told to wait since Telegram took a message
	until time.Time        // nothing is sent before
}

// noteFlood notes that a chat was told to wait.
func (f *floods) noteFlood(id chat.ID, wait time.Duration, now time.Time) {
	f.row[id] = true
	if f.ofBot() {
		f.until = retry.Later(f.until, now.Add(min(wait, floodLook)))
	}
}

// noteTaken notes that Telegram took a message, which ends a wait of all chats.
func (f *floods) noteTaken() {
	clear(f.row)
	f.until = time.Time{}
}

// noteCall notes that a call is made: while it looks as if the bot had to wait, it is a try.
func (f *floods) noteCall(now time.Time) {
	if f.ofBot() {
		f.until = retry.Later(f.until, now.Add(floodTry))
	}
}

// ofBot reports whether it looks as if the bot had to wait.
func (f *floods) ofBot() bool { return len(f.row) >= floodedChats }
