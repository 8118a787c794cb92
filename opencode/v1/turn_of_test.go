package v1

import (
	"testing"
	"time"

	"hermes/internal/session"
)

// Only of a session that rests it is odd that its last answer has no end.
func TestTurn_WithoutAnEnd(t *testing.T) {
	var answer Message
	answer.Info.ID, answer.Info.Role = "msg_1", "assistant"
	for _, busy := range []bool{false, true} {
		turn := turnOf(session.Session{Busy: busy, Updated: time.Unix(9, 0)}, []Message{answer})
		if turn.Unfinished == busy || turn.Aborted == busy || turn.Ended.IsZero() != busy {
			t.Errorf("busy %v: the turn is %+v", busy, turn)
		}
	}
	answer.Info.Error.Name = "MessageAbortedError"
	if turn := turnOf(session.Session{}, []Message{answer}); turn.Unfinished || !turn.Aborted {
		t.Errorf("one that was stopped is %+v", turn)
	}
}
