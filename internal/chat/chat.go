package chat

import (
	"time"
)

// UpdateID is Telegram's number of an update. Every input names the update that
// it came in, so that the store can forget the one when it keeps the other.
type UpdateID int64

// User is a person as Telegram named them when they acted.
type User struct {
	ID   UserID
	Name string

	Username string // without @; empty: they have none
	Lang     string // IETF language tag of their client; may be empty
}

// Chat is what hermes remembers of a chat.
type Chat struct {
	ID      ID
	Lang    string // of the person who acted there last; empty: nobody did
	MovedTo ID     // the supergroup that it became; 0: none
	Blocked bool
	Hinted  bool // was told that nothing is asked, and nothing was asked since
	Greeted bool // a stranger there got the one reply that strangers get

	Seen time.Time // when it was last remembered anything new of; zero: before that was kept
}
