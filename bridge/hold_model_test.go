package bridge_test

import (
	"time"

	"hermes/internal/question"
	"hermes/internal/storage"
)

// What the model does where decisions are held for a while.

const modelUndo = 10 * time.Second

// takeBack taps Undo, if the card has it.
func (m *model) takeBack(v question.View) (question.WizardInput, bool) {
	undo := question.WizardInput{Action: question.Undo}
	return undo, v.Phase == question.PhaseHeld && m.r.IntN(2) == 0
}

// judgeHolds: nothing reached OpenCode before its decision was made and its hold was over, nor when it was taken back.
func (m *model) judgeHolds() {
	from := map[question.RequestID][]span{}
	m.journal(func(e storage.Entry) {
		list := from[e.Request]
		last := len(list) - 1
		switch e.Kind {
		case storage.EntryAnswered, storage.EntryExpired:
			from[e.Request] = append(list, span{from: e.At})
		case storage.EntryHeld:
			list[last].from = e.At.Add(modelUndo)
		case storage.EntryUndone:
			list[last].to = e.At
		}
	})
	for id, r := range m.agent.requests {
		for _, at := range r.sentAt {
			if !within(from[id], at) {
				m.t.Errorf("%s: something was sent at %s, which was held or taken back: %v", id, at.Format("04:05.000"), from[id])
			}
		}
	}
}

// span is when a decision might be sent; a zero end: for ever.
type span struct{ from, to time.Time }

func within(list []span, at time.Time) bool {
	for _, s := range list {
		if !at.Before(s.from) && (s.to.IsZero() || at.Before(s.to)) {
			return true
		}
	}
	return false
}
