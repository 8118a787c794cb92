package chat

import (
	"time"
)

// UpdateID is Telegram's number of an update. Every input names the update that
// it came in, so that the store can forget the one when it keeps the other.
type UpdateID int64

// User is a person as Telegram named them when they acted.
type User struct {
	ID   UserID `json:"user,omitzero"`
	Name string `json:"name,omitzero"`

	Username string `json:"username,omitzero"` // without @; empty: they have none
	Lang     string `json:"lang,omitzero"`     // IETF language tag of their client; may be empty
}

// Chat is what hermes remembers of a chat.
type Chat struct {
	ID      ID     `json:"id"`
	Lang    string `json:"lang,omitzero"`     // of the person who acted there last; empty: nobody did
	MovedTo ID     `json:"moved_to,omitzero"` // the supergroup that it became; 0: none
	Blocked bool   `json:"blocked,omitzero"`
	Hinted  bool   `json:"hinted,omitzero"`  // was told that nothing is asked, and nothing was asked since
	Greeted bool   `json:"greeted,omitzero"` // a stranger there got the one reply that strangers get

	Seen time.Time `json:"seen,omitzero"` // when it was last remembered anything new of; zero: before that was kept
}
