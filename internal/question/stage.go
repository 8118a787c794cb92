package question

import (
	"time"

	"hermes/internal/retry"
)

// Stage is how far an ask has come, for those who watch hermes. The words are the values of a metric's label.
type Stage string

// The stages. Every thread is in one.
const (
	StageUnseen   Stage = "unseen"   // open, and no chat shows it
	StageShown    Stage = "shown"    // open, and a chat shows it
	StageHeld     Stage = "held"     // decided, and not sent yet: it may be taken back
	StageDeciding Stage = "deciding" // decided and owed to OpenCode, which has not proven that it took it
	StageEnded    Stage = "ended"    // ended, and some messages may not tell it yet
)

// Stages are all of them.
func Stages() []Stage {
	return []Stage{StageUnseen, StageShown, StageHeld, StageDeciding, StageEnded}
}

// Stage is how far it has come. One that another leads (Leader) has no cards of its own: it is shown where that one is.
func (t Thread) Stage() Stage {
	switch {
	case t.Settled():
		return StageEnded
	case t.IsHeld():
		return StageHeld
	case t.Decision != nil:
		return StageDeciding
	case t.Shown():
		return StageShown
	}
	return StageUnseen
}

// OwedSince is since when the decision is owed to OpenCode: since it was made, or since its hold has ended. There must be one.
func (t Thread) OwedSince() time.Time { return retry.Later(t.Decision.At, t.Delivery.From) }

// DueSince is since when chats ought to show it.
func (t Thread) DueSince() time.Time { return retry.Later(t.Asked, t.ShowAt) }
