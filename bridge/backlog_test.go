package bridge_test

import (
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/question"
)

// wantBacklog fails the test unless just these asks wait.
func (w *world) wantBacklog(when string, want map[question.Stage]int) bridge.Backlog {
	w.t.Helper()
	b, err := w.bridge.Backlog(w.t.Context())
	if err != nil || len(b.Asks) != len(question.Stages()) {
		w.t.Errorf("%s: not every stage is told: %v, %v", when, b.Asks, err)
	}
	for stage, n := range b.Asks {
		if n != want[stage] {
			w.t.Errorf("%s: %d are %s, not %d", when, n, stage, want[stage])
		}
	}
	return b
}

func TestBacklog_TellsWhatWaitsAndHowLong(t *testing.T) {
	play(t, holding, func(w *world) {
		w.wantBacklog("nothing is asked", nil)
		w.setFault(meets("show", fate{err: errFault, certain: true}))
		id := w.agent.ask(oneItem())
		w.wait(time.Minute)
		if b := w.wantBacklog("the chats take nothing", map[question.Stage]int{question.StageUnseen: 1}); b.Unseen != time.Minute || b.Unanswered != time.Minute || b.Owed != 0 {
			t.Errorf("the oldest waits %+v", b)
		}
		w.setFault(func(string) fate { return fine })
		w.wait(2 * time.Minute)
		if b := w.wantBacklog("shown", map[question.Stage]int{question.StageShown: 1}); b.Unseen != 0 || b.Unanswered != 3*time.Minute {
			t.Errorf("shown: %+v", b)
		}
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Second)
		if b := w.wantBacklog("held", map[question.Stage]int{question.StageHeld: 1}); b.Owed != 0 || b.Unanswered != 0 {
			t.Errorf("held: %+v", b)
		}
		w.agent.down()
		w.wait(29 * time.Second) // 20 s after the end of the hold
		if b := w.wantBacklog("owed", map[question.Stage]int{question.StageDeciding: 1}); b.Owed != 20*time.Second || b.Away != 1 {
			t.Errorf("owed to an OpenCode that is away: %+v", b)
		}
		w.agent.comeBack(false)
		w.wait(time.Minute)
		if b := w.wantBacklog("delivered", nil); b.Owed != 0 || b.Away != 0 {
			t.Errorf("delivered: %+v", b)
		}
	})
}

// Equal asks stand on one card: none of them is unseen.
func TestBacklog_EqualAsksAreShown(t *testing.T) {
	play(t, nil, func(w *world) {
		for range 3 {
			w.agent.askLeave("ses_1", "make")
		}
		w.wait(time.Second)
		w.wantBacklog("three equal asks", map[question.Stage]int{question.StageShown: 3})
	})
}
