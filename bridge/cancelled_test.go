package bridge_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
)

// In OpenCode 2 a question that was dismissed may read like one whose turn was stopped. That
// hermes dismissed it is known, as OpenCode took that; that somebody else did is known if the end of
// the turn said so, and OpenCode itself has not ended. Of anything else no more is said than that the
// turn ended.
func TestOutcomes_Cancelled(t *testing.T) {
	dismiss := func(w *world, id question.RequestID) {
		w.dismiss(adaChat, ada, id)
	}
	stopped := question.Outcome{Kind: question.OutcomeStopped}
	for name, test := range map[string]struct {
		does func(w *world, id question.RequestID)
		want question.Outcome
	}{
		"dismissed in the chat": {dismiss, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Person, Name: "Ada"}}},
		"nobody answered":       {func(w *world, _ question.RequestID) { w.wait(31 * time.Minute) }, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Deadline}}},
		"stopped":               {func(w *world, id question.RequestID) { w.agent.settle(id, event.FoundCancelled, nil) }, stopped},
		"dismissed there": {func(w *world, id question.RequestID) {
			w.agent.event(event.Event{Kind: event.Declined, Session: w.agent.requests[id].request.Session})
			synctest.Wait()
			w.agent.settle(id, event.FoundCancelled, nil)
		}, topicFailure("")},
		"ended with OpenCode": {func(w *world, id question.RequestID) {
			w.agent.event(event.Event{Kind: event.Declined, Session: w.agent.requests[id].request.Session})
			synctest.Wait() // the stand-in's events run side by side
			w.agent.event(event.Event{Kind: event.Lost})
			w.agent.settle(id, event.FoundCancelled, nil)
		}, stopped},
		"stopped, then dismissed in the chat": {func(w *world, id question.RequestID) {
			w.setFault(func(op string) fate {
				if op == "look" {
					w.agent.mu.Lock()
					w.agent.requests[id].found = event.FoundCancelled
					w.agent.mu.Unlock()
				}
				return fine
			})
			dismiss(w, id)
		}, stopped},
		"dismissed in the chat, and its answer lost": {func(w *world, id question.RequestID) {
			w.setFault(meets("deliver", fate{apply: true, err: errFault}))
			dismiss(w, id)
		}, stopped},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				w.agent.second = true
				id := w.askOne()
				test.does(w, id)
				w.wait(time.Minute)
				_, v, _ := w.chat.find(adaChat, id)
				says(t, v.Outcome, test.want)
			})
		})
	}
}

// The same of a permission that was refused in the chat, where the event was lost.
func TestPermissions_RefusedWithoutAnEvent(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		w.setFault(func(op string) fate {
			if op != "deliver" {
				return fine
			}
			w.agent.mu.Lock()
			w.agent.requests[id].leave.tells = &event.Finding{Kind: event.FoundCancelled, Begun: true}
			w.agent.mu.Unlock()
			return fate{}
		})
		w.dismiss(adaChat, ada, id)
		w.wait(time.Minute)
		_, v, _ := w.chat.find(adaChat, id)
		says(t, v.Outcome, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Person, Name: "Ada"}})
	})
}
