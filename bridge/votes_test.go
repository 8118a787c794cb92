package bridge_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
)

const cleo = chat.UserID(15)

// crew are Ada, Bob and Cleo, each with a role of their own, and Dana without one. The
// ask is shown in Ada's chat.
func crew(t *testing.T, rules string) *policy.Ruleset {
	t.Helper()
	return team(t, "\n[[person]]\nid = 15\nname = \"Cleo\"\nroles = [\"ops\"]\n"+rules).WithDefault(policy.Target{Chat: adaChat})
}

func rolesOf(roles []string) string { return `["` + strings.Join(roles, `", "`) + `"]` }

var everybody = []string{"lead", "dev", "ops"}

// needing is the rule that commands need so many approvals, of people with these roles.
func needing(n int, roles ...string) string {
	if len(roles) == 0 {
		roles = everybody
	}
	return fmt.Sprintf("\n[[rule]]\nname = \"commands\"\npermission = \"bash\"\nroles = %s\napprovals = %d\n", rolesOf(roles), n)
}

// poll is an ask that several people must approve, told in steps:
//
//	ada once · ada always · ada rejects    taps; always is confirmed at once
//	needs 2 · needs 2 lead dev             the rules are exchanged: so many, of these roles
//	restart · needs 1 at restart           hermes ends and starts again
//	again                                  the session asks for the same once more
//	a program allows · a program rejects
//	30m                                    time passes
type poll struct {
	*world
	t   *testing.T
	id  question.RequestID
	now string // the rules
}

func (p *poll) step(words string) {
	fields := strings.Fields(words)
	people := map[string]chat.UserID{"ada": ada, "bob": bob, "cleo": cleo, "dana": dana}
	switch {
	case people[fields[0]] != 0:
		p.tap(people[fields[0]], fields[1])
	case fields[0] == "needs":
		p.exchange(fields[1:])
	case fields[0] == "again":
		p.agent.askLeave("ses_1", "make")
	case fields[0] == "restart":
		p.restart()
	case fields[0] == "a":
		p.program(fields[2])
	default:
		d, err := time.ParseDuration(words)
		if err != nil {
			p.t.Fatal(err)
		}
		p.wait(d)
	}
	p.wait(3 * time.Second)
}

func (p *poll) exchange(words []string) {
	var n int
	_, _ = fmt.Sscan(words[0], &n)
	roles := words[1:]
	if len(roles) > 0 && roles[0] == "at" {
		p.now = needing(n)
		p.restart()
		return
	}
	p.now = needing(n, roles...)
	if err := p.bridge.SetRules(p.t.Context(), crew(p.t, p.now)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *poll) tap(user chat.UserID, what string) {
	switch what {
	case "once":
		p.press(adaChat, user, p.id, once)
	case "rejects":
		p.press(adaChat, user, p.id, question.WizardInput{Action: question.Dismiss})
	case "always":
		p.press(adaChat, user, p.id, question.WizardInput{Action: question.Pick, Option: question.PickAlways})
		p.wait(time.Second)
		p.press(adaChat, user, p.id, question.WizardInput{Action: question.Send})
	}
}

func (p *poll) program(what string) {
	answers := question.Answers{{question.Once}}
	if what == "rejects" {
		answers = nil
	}
	err := p.bridge.Answer(p.t.Context(), p.ask().ID, answers)
	if !errors.Is(err, bridge.ErrChat) {
		p.t.Errorf("a program %s: %v", what, err)
	}
}

// ask is the thread.
func (p *poll) ask() question.Thread { return p.thread(p.id) }

// picture is what Ada's chat shows of it: "2 of 3 Ada, Bob", or how it ended.
func (p *poll) picture() string {
	_, v, _ := p.chat.find(adaChat, p.id)
	var names []string
	if v.Outcome == nil {
		for _, vote := range v.Votes {
			names = append(names, vote.By.Name)
		}
		return strings.TrimSpace(fmt.Sprintf("%d of %d %s", len(v.Votes), v.Needs, strings.Join(names, ", ")))
	}
	for _, by := range v.Deciders() {
		names = append(names, by.Name)
	}
	word := string(v.Outcome.By.Kind)
	if len(v.Outcome.Answers) > 0 {
		word = v.Outcome.Answers[0][0]
	} else if v.Outcome.By.Kind == question.Person {
		word = string(v.Outcome.Kind)
	}
	return strings.TrimSpace(word + " " + strings.Join(names, ", "))
}

func TestVotes_All(t *testing.T) {
	for _, c := range []struct{ steps, sent, shows, alert string }{
		{"ada once", "", "1 of 2 Ada", ""},
		{"ada once, bob once", "once", "once Ada, Bob", ""},
		{"ada once, ada once", "", "1 of 2 Ada", "voted"},
		{"ada once, restart, ada once", "", "1 of 2 Ada", "voted"},
		{"ada once, restart, bob once", "once", "once Ada, Bob", ""},
		{"ada once, dana once", "", "1 of 2 Ada", "no-role"},
		{"ada always, bob always", "always", "always Ada, Bob", ""},
		{"ada always, bob once", "once", "once Ada, Bob", ""},
		{"ada once, bob always", "once", "once Ada, Bob", ""},
		{"ada once, bob rejects", "reject", "dismissed Bob", ""},
		{"ada once, ada rejects", "reject", "dismissed Ada", ""},
		{"bob rejects, ada once", "reject", "dismissed Bob", "ended"},
		{"ada once, 31m", "reject", "deadline", ""},
		{"ada once, a program allows", "", "1 of 2 Ada", ""},
		{"ada once, a program rejects", "", "1 of 2 Ada", ""},
		{"needs 3, ada once, bob once", "", "2 of 3 Ada, Bob", ""},
		{"needs 3, ada once, bob once, ada once", "", "2 of 3 Ada, Bob", "voted"},
		{"needs 3, ada once, bob once, cleo once", "once", "once Ada, Bob, Cleo", ""},
		{"needs 3, ada always, bob once, cleo always", "once", "once Ada, Bob, Cleo", ""},

		// A right that is taken away takes the approval along, at once and for all to see.
		{"ada once, needs 2 dev ops", "", "0 of 2", ""},
		{"ada once, needs 2 dev ops, bob once", "", "1 of 2 Bob", ""},
		{"ada once, needs 2 dev ops, bob once, ada once", "", "1 of 2 Bob", "wrong-role"},
		{"ada once, needs 2 dev ops, bob once, cleo once", "once", "once Bob, Cleo", ""},
		{"ada once, needs 2 dev ops, needs 2, ada once", "", "1 of 2 Ada", ""},

		// Rules that ask for less decide nothing by themselves: the next tap does.
		{"ada once, needs 1", "", "1 of 1 Ada", ""},
		{"ada once, needs 1, ada once", "once", "once Ada", ""},
		{"ada once, needs 1, bob once", "once", "once Ada, Bob", ""},
		{"ada once, needs 1, bob always", "once", "once Ada, Bob", ""},
		{"ada once, needs 1, ada always", "always", "always Ada", ""},
		{"ada once, needs 1, bob rejects", "reject", "dismissed Bob", ""},
		{"ada once, needs 1, 31m", "reject", "deadline", ""},
		{"ada once, needs 1, a program allows", "", "1 of 1 Ada", ""}, // a rule of roles is for people
		{"needs 3, ada once, bob once, needs 2", "", "2 of 2 Ada, Bob", ""},
		{"needs 3, ada once, bob once, needs 2, bob once", "once", "once Ada, Bob", ""},
		{"needs 3, ada once, bob once, needs 2, cleo once", "once", "once Ada, Bob, Cleo", ""},
		{"needs 3, ada once, bob once, needs 1, cleo once", "once", "once Ada, Bob, Cleo", ""},
		{"ada once, needs 1 at restart", "", "1 of 1 Ada", ""},
		{"ada once, needs 1 at restart, ada once", "once", "once Ada", ""},

		// Rules that ask for more leave what was given.
		{"needs 1, needs 2, ada once", "", "1 of 2 Ada", ""},
		{"ada once, needs 3, bob once", "", "2 of 3 Ada, Bob", ""},
		{"needs 1, needs 3 at restart", "", "0 of 3", ""},

		// What was approved stays apart from what is asked later.
		{"ada once, again, bob once", "once", "once Ada, Bob", ""},
	} {
		t.Run(c.steps, func(t *testing.T) {
			p := &poll{now: needing(2), t: t}
			play(t, func(b *bridge.Config) { b.Rules = crew(p.t, p.now) }, func(w *world) {
				p.world, p.t = w, w.t
				p.id = w.agent.askLeave("ses_1", "make")
				w.wait(time.Second)
				for step := range strings.SplitSeq(c.steps, ", ") {
					p.step(step)
				}
				w.wait(5 * time.Second)
				w.decided(p.id, c.sent)
				if got := p.picture(); got != c.shows {
					w.t.Errorf("the card says %q, want %q", got, c.shows)
				}
				if c.alert != "" && string(w.lastRefusal()) != c.alert {
					w.t.Errorf("the last tap was met with %q, want %q", w.lastRefusal(), c.alert)
				}
				p.judgeJournal(c.sent)
			})
		})
	}
}

// judgeJournal: whoever approved is on record, and no allowance has too few of them.
func (p *poll) judgeJournal(sent string) {
	given := map[chat.UserID]bool{}
	p.journalOf(p.id, func(e storage.Entry) {
		switch {
		case e.Kind == storage.EntryApproved:
			given[e.By.User] = true
		case e.Kind == storage.EntryLapsed:
			delete(given, e.By.User)
		case e.Kind == storage.EntryAnswered && e.Answers != nil && e.By.Kind == question.Person:
			given[e.By.User] = true
			if n := p.ask().Needs; len(given) < n {
				p.t.Errorf("%d approvals are on record, %d are needed", len(given), n)
			}
		}
	})
	if (sent == question.Once || sent == question.Always) && len(given) == 0 {
		p.t.Error("nobody is on record")
	}
}

func (w *world) journalOf(id question.RequestID, each func(storage.Entry)) {
	w.t.Helper()
	err := w.store.Journal(0, func(l pending.Line) error {
		if l.Entry.Request == id {
			each(l.Entry)
		}
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
}

// Three equal asks are one card, and both approvals are for all of them.
func TestVotes_ForEqualAsks(t *testing.T) {
	play(t, func(c *bridge.Config) { c.Rules = crew(t, needing(2)) }, func(w *world) {
		first := w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		second := w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		w.pressAndWait(adaChat, ada, first, once)
		third := w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		if v := w.shows(first, question.PhaseAsking, ""); v.Count != 2 || len(v.Votes) != 1 {
			t.Errorf("the card with an approval speaks of %d asks, %d approvals", v.Count, len(v.Votes))
		}
		w.press(adaChat, bob, first, once)
		w.wait(5 * time.Second)
		w.decided(first, question.Once)
		w.decided(second, question.Once)
		w.decided(third, "")
		if v := w.thread(second).View(); len(v.Deciders()) != 2 {
			t.Errorf("the second is said to be decided by %+v", v.Deciders())
		}
	})
}

// Ada approved both of two equal asks; one of them ended at OpenCode. Her approval of
// the other stays.
func TestVotes_OutliveTheFirstOfEqualAsks(t *testing.T) {
	for _, killed := range []bool{false, true} {
		play(t, func(c *bridge.Config) { c.Rules = crew(t, needing(2)) }, func(w *world) {
			first := w.agent.askLeave("ses_1", "make")
			w.wait(time.Second)
			second := w.agent.askLeave("ses_1", "make")
			w.wait(time.Second)
			w.pressAndWait(adaChat, ada, first, once)
			if killed {
				w.kill()
				w.agent.decideQuietly(first, question.Once)
				w.start()
			} else {
				w.agent.atScreen(first, question.Once)
			}
			w.wait(time.Minute)
			if v := w.shows(second, question.PhaseAsking, ""); len(v.Votes) != 1 || v.Votes[0].By.Name != "Ada" {
				t.Fatalf("the card of the other says %+v", v.Votes)
			}
			w.press(adaChat, bob, second, once)
			w.wait(5 * time.Second)
			w.decided(second, question.Once)
		})
	}
}

// Cleo's always for one ask settles another one, that two had approved: they are not
// named for hers.
func TestVotes_VotersAreNotNamedForAnother(t *testing.T) {
	play(t, func(c *bridge.Config) { c.Rules = crew(t, needing(3)) }, func(w *world) {
		one := w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		w.press(adaChat, ada, one, once)
		w.pressAndWait(adaChat, bob, one, once)
		other := w.agent.askLeave("ses_1", "make")
		w.wait(time.Second)
		w.press(adaChat, cleo, other, question.WizardInput{Action: question.Dismiss})
		w.wait(10 * time.Second)
		v := w.shows(one, question.PhaseEnded, question.OutcomeDismissed)
		if by := v.Deciders(); len(by) != 1 || by[0].User == ada || by[0].User == bob {
			t.Errorf("named are %+v", by)
		}
	})
}
