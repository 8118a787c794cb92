package bridge_test

import (
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/question"
)

// hears tells hermes how an ask was decided, and nothing else.
func (w *world) hears(id question.RequestID, reply string) {
	r := w.agent.requests[id].request
	e := event.Event{Kind: event.Replied, ID: id, Session: r.Session, Answers: question.Answers{{reply}}}
	if reply == "reject" {
		e.Kind, e.Answers = event.Rejected, nil
	}
	w.agent.event(e)
}

// finds is what hermes finds out of an ask from now on.
func (w *world) finds(id question.RequestID, f event.Finding) {
	w.agent.mu.Lock()
	r := w.agent.requests[id]
	r.leave.tells = &f
	w.agent.mu.Unlock()
	w.agent.event(event.Event{Kind: event.Touched, Session: r.request.Session})
}

func kind(k event.FindingKind) event.Finding { return event.Finding{Kind: k} }

// truths are what OpenCode tells of an ask that nobody decided in the chat, by an event
// and by what can be read, and what is true then.
var truths = []struct {
	name   string
	noCall bool   // as of a doom_loop
	heard  string // reply; empty: the event was lost
	found  event.Finding
	want   question.Outcome
}{
	{"allowed there", false, "once", kind(event.FoundPassing), allowed("once")},
	{"allowed there for good", false, "always", kind(event.FoundAnswered), allowed("always")},
	{"allowed there, and the call ended badly", false, "once", kind(event.FoundEnded), allowed("once")},
	{"it runs, and nothing says why", false, "", kind(event.FoundPassing), allowed("")},
	{"it ran, and nothing says why", false, "", kind(event.FoundAnswered), allowed("")},
	{"rejected there", false, "reject", kind(event.FoundDismissed), topicFailure("")},
	{"rejected there with a note", false, "reject", event.Finding{Kind: event.FoundDismissed, Note: "no"}, topicFailure("no")},
	{"rejected there, which is not written down", false, "reject", kind(event.FoundPassing), topicFailure("")},
	{"rejected there, and the call does not say so", false, "reject", kind(event.FoundEnded), topicFailure("")},
	{"rejected, and nothing was heard", false, "", event.Finding{Kind: event.FoundDismissed, Note: "no"}, topicFailure("no")},
	{"the call failed, and does not say why", false, "", kind(event.FoundEnded), question.Outcome{Kind: question.OutcomeUnknown}},
	{"stopped", false, "", kind(event.FoundStopped), question.Outcome{Kind: question.OutcomeStopped}},
	{"stopped, listed no more", false, "", event.Finding{Kind: event.FoundStopped, Begun: true}, question.Outcome{Kind: question.OutcomeStopped, Begun: true}},
	{"allowed there and stopped", false, "once", kind(event.FoundStopped), question.Outcome{Kind: question.OutcomeStopped, Begun: true}},
	{"rejected there, which reads as a stop", false, "reject", event.Finding{Kind: event.FoundCancelled, Begun: true}, topicFailure("")},
	{"stopped, which reads as a rejection", false, "", event.Finding{Kind: event.FoundCancelled, Begun: true}, question.Outcome{Kind: question.OutcomeStopped, Begun: true}},
	{"allowed there and stopped, in OpenCode 2", false, "once", kind(event.FoundCancelled), question.Outcome{Kind: question.OutcomeStopped, Begun: true}},
	{"allowed there after it was stopped", false, "once", kind(event.FoundForgotten), question.Outcome{Kind: question.OutcomeStopped, Begun: true}},
	{"rejected there after it was stopped", false, "reject", kind(event.FoundForgotten), question.Outcome{Kind: question.OutcomeStopped}},
	{"deleted", false, "", kind(event.FoundDeleted), question.Outcome{Kind: question.OutcomeDeleted}},
	{"restarted", false, "", kind(event.FoundForgotten), question.Outcome{Kind: question.OutcomeRestarted}},
	{"never asked", false, "", kind(event.FoundVoid), question.Outcome{Kind: question.OutcomeVoid}},
	{"without a call, allowed there", true, "once", kind(event.FoundForgotten), allowed("once")},
	{"without a call, rejected there", true, "reject", kind(event.FoundForgotten), topicFailure("")},
	{"without a call, the session is done", true, "", kind(event.FoundForgotten), question.Outcome{Kind: question.OutcomeUnknown}},
	{"without a call, the session works", true, "", kind(event.FoundPassing), question.Outcome{Kind: question.OutcomeUnknown}},
	{"allowed there, and listed for ever", false, "once", kind(event.FoundOpen), question.Outcome{Kind: question.OutcomeUnknown}},
}

func allowed(how string) question.Outcome {
	o := question.Outcome{Kind: question.OutcomeAnswered, By: question.Actor{Kind: question.OpenCode}}
	if how != "" {
		o.Answers = question.Answers{{how}}
	}
	return o
}

func topicFailure(note string) question.Outcome {
	return question.Outcome{Kind: question.OutcomeDismissed, Note: note, By: question.Actor{Kind: question.OpenCode}}
}

// says fails the test unless the outcome is this one, when it was does not matter.
func says(t *testing.T, got *question.Outcome, want question.Outcome) {
	t.Helper()
	if got == nil {
		t.Errorf("it has not ended, want %+v", want)
		return
	}
	if got.Kind != want.Kind || got.Note != want.Note || got.Begun != want.Begun || got.By.Kind != want.By.Kind || got.By.Name != want.By.Name ||
		!got.Answers.Equal(want.Answers) || (got.Along != "") != (want.Along != "") {
		t.Errorf("it is said to be %+v, want %+v", *got, want)
	}
}

func TestPermissions_EndsThatNobodyDecidedInTheChat(t *testing.T) {
	for _, c := range truths {
		t.Run(c.name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				id := w.agent.askLeave("ses_1", "make")
				if c.noCall {
					id = w.agent.askLoop("ses_2")
				}
				w.wait(time.Second)
				w.finds(id, c.found)
				if c.heard != "" {
					w.hears(id, c.heard)
				}
				w.wait(5 * time.Minute)
				_, v, _ := w.chat.find(adaChat, id)
				says(t, v.Outcome, c.want)
			})
		})
	}
}

// What was heard stands where OpenCode goes away before more can be found out.
func TestPermissions_LostAfterADecisionThere(t *testing.T) {
	for reply, want := range map[string]question.Outcome{"always": allowed("always"), "reject": topicFailure("")} {
		play(t, nil, func(w *world) {
			id := w.agent.askLeave("ses_1", "make")
			w.wait(time.Second)
			w.finds(id, kind(event.FoundOpen))
			w.hears(id, reply)
			w.wait(time.Second)
			w.agent.down()
			w.wait(time.Second)
			_, v, _ := w.chat.find(adaChat, id)
			says(t, v.Outcome, want)
		})
	}
}

// One call asks for a folder outside and then for the command. What becomes of the
// second ask is not what became of the first.
func TestPermissions_CallThatAsksTwice(t *testing.T) {
	for _, end := range []event.FindingKind{event.FoundDismissed, event.FoundStopped, event.FoundForgotten, event.FoundDeleted} {
		play(t, nil, func(w *world) {
			first := w.agent.askLeave("ses_1", "touch ../made")
			w.wait(time.Second)
			second := w.agent.askFor("ses_1", command("touch"), first)
			w.wait(time.Second)
			w.finds(first, kind(end))
			w.wait(time.Second)
			_, v, _ := w.chat.find(adaChat, first)
			says(t, v.Outcome, allowed(""))
			w.shows(second, question.PhaseAsking, "")
		})
	}
}

// Ada's rejection of one ask came too late. Somebody else's of another is not hers.
func TestPermissions_OvertakenDecisionTakesNothingAlong(t *testing.T) {
	play(t, nil, func(w *world) {
		first, second := w.agent.askLeave("ses_1", "make"), w.agent.askLeave("ses_1", "rm")
		w.wait(time.Second)
		w.setFault(failing("show")) // the first ask still has a card to change
		w.agent.mu.Lock()
		w.agent.requests[first].leave.tells = &event.Finding{Kind: event.FoundOpen} // it was looked at just before
		w.agent.mu.Unlock()
		w.agent.decideQuietly(first, question.Once)
		w.press(adaChat, ada, first, question.WizardInput{Action: question.Dismiss})
		w.wait(50 * time.Millisecond)
		w.hears(first, question.Once)
		w.finds(first, kind(event.FoundAnswered))
		w.wait(time.Second)
		w.agent.atScreen(second, "reject")
		w.wait(10 * time.Second)
		t1, _ := w.bridge.Request(w.t.Context(), w.agent.origin(), first)
		says(t, t1.Outcome, allowed("once"))
		t2, _ := w.bridge.Request(w.t.Context(), w.agent.origin(), second)
		says(t, t2.Outcome, topicFailure(""))
	})
}

// What Ada always allows of one kind of command decides no other, though somebody allows that for good in
// the same moment.
func TestPermissions_AlwaysTakesAlongWhatItCovers(t *testing.T) {
	play(t, nil, func(w *world) {
		first, alike, other := w.agent.askLeave("ses_1", "rm"), w.agent.askFor("ses_1", &question.Permission{
			Kind: "bash", Patterns: []string{"rm -rf build"}, Always: []string{"rm *"}, Command: "rm -rf build",
		}, ""), w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		w.pressAndWait(adaChat, ada, first, question.WizardInput{Action: question.Pick, Option: question.PickAlways})
		w.agent.slow = time.Second
		w.press(adaChat, ada, first, question.WizardInput{Action: question.Send})
		w.wait(500 * time.Millisecond)
		w.agent.atScreen(other, question.Always)
		w.wait(10 * time.Second)
		says(t, w.thread(other).Outcome, allowed("always"))
		if o := w.thread(alike).Outcome; o == nil || o.By.User != ada || o.Along == "" {
			t.Errorf("what it covers ended as %+v", o)
		}
	})
}

// What is on screen does not change its meaning: what becomes known of the call later
// is taken in only before anybody could see it.
func TestPermissions_DetailsThatComeLate(t *testing.T) {
	for _, shown := range []bool{false, true} {
		play(t, func(c *bridge.Config) { c.NotifyDelay = time.Second }, func(w *world) {
			tell := func(r question.Request) {
				w.agent.event(event.Event{Kind: event.Asked, Asks: []event.Ask{{Request: r}}})
			}
			w.agent.up = false
			id := w.agent.askFor("ses_1", &question.Permission{Kind: "bash", Patterns: []string{"make"}}, "")
			w.agent.up = true
			known := w.agent.requests[id].request
			known.Agent = ""
			tell(known)
			w.wait(100 * time.Millisecond)
			if shown {
				w.wait(2 * time.Second)
			}
			known.Agent, known.Permission = "build", command("make || rm -rf .")
			tell(known)
			w.wait(3 * time.Second)
			want := map[bool]string{false: "make || rm -rf .", true: ""}[shown]
			if got := w.shows(id, question.PhaseAsking, "").Request.Permission.Command; got != want {
				t.Errorf("shown before: %v, and then it is for %q, want %q", shown, got, want)
			}
		})
	}
}

// The message of the ask that was rejected may be all told, before OpenCode says what
// else that rejected.
func TestPermissions_WhatGoesAlongIsToldLate(t *testing.T) {
	play(t, nil, func(w *world) {
		first := w.agent.askLeave("ses_1", "make")
		second := w.agent.askLeave("ses_1", "rm -rf build")
		w.wait(time.Second)
		other := w.agent.requests[second]
		w.agent.mu.Lock()
		delete(w.agent.requests, second) // it says nothing of it yet
		w.agent.mu.Unlock()
		w.press(adaChat, ada, first, question.WizardInput{Action: question.Dismiss})
		w.wait(5 * time.Second)
		if open, err := w.bridge.Open(w.t.Context()); err != nil || len(open) != 1 {
			w.t.Fatalf("%d are open, %v: the first is not told yet", len(open), err)
		}
		w.agent.mu.Lock()
		other.found = event.FoundDismissed
		w.agent.requests[second] = other
		w.agent.mu.Unlock()
		w.hears(second, "reject")
		w.wait(5 * time.Second)
		if o := w.thread(second).Outcome; o == nil || o.By.User != ada || o.Along == "" {
			w.t.Errorf("the second ended as %+v", o)
		}
	})
}
