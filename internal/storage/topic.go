package storage

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/session"
)

// Topic is the topic of a root session in one chat, and what hermes remembers of it.
type Topic struct {
	Chat    chat.ID        `json:"chat"`
	Root    session.ID     `json:"root"`
	ID      int            `json:"id,omitzero"`   // Telegram's message_thread_id; 0: there is none
	Name    string         `json:"name,omitzero"` // as it was last asked for
	Project string         `json:"project,omitzero"`
	Title   string         `json:"title,omitzero"`   // of the session; empty while it has none
	Doubts  int            `json:"doubts,omitzero"`  // tries to make it that may have left an empty topic: their outcome is not known
	Deleted int            `json:"deleted,omitzero"` // how often somebody deleted it
	Over    bool           `json:"over,omitzero"`    // the session was deleted or archived, and has asked nothing since
	Closed  time.Time      `json:"closed,omitzero"`  // when it was closed; zero: it is open
	Used    time.Time      `json:"used,omitzero"`    // when something was asked there last, to within a day; zero: before that was noted
	Origin  session.Origin `json:"origin,omitzero"`  // where the session asked last; zero: not known, as in records of before it was kept
}

// Usable reports whether cards can be sent to the topic.
func (t Topic) Usable() bool { return t.ID != 0 && t.Closed.IsZero() }
