package bridge_test

import (
	"errors"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/storage"
)

const claims = "\n[[rule]]\nname = \"questions\"\nroles = [\"lead\", \"dev\"]\nclaim = \"10m\"\nchats = [-5, 1]\n"

func playClaims(t *testing.T, rules string, story func(*world, question.RequestID)) {
	t.Helper()
	play(t, func(c *bridge.Config) { c.Rules = crew(t, rules) }, func(w *world) {
		id := w.askOne()
		story(w, id)
	})
}

// claims taps Claim, or Release.
func (w *world) claims(user chat.UserID, id question.RequestID, on bool) {
	w.pressAndWait(teamChat, user, id, question.WizardInput{Action: question.Take, On: on})
}

// claimed fails the test unless the card says that this person is on it; empty: nobody.
func (w *world) claimed(id question.RequestID, who string) {
	w.t.Helper()
	got := ""
	if c := w.shows(id, question.PhaseAsking, "").Claim; c != nil {
		got = c.By.Name
	}
	if got != who {
		w.t.Errorf("%q is on it, want %q", got, who)
	}
}

func TestClaims_All(t *testing.T) {
	const exclusive = claims + "claim_exclusive = true\n"
	for name, c := range map[string]struct {
		rules string
		do    func(*world, question.RequestID)
		who   string
		alert storage.Refusal
	}{
		"claimed":            {claims, func(w *world, id question.RequestID) { w.claims(bob, id, true) }, "Bob", ""},
		"released":           {claims, func(w *world, id question.RequestID) { w.claims(bob, id, true); w.claims(bob, id, false) }, "", ""},
		"by no lead and dev": {claims, func(w *world, id question.RequestID) { w.claims(cleo, id, true) }, "", storage.RefusedWrongRole},
		"by no role":         {claims, func(w *world, id question.RequestID) { w.claims(dana, id, true) }, "", storage.RefusedNoRole},
		"by a stranger":      {claims, func(w *world, id question.RequestID) { w.claims(eve, id, true) }, "", storage.RefusedStranger},
		"by a second one":    {claims, func(w *world, id question.RequestID) { w.claims(bob, id, true); w.claims(ada, id, true) }, "Bob", storage.RefusedClaimed},
		"released by another": {claims, func(w *world, id question.RequestID) {
			w.claims(bob, id, true)
			w.claims(ada, id, false)
		}, "Bob", storage.RefusedClaimed},
		"released, and nobody was on it": {claims, func(w *world, id question.RequestID) { w.claims(ada, id, false) }, "", storage.RefusedStale},
		"where no rule has it": {"", func(w *world, id question.RequestID) {
			w.press(adaChat, ada, id, question.WizardInput{Action: question.Take, On: true})
		}, "", storage.RefusedStale},
		"just before it is over": {claims, func(w *world, id question.RequestID) { w.claims(bob, id, true); w.wait(9*time.Minute + 57*time.Second) }, "Bob", ""},
		"over":                   {claims, func(w *world, id question.RequestID) { w.claims(bob, id, true); w.wait(10 * time.Minute) }, "", ""},
		"renewed": {claims, func(w *world, id question.RequestID) {
			w.claims(bob, id, true)
			w.wait(8 * time.Minute)
			w.claims(bob, id, true)
			w.wait(8 * time.Minute)
		}, "Bob", ""},
		"kept over a restart": {claims, func(w *world, id question.RequestID) { w.claims(bob, id, true); w.restart(); w.wait(5 * time.Minute) }, "Bob", ""},
		"over at a restart": {claims, func(w *world, id question.RequestID) {
			w.claims(bob, id, true)
			w.kill()
			time.Sleep(11 * time.Minute)
			w.start()
			w.wait(time.Second)
		}, "", ""},
		"over after a restart": {claims, func(w *world, id question.RequestID) { w.claims(bob, id, true); w.restart(); w.wait(11 * time.Minute) }, "", ""},
		"of one who may no more": {exclusive, func(w *world, id question.RequestID) {
			w.claims(bob, id, true)
			w.swap("\n[[rule]]\nname = \"q\"\nroles = \"lead\"\nclaim = \"10m\"\nclaim_exclusive = true\n")
		}, "", ""},
		"where the rule has it no more": {exclusive, func(w *world, id question.RequestID) {
			w.claims(bob, id, true)
			w.swap("\n[[rule]]\nname = \"q\"\nroles = [\"lead\", \"dev\"]\n")
		}, "", ""},
		"where the rule still has it": {exclusive, func(w *world, id question.RequestID) { w.claims(bob, id, true); w.swap(claims) }, "Bob", ""},
	} {
		t.Run(name, func(t *testing.T) {
			playClaims(t, c.rules, func(w *world, id question.RequestID) {
				c.do(w, id)
				w.wait(time.Second)
				w.claimed(id, c.who)
				if c.alert != "" && w.lastRefusal() != c.alert {
					w.t.Errorf("met with %q, want %q", w.lastRefusal(), c.alert)
				}
			})
		})
	}
}

func (w *world) swap(rules string) {
	w.t.Helper()
	must(w.t, w.bridge.SetRules(w.t.Context(), crew(w.t, rules)))
}

// While it is claimed others may answer, unless the rule says that they may not: then
// neither their taps nor their texts count, nor a program's answer.
func TestClaims_AnswersWhileClaimed(t *testing.T) {
	for _, exclusive := range []bool{false, true} {
		rules := "\n[[rule]]\nname = \"questions\"\nclaim = \"10m\"\nchats = [-5, 1]\n"
		if exclusive {
			rules += "claim_exclusive = true\n"
		}
		for name, answer := range map[string]func(*world, question.RequestID){
			"a tap": func(w *world, id question.RequestID) { w.pick(teamChat, ada, id, 0) },
			"a text": func(w *world, id question.RequestID) {
				message, _, _ := w.chat.find(teamChat, id)
				w.say(teamChat, ada, message, "SQLite")
			},
			"a program": func(w *world, id question.RequestID) {
				err := w.bridge.Answer(w.t.Context(), w.thread(id).ID, question.Answers{{"SQLite"}})
				if refused := errors.Is(err, bridge.ErrPeople); refused != exclusive {
					w.t.Errorf("the program hears %v", err)
				}
			},
		} {
			playClaims(t, rules, func(w *world, id question.RequestID) {
				w.claims(bob, id, true)
				answer(w, id)
				w.wait(5 * time.Second)
				if ended := w.thread(id).Outcome != nil; ended == exclusive {
					t.Errorf("%s by another, exclusive %v: ended: %v", name, exclusive, ended)
				}
				if exclusive {
					w.answersWith(teamChat, bob, id, 1, "PostgreSQL (Recommended)")
				}
			})
		}
	}
}

// A claim ends with its ask, and a tap on its button says how that ended.
func TestClaims_OfWhatHasEnded(t *testing.T) {
	playClaims(t, claims, func(w *world, id question.RequestID) {
		w.claims(bob, id, true)
		w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
		w.wait(5 * time.Second)
		w.claims(ada, id, true)
		if got := w.lastRefusal(); got != storage.RefusedEnded {
			t.Errorf("a claim of what has ended is met with %+v", got)
		}
		w.wait(time.Hour)
		if v := w.shows(id, question.PhaseEnded, question.OutcomeAnswered); v.Outcome.By.Kind != question.OpenCode {
			t.Errorf("it ended by %+v", v.Outcome.By)
		}
		w.journalOf(id, func(e storage.Entry) {
			if e.Kind == storage.EntryReleased || e.Kind == storage.EntryElsewhere && e.Rule != "" {
				t.Errorf("released after the end, or decided by a rule: %+v", e)
			}
		})
	})
}
