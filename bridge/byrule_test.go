package bridge_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending"
	"hermes/telegram/ui"
)

// playRules is play with the team's people and one rule for questions.
func playRules(t *testing.T, says string, story func(*world)) {
	t.Helper()
	rules := team(t, "\n[[rule]]\nname = \"databases\"\nheader = \"database\"\n"+says)
	play(t, func(c *bridge.Config) { c.Rules = rules.WithDefault(policy.Target{Chat: adaChat}) }, story)
}

func (w *world) follow(rules string) {
	w.t.Helper()
	must(w.t, w.bridge.SetRules(w.t.Context(), team(w.t, rules).WithDefault(policy.Target{Chat: adaChat})))
}

// entries are the journal's lines of some kinds, each as kind, who and rule.
func (w *world) entries(kinds ...storage.EntryKind) string {
	w.t.Helper()
	var lines []string
	err := w.store.Journal(1, func(l pending.Line) error {
		if e := l.Entry; slices.Contains(kinds, e.Kind) {
			lines = append(lines, strings.TrimSpace(string(e.Kind)+" "+string(e.By.Kind)+" "+e.Rule))
		}
		return nil
	})
	must(w.t, err)
	return strings.Join(lines, ", ")
}

// finished fails the test unless this became of a request at the agent.
func (w *world) finished(id question.RequestID, want event.FindingKind) {
	w.t.Helper()
	w.agent.mu.Lock()
	defer w.agent.mu.Unlock()
	if got := w.agent.requests[id].found; got != want {
		w.t.Errorf("%s is %s, want %s", id, got, want)
	}
}

const answeredByRule = "answered rule databases, confirmed rule databases"

// decisive are the entries that say what was decided. The proof of a delivery may come
// before the word that it was taken, which is not recorded then.
var decisive = []storage.EntryKind{
	storage.EntryAnswered, storage.EntryConfirmed, storage.EntryElsewhere, storage.EntryExpired, storage.EntryUndone,
}

// Without notify, no chat ever hears of it; the journal does.
func TestByRule_AnswersQuietly(t *testing.T) {
	for says, want := range map[string]question.Answers{
		`decide = "reject"`:                                    nil,
		`decide = "accept-first"`:                              {{"SQLite"}},
		"decide = \"accept-first\"\nprefer_recommended = true": {{"PostgreSQL (Recommended)"}},
		"decide = \"auto\"\nanswers = [{ number = 1, answer = { text = \"Files\" } }]":  {{"Files"}},
		"decide = \"auto\"\nanswers = [{ header = \"data\", answer = \"postgresql\" }]": {{"PostgreSQL (Recommended)"}},
	} {
		playRules(t, says, func(w *world) {
			id := w.agent.ask(oneItem())
			w.wait(5 * time.Second)
			if want == nil {
				w.finished(id, event.FoundDismissed)
			} else {
				w.got(id, want)
			}
			if _, _, shown := w.chat.find(adaChat, id); shown || len(w.chat.notes) > 0 {
				t.Errorf("%s: a chat was told", says)
			}
			if got := w.entries(decisive...); got != answeredByRule {
				t.Errorf("%s: the journal has %s", says, got)
			}
			if threads, err := w.store.Threads(); err != nil || len(threads) != 0 {
				t.Errorf("%s: %d threads are not let go of, %v", says, len(threads), err)
			}
		})
	}
}

// With notify, the chat is told once, at the end, and by whom it was.
func TestByRule_TellsTheChat(t *testing.T) {
	playRules(t, "decide = \"accept-first\"\nnotify = true", func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"SQLite"}})
		v := w.shows(id, question.PhaseEnded, question.OutcomeAnswered)
		if v.Outcome.By != (question.Actor{Kind: question.RuleActor, Name: "databases"}) || v.Undoable {
			t.Errorf("it says %+v, undoable %v", v.Outcome, v.Undoable)
		}
		if w.chat.last != 1 || len(w.chat.notes) > 0 {
			t.Errorf("%d messages, want one", w.chat.last)
		}
		w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Undo})
		if got := w.lastAlert(); got != told(ui.HowItStands(v)) {
			t.Errorf("a forged Undo got %q", got)
		}
	})
}

// What is decided stays, whatever the rules say later, and the journal goes on to name
// the rule that decided.
func TestByRule_ReloadChangesNoDecision(t *testing.T) {
	playRules(t, "decide = \"accept-first\"\nnotify = true", func(w *world) {
		w.setFault(failing("look"))
		id := w.agent.ask(oneItem())
		w.wait(5 * time.Second)
		w.follow("\n[[rule]]\nname = \"other\"\nask = \"question\"\ndecide = \"reject\"\n")
		w.wait(time.Second)
		w.restart()
		w.setFault(func(string) fate { return fine })
		w.wait(time.Minute)
		w.got(id, question.Answers{{"SQLite"}})
		if got := w.entries(decisive...); got != answeredByRule {
			t.Errorf("the journal has %s", got)
		}
	})
}

// failing makes every operation of this name fail, without an effect.
func failing(op string) func(string) fate { return meets(op, fate{err: errFault}) }

// meets gives every operation of this name a fate.
func meets(op string, f fate) func(string) fate {
	return func(name string) fate {
		if name == op {
			return f
		}
		return fine
	}
}

// A decision that was not sent is taken back by whoever may answer, and people are asked.
func TestByRule_Undo(t *testing.T) {
	playRules(t, "decide = \"accept-first\"\nnotify = true\ntimeout = \"10m\"\non_timeout = \"wait\"\nroles = \"lead\"\nchats = [1, 2]", func(w *world) {
		w.setFault(failing("look"))
		id := w.askOne()
		w.agent.down()
		w.wait(5 * time.Second)
		w.setFault(func(string) fate { return fine })
		if v := w.shows(id, question.PhaseWaiting, ""); !v.Undoable {
			t.Fatal("it cannot be taken back")
		}
		w.pressAndWait(bobChat, bob, id, question.WizardInput{Action: question.Undo})
		if got := w.lastRefusal(); got != storage.RefusedWrongRole {
			t.Errorf("Bob has not the role, and got %q", got)
		}
		w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Undo})
		v := w.shows(id, question.PhaseAsking, "")
		if v.Decision != nil || v.TTL != 10*time.Minute || v.Deadline.IsZero() {
			t.Errorf("people are asked %+v", v)
		}
		w.restart()
		w.agent.comeBack(false)
		w.wait(time.Minute)
		w.shows(id, question.PhaseAsking, "")
		w.answersWith(adaChat, ada, id, 1, "PostgreSQL (Recommended)")
		want := "answered rule databases, undone person databases, answered person databases, confirmed person databases"
		if got := w.entries(decisive...); got != want {
			t.Errorf("the journal has %s", got)
		}
	})
}

// What is taken back is asked as the rules have it by then.
func TestByRule_UndoUnderOtherRules(t *testing.T) {
	playRules(t, "decide = \"accept-first\"\nnotify = true", func(w *world) {
		w.setFault(failing("look"))
		id := w.askOne()
		w.agent.down()
		w.wait(5 * time.Second)
		w.setFault(func(string) fate { return fine })
		w.follow("\n[[rule]]\nname = \"others\"\nheader = \"database\"\nclaim = \"10m\"\n")
		w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Undo})
		if !w.shows(id, question.PhaseAsking, "").Claimable {
			t.Error("nobody can claim it")
		}
	})
}

// What may have been sent is not taken back: the tap says that it is on its way.
func TestByRule_UndoTooLate(t *testing.T) {
	playRules(t, "decide = \"accept-first\"\nnotify = true", func(w *world) {
		w.setFault(failing("deliver"))
		id := w.agent.ask(oneItem())
		w.wait(3 * time.Second)
		w.agent.down()
		w.wait(5 * time.Second)
		if v := w.shows(id, question.PhaseWaiting, ""); v.Undoable {
			t.Error("the view has Undo")
		}
		w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Undo})
		if got := w.lastAlert(); w.lastRefusal() != storage.RefusedDecided || got != told(ui.HowItStands(w.thread(id).View())) {
			t.Errorf("it got %q", got)
		}
		w.setFault(func(string) fate { return fine })
		w.agent.comeBack(false)
		w.wait(time.Minute)
		w.got(id, question.Answers{{"SQLite"}})
	})
}

// A rule decides as soon as all that rules look at is known, and not before.
func TestByRule_WaitsUntilAllIsKnown(t *testing.T) {
	const rules = "\n[[rule]]\nname = \"subagents\"\nsubagent = true\nask = \"question\"\n[[rule]]\nname = \"databases\"\nask = \"question\"\ndecide = \"accept-first\"\n"
	for _, c := range []struct {
		place session.Place
		begun bool // a person has begun to answer by then
		want  string
	}{
		{session.Place{Root: "ses_que_b"}, false, answeredByRule},
		{session.Place{Root: "ses_root"}, false, ""},
		{session.Place{Root: "ses_que_b"}, true, ""},
	} {
		alter := func(c *bridge.Config) { c.Rules = team(t, rules).WithDefault(policy.Target{Chat: adaChat}) }
		play(t, alter, func(w *world) {
			id := w.agent.ask(oneItem())
			w.wait(3 * time.Second)
			w.shows(id, question.PhaseAsking, "")
			if c.begun {
				w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Type, On: true})
			}
			w.restart()
			w.wait(time.Second)
			w.agent.event(event.Event{Kind: event.Named, Asks: []event.Ask{{Request: w.agent.requests[id].request, Place: c.place}}})
			w.wait(5 * time.Second)
			if got := w.entries(decisive...); got != c.want {
				t.Errorf("%+v: the journal has %s", c, got)
			}
			if c.want == "" {
				w.shows(id, question.PhaseAsking, "")
			}
		})
	}
}

// A call that was seen before its request is there is decided when it is, and nobody
// is asked meanwhile.
func TestByRule_CapturedCallIsDecided(t *testing.T) {
	playRules(t, `decide = "accept-first"`, func(w *world) {
		w.setFault(failing("event"))
		id := w.askOne()
		w.setFault(func(string) fate { return fine })
		r := w.agent.requests[id].request
		r.ID, r.Message = "", ""
		w.agent.event(event.Event{Kind: event.Captured, Asks: []event.Ask{{Request: r}}})
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"SQLite"}})
		if got := w.entries(decisive...); got != answeredByRule || w.chat.last != 0 {
			t.Errorf("the journal has %s, and there are %d messages", got, w.chat.last)
		}
	})
}

// What the rules say of a call is what they say of the request that it turned out to be.
func TestByRule_CapturedCallIsRuledByItsRequest(t *testing.T) {
	playRules(t, `claim = "10m"`, func(w *world) {
		w.setFault(failing("event"))
		id := w.askOne()
		w.setFault(func(string) fate { return fine })
		r := w.agent.requests[id].request
		r.ID, r.Message, r.Items = "", "", []question.Item{{Header: "Store", Text: "Which?"}}
		w.agent.event(event.Event{Kind: event.Captured, Asks: []event.Ask{{Request: r}}})
		w.wait(5 * time.Second)
		if !w.shows(id, question.PhaseAsking, "").Claimable {
			t.Error("nobody can claim it")
		}
		w.answersWith(adaChat, ada, id, 0, "SQLite")
	})
}

func TestByRule_Permissions(t *testing.T) {
	const rules = `
[[rule]]
name = "no"
permission = "bash"
pattern = "*rm *"
decide = "reject"
notify = true
`
	alter := func(c *bridge.Config) { c.Rules = team(t, rules).WithDefault(policy.Target{Chat: adaChat}) }
	play(t, alter, func(w *world) {
		no, people := w.agent.askLeave("ses_b", "rm -rf /"), w.agent.askLeave("ses_c", "make")
		w.wait(10 * time.Second)
		for id, want := range map[question.RequestID]string{no: "reject", people: ""} {
			var got []string
			w.agent.mu.Lock()
			for _, s := range w.agent.requests[id].leave.sent {
				got = append(got, s.reply)
			}
			w.agent.mu.Unlock()
			if strings.Join(got, " ") != want {
				t.Errorf("%s was told %q, want %q", id, got, want)
			}
		}
		w.shows(people, question.PhaseAsking, "")
		if v := w.shows(no, question.PhaseEnded, question.OutcomeDismissed); v.Outcome.By.Name != "no" {
			t.Errorf("it says %+v", v.Outcome)
		}
	})
}

// The deadline is the rule's, is kept over a restart and a reload, and does what the
// rule says.
func TestDeadlines_OfARule(t *testing.T) {
	for says, want := range map[string]string{
		`on_timeout = "accept-first"`:                              "SQLite",
		"on_timeout = \"accept-first\"\nprefer_recommended = true": "PostgreSQL (Recommended)",
		`on_timeout = "reject"`:                                    "dismissed",
		`on_timeout = "wait"`:                                      "open",
		"":                                                         "dismissed", // as configured
	} {
		playRules(t, "timeout = \"10m\"\nremind = [\"1m\", \"3m\"]\n"+says, func(w *world) {
			id := w.agent.ask(oneItem())
			w.wait(2 * time.Minute)
			w.follow("\n[[rule]]\nname = \"other\"\nask = \"question\"\ntimeout = \"1h\"\non_timeout = \"wait\"\n")
			w.restart()
			w.wait(7 * time.Minute)
			w.shows(id, question.PhaseAsking, "")
			if n := len(w.chat.notes); n != 2 {
				t.Errorf("%s: %d reminders, want 2", says, n)
			}
			w.wait(2 * time.Minute)
			w.agent.mu.Lock()
			r := w.agent.requests[id]
			got := string(r.found)
			if len(r.answers) > 0 {
				got = r.answers[0][0]
			}
			w.agent.mu.Unlock()
			if _, v, _ := w.chat.find(adaChat, id); v.Outcome != nil && v.Outcome.By.Kind != question.Deadline || v.Outcome == nil && !v.Expired {
				t.Errorf("%s: it says %+v, expired: %v", says, v.Outcome, v.Expired)
			}
			if got != want {
				t.Errorf("%s: got %s, want %s", says, got, want)
			}
		})
	}
}

// Nothing makes a question stale because a person thinks: while OpenCode has it, it
// waits for days, also over restarts, if there is no deadline.
func TestDeadlines_QuestionWaitsForDays(t *testing.T) {
	play(t, func(c *bridge.Config) { c.TTL = 0 }, func(w *world) {
		id := w.agent.ask(oneItem())
		leave := w.agent.askLeave("ses_a", "make")
		for range 10 {
			w.wait(25 * time.Hour)
			w.restart()
			w.wait(time.Minute)
			w.shows(id, question.PhaseAsking, "")
			w.shows(leave, question.PhaseAsking, "")
		}
		w.answersWith(adaChat, ada, id, 1, "PostgreSQL (Recommended)")
	})
}
