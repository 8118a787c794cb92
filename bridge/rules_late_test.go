package bridge_test

import (
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// What a rule is found by may be known late: the card says then how many it needs.
func TestAccess_RuleThatFitsLate(t *testing.T) {
	const rules = "\n[[rule]]\nname = \"night\"\npermission = \"bash\"\nsession = \"night shift\"\napprovals = 2\n"
	for name, tell := range map[string]event.Kind{"listed again": event.Asked, "named": event.Named} {
		play(t, func(c *bridge.Config) { c.Rules = crew(t, rules) }, func(w *world) {
			id := w.agent.askLeave("ses_1", "make")
			w.wait(time.Second)
			if v := w.shows(id, question.PhaseAsking, ""); v.Needs != 1 {
				t.Errorf("%s: it needs %d at first", name, v.Needs)
			}
			place := session.Place{Root: "ses_1", Title: "night shift"}
			w.bridge.Event(event.Event{Kind: tell, Origin: w.agent.origin(), Asks: []event.Ask{{Request: w.agent.requests[id].request, Place: place}}})
			w.wait(time.Second)
			if v := w.shows(id, question.PhaseAsking, ""); v.Needs != 2 {
				t.Errorf("%s: the card says that it needs %d", name, v.Needs)
			}
			w.press(adaChat, ada, id, once)
			w.wait(5 * time.Second)
			w.decided(id, "")
		})
	}
}

// What was decided was decided by the rule of then, whatever comes meanwhile.
func TestAccess_RuleOfADecisionStays(t *testing.T) {
	play(t, func(c *bridge.Config) { c.Rules = crew(t, needing(2)) }, func(w *world) {
		id := w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		w.press(adaChat, ada, id, once)
		w.agent.down()
		w.wait(time.Second)
		w.press(adaChat, bob, id, once)
		w.wait(time.Second)
		if err := w.bridge.SetRules(w.context(), crew(t, "\n[[rule]]\nname = \"none\"\nroles = \"ops\"\n")); err != nil {
			t.Fatal(err)
		}
		w.wait(time.Second)
		w.agent.comeBack(false)
		w.wait(5 * time.Second)
		w.decided(id, question.Once)
		w.journalOf(id, func(e storage.Entry) {
			if e.Rule != "commands" {
				t.Errorf("%s is recorded by the rule %q", e.Kind, e.Rule)
			}
		})
		if v := w.shows(id, question.PhaseEnded, question.OutcomeAnswered); len(v.Deciders()) != 2 || v.Needs != 2 {
			t.Errorf("decided by %+v of %d", v.Deciders(), v.Needs)
		}
	})
}
