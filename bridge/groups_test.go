package bridge_test

import (
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// decided fails the test unless just this reached the agent over hermes; an empty
// reply: nothing.
func (w *world) decided(id question.RequestID, reply string) {
	w.t.Helper()
	w.agent.mu.Lock()
	defer w.agent.mu.Unlock()
	r := w.agent.requests[id]
	got := ""
	for _, s := range r.leave.sent {
		got += s.reply
	}
	if got != reply || r.replies > 1 {
		w.t.Errorf("%s: the agent was sent %q (%d took effect), want %q", id, got, r.replies, reply)
	}
}

func (w *world) thread(id question.RequestID) question.Thread {
	w.t.Helper()
	t, err := w.bridge.Request(w.t.Context(), w.agent.origin(), id)
	must(w.t, err)
	return t
}

var once = question.WizardInput{Action: question.Pick, Option: question.PickOnce}

// What is not the same thing has a card of its own, or people would allow what they
// did not see.
func TestGroups_AsksThatAreNotEqual(t *testing.T) {
	for name, alter := range map[string]func(*event.Event){
		"the call is not known": func(e *event.Event) { e.Asks[0].Request.Agent = "" },
		"another agent":         func(e *event.Event) { e.Asks[0].Request.Agent = "deploy" },
		"another directory":     func(e *event.Event) { e.Origin.Directory = "/home/ada/live" },
		"another command":       func(e *event.Event) { e.Asks[0].Request.Permission = command("make all") },
		"another place": func(e *event.Event) {
			e.Asks[0].Request = e.Asks[0].Request.WithLinks([]question.FileLink{{Path: "a", Target: "b"}})
		},
		"another session": func(e *event.Event) { e.Asks[0].Request.Session = "ses_2" },
		"another runner":  func(e *event.Event) { e.Asks[0].Request.Protocol = session.Preview },
		"nothing else":    func(*event.Event) {},
	} {
		play(t, nil, func(w *world) {
			first := w.agent.askLeave("ses_1", "make")
			w.wait(time.Second)
			ask := w.agent.requests[first].request
			ask.ID, ask.Call = "per_x", "callx"
			e := event.Event{Kind: event.Asked, Origin: w.agent.origin(), Asks: []event.Ask{{Request: ask}}}
			alter(&e)
			w.bridge.Event(e)
			w.wait(time.Second)
			if joined := w.thread("per_x").Leader != ""; joined != (name == "nothing else") {
				t.Errorf("%s: joined: %v", name, joined)
			}
		})
	}
}

// One of two was allowed at OpenCode in the moment in which Ada rejected both.
func TestGroups_AskThatEndsOtherwise(t *testing.T) {
	for _, overtaken := range []string{"the first", "the second"} {
		play(t, nil, func(w *world) {
			first := w.agent.askLeave("ses_1", "make")
			w.wait(time.Second)
			second := w.agent.askLeave("ses_1", "make")
			w.wait(time.Second)
			lost, kept := first, second
			if overtaken == "the second" {
				lost, kept = second, first
			}
			w.agent.decideQuietly(lost, question.Once)
			w.press(adaChat, ada, first, question.WizardInput{Action: question.Dismiss})
			w.wait(10 * time.Second)
			if v := w.shows(lost, question.PhaseEnded, question.OutcomeAnswered); v.Outcome.By.Kind != question.OpenCode || v.Count != 1 {
				t.Errorf("%s: the card says %+v of %d", overtaken, v.Outcome, v.Count)
			}
			if v := w.shows(kept, question.PhaseEnded, question.OutcomeDismissed); v.Outcome.By.Name != "Ada" || v.Count != 1 {
				t.Errorf("%s: the other card says %+v of %d", overtaken, v.Outcome, v.Count)
			}
		})
	}
}

// One of several asks ends by itself: the others go on waiting, on a card of theirs.
func TestGroups_AskThatEndsByItself(t *testing.T) {
	for n := range 3 {
		play(t, nil, func(w *world) {
			var ids []question.RequestID
			for range 3 {
				ids = append(ids, w.agent.askLeave("ses_1", "make"))
				w.wait(time.Second)
			}
			w.agent.atScreen(ids[n], question.Once)
			w.wait(5 * time.Second)
			asking := 0
			for i, id := range ids {
				if _, v, ok := w.chat.find(adaChat, id); ok && v.Phase == question.PhaseAsking && i != n {
					if asking++; v.Count != 2 {
						t.Errorf("%d: the card speaks of %d asks", n, v.Count)
					}
				}
			}
			if asking != 1 {
				t.Errorf("%d: %d cards ask", n, asking)
			}
		})
	}
}

// hermes is killed at every write in turn while a group of three is cut up; the asks
// that wait are still asked, each on one card, and decided once.
func TestGroups_KilledBetweenEqualAsks(t *testing.T) {
	for at := range 12 {
		for _, applied := range []bool{false, true} {
			play(t, func(c *bridge.Config) { c.NotifyDelay = 0 }, func(w *world) {
				var ids []question.RequestID
				for range 3 {
					ids = append(ids, w.agent.askLeave("ses_1", "make"))
					w.wait(time.Second)
				}
				w.killAt(at, applied)
				w.agent.atScreen(ids[0], question.Once)
				w.wait(5 * time.Second)
				w.kill()
				w.setFault(func(string) fate { return fine })
				w.start()
				w.wait(3 * time.Minute)
				for _, id := range ids[1:] {
					w.press(adaChat, ada, id, once)
					w.wait(5 * time.Second)
				}
				for _, id := range ids[1:] {
					w.decided(id, question.Once)
				}
			})
		}
	}
}

// killAt lets no write but the first n take place, and the next if it is applied.
func (w *world) killAt(n int, applied bool) {
	w.setFault(func(op string) fate {
		if op != "commit" {
			return fine
		}
		if n--; n >= 0 {
			return fine
		}
		dead := n < -1
		return fate{apply: applied && !dead, err: errFault}
	})
}
