package bridge_test

import (
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// What a rule is found by may be known late: as long as it is not, the rule counts, and the card says what it needs.
func TestAccess_RuleThatFitsLate(t *testing.T) {
	const rules = "\n[[rule]]\nname = \"night\"\npermission = \"bash\"\nsession = \"night shift\"\napprovals = 2\n"
	for title, needs := range map[string]int{"night shift": 2, "day shift": 1} {
		for name, tell := range map[string]event.Kind{"listed again": event.Asked, "named": event.Named} {
			play(t, func(c *bridge.Config) { c.Rules = crew(t, rules) }, func(w *world) {
				id := w.agent.askLeave("ses_1", "make")
				w.wait(1500 * time.Millisecond)
				if v := w.shows(id, question.PhaseAsking, ""); v.Needs != 2 {
					t.Errorf("%s: it needs %d at first", name, v.Needs)
				}
				place := session.Place{Root: "ses_1", Title: title}
				w.bridge.Event(event.Event{Kind: tell, Origin: w.agent.origin(), Asks: []event.Ask{{Request: w.agent.requests[id].request, Place: place}}})
				w.wait(time.Second)
				if v := w.shows(id, question.PhaseAsking, ""); v.Needs != needs {
					t.Errorf("%s in the %s: the card says that it needs %d", name, title, v.Needs)
				}
				w.press(adaChat, ada, id, once)
				w.wait(5 * time.Second)
				w.decided(id, map[int]string{1: question.Once}[needs])
			})
		}
	}
}

// An ask waits a moment for what rules look at, and goes to the chats of the rule that fits then.
func TestAccess_ChatsOfTheRuleThatFitsLate(t *testing.T) {
	const rules = "\n[[rule]]\nname = \"night\"\nsession = \"night shift\"\nchats = 2\n[[rule]]\nname = \"rest\"\nchats = 1\n"
	for title, told := range map[string]chat.ID{"night shift": bobChat, "day shift": adaChat} {
		play(t, func(c *bridge.Config) { c.Rules = crew(t, rules) }, func(w *world) {
			id := w.agent.askLeave("ses_1", "make")
			w.wait(500 * time.Millisecond)
			place := session.Place{Root: "ses_1", Title: title}
			w.bridge.Event(event.Event{Kind: event.Named, Origin: w.agent.origin(), Asks: []event.Ask{{Request: w.agent.requests[id].request, Place: place}}})
			w.wait(2 * time.Second)
			for _, c := range []chat.ID{adaChat, bobChat} {
				if _, _, ok := w.chat.find(c, id); ok != (c == told) {
					t.Errorf("%s: chat %d has it: %v", title, c, ok)
				}
			}
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
		w.pressAndWait(adaChat, bob, id, once)
		must(t, w.bridge.SetRules(w.t.Context(), crew(t, "\n[[rule]]\nname = \"none\"\nroles = \"ops\"\n")))
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
