package bridge_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// A rule says for what it fits how long decisions are held, whatever is configured.
func TestHolds_OfARule(t *testing.T) {
	for name, c := range map[string]struct {
		says string
		want time.Duration // how long it is held
	}{
		"as configured": {"", 10 * time.Second},
		"longer":        {"undo = \"1m\"", time.Minute},
		"not at all":    {"undo = \"0s\"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			rules := crew(t, "\n[[rule]]\nname = \"databases\"\nheader = \"database\"\n"+c.says)
			play(t, func(c *bridge.Config) { holding(c); c.Rules = rules }, func(w *world) {
				id := w.askOne()
				w.press(adaChat, ada, id, pickTwo)
				decided := time.Now()
				w.wait(2 * time.Minute)
				if sent := w.agent.requests[id].sentAt; len(sent) != 1 || sent[0].Sub(decided).Round(time.Second) != c.want {
					t.Errorf("sent at %v, decided at %v", sent, decided)
				}
			})
		})
	}
}

// What is held is not sent if by the rules at the end of the hold it would be no decision: it is asked again, and the card says why.
func TestHolds_OfWhoMayNoMore(t *testing.T) {
	for _, c := range []struct{ steps, sent, shows, undone string }{
		{"needs 1, bob once", "once", "once Bob", ""},
		{"needs 1, bob once, needs 1 lead ops", "", "0 of 1", "Bob"},
		{"needs 1, bob once, needs 1 lead ops, ada once", "", "0 of 1", "Bob"},
		{"needs 1, bob once, needs 1 lead ops, 20s, ada once", "once", "once Ada", "Bob"},
		{"needs 1, bob always, needs 1 lead ops", "", "0 of 1", "Bob"},
		{"needs 1, bob rejects, needs 1 lead ops", "", "0 of 1", "Bob"},
		{"needs 1, bob rejects, needs 2", "reject", "dismissed Bob", ""},
		{"needs 1, bob once, needs 1 lead ops, needs 1", "once", "once Bob", ""},
		{"needs 1, bob once, needs 2 at restart", "", "0 of 2", "Bob"},
		{"needs 1, bob once, needs 2", "", "0 of 2", "Bob"},
		{"ada once, bob once", "once", "once Ada, Bob", ""},
		{"ada once, bob once, needs 2 lead ops", "", "1 of 2 Ada", "Bob"},
		{"ada once, bob once, needs 2 lead ops, 20s, cleo once", "once", "once Ada, Cleo", "Bob"},
		{"ada once, bob once, needs 2 dev ops", "", "0 of 2", "Bob"},
		{"ada once, bob once, needs 3", "", "1 of 3 Ada", "Bob"},
		{"ada once, bob once, needs 1", "once", "once Ada, Bob", ""},
	} {
		t.Run(c.steps, func(t *testing.T) {
			p := &poll{now: needing(2), t: t}
			play(t, func(b *bridge.Config) { b.Rules, b.Undo = crew(p.t, p.now), 20*time.Second }, func(w *world) {
				p.world, p.t = w, w.t
				p.id = w.agent.askLeave("ses_1", "make")
				w.wait(time.Second)
				for step := range strings.SplitSeq(c.steps, ", ") {
					p.step(step)
				}
				w.wait(25 * time.Second)
				w.decided(p.id, c.sent)
				if got := p.picture(); got != c.shows {
					t.Errorf("the card says %q, want %q", got, c.shows)
				}
				w.wantLost(p.id, c.undone, c.sent == "")
			})
		})
	}
}

// The equal asks on one card are asked again together; so is a question.
func TestHolds_OfWhoMayNoMoreOnOneCard(t *testing.T) {
	const shop = "\n[[rule]]\nname = \"shop\"\nroles = "
	for name, ask := range map[string]func(w *world) []question.RequestID{
		"equal asks": func(w *world) []question.RequestID {
			return []question.RequestID{w.agent.askLeave("ses_1", "make"), w.agent.askLeave("ses_1", "make")}
		},
		"a question": func(w *world) []question.RequestID { return []question.RequestID{w.agent.ask(oneItem())} },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(b *bridge.Config) { holding(b); b.Rules = crew(t, shop+`["lead", "dev"]`) }, func(w *world) {
				ids := ask(w)
				w.wait(2 * time.Second)
				if w.thread(ids[0]).Leader != "" {
					slices.Reverse(ids)
				}
				w.press(adaChat, bob, ids[0], pickOne)
				w.wait(2 * time.Second)
				w.follow(shop + `["lead"]`)
				w.wait(20 * time.Second)
				for _, id := range ids {
					if r := w.agent.requests[id]; r.found != event.FoundOpen || r.replies > 0 {
						t.Errorf("%s is %s, with %d replies", id, r.found, r.replies)
					}
					w.wantLost(id, "Bob", id == ids[0])
				}
				w.press(adaChat, ada, ids[0], pickOne)
				w.wait(20 * time.Second)
				for _, id := range ids {
					if got := w.agent.requests[id].found; got != event.FoundAnswered {
						t.Errorf("%s is %s after Ada's tap", id, got)
					}
				}
			})
		})
	}
}

// wantLost fails the test unless the journal has whose decision of a request was not sent as the rights had changed, the card of
// an open one says so, and its chat was reminded.
func (w *world) wantLost(id question.RequestID, by string, open bool) {
	w.t.Helper()
	var undone []string
	reminded := 0
	w.journalOf(id, func(e storage.Entry) {
		switch {
		case e.Kind == storage.EntryUndone && e.Detail == "rights":
			undone = append(undone, e.By.Name)
		case e.Kind == storage.EntryReminded:
			reminded++
		}
	})
	if got := strings.Join(undone, ", "); got != by {
		w.t.Errorf("the journal has as not sent: %q, want %q", got, by)
	}
	if !open {
		return
	}
	_, v, _ := w.chat.find(adaChat, id)
	if want := (question.Notice{Kind: question.LostRight, Text: by}); !reflect.DeepEqual(v.Wizard.Notice, want) || reminded != 1 {
		w.t.Errorf("the card says %+v, and there were %d reminders", v.Wizard.Notice, reminded)
	}
}

// What a rule decides by itself is held only where it says so, on a card that can be heard.
func TestHolds_DecidedByARule(t *testing.T) {
	decides := "decide = \"auto\"\nanswers = [{ header = \"database\", answer = \"sqlite\" }]\nnotify = true\nundo = \"20s\""
	for name, c := range map[string]struct {
		then  func(w *world, id question.RequestID)
		found event.FindingKind
		by    string
	}{
		"sent":       {func(*world, question.RequestID) {}, event.FoundAnswered, "databases"},
		"taken back": {func(w *world, id question.RequestID) { w.press(adaChat, ada, id, tapUndo) }, event.FoundOpen, ""},
		"restarted":  {func(w *world, _ question.RequestID) { w.restart() }, event.FoundAnswered, "databases"},
	} {
		t.Run(name, func(t *testing.T) {
			playRules(t, decides, func(w *world) {
				id := w.askOne()
				if _, v, ok := w.chat.find(adaChat, id); !ok || v.Phase != question.PhaseHeld || !v.Undoable || len(w.chat.silent) != 1 || w.chat.silent[0] {
					t.Errorf("the card (%v) is %s, silent %v", ok, v.Phase, w.chat.silent)
				}
				c.then(w, id)
				w.wait(time.Minute)
				if got := w.agent.requests[id].found; got != c.found {
					t.Errorf("it is %s, want %s", got, c.found)
				}
				w.wantEnd(id, c.found, c.by)
			})
		})
	}
}

// HERMES_UNDO alone does not hold what a rule, a program or the deadline decides.
func TestHolds_OfPeopleAlone(t *testing.T) {
	for name, decide := range map[string]func(w *world, id question.RequestID){
		"a program": func(w *world, id question.RequestID) {
			_, v, _ := w.chat.find(adaChat, id)
			if err := w.bridge.Answer(w.t.Context(), v.Thread, question.Answers{{"SQLite"}}); err != nil {
				w.t.Error(err)
			}
		},
		"the deadline": func(w *world, _ question.RequestID) { w.wait(30 * time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, holding, func(w *world) {
				id := w.askOne()
				decide(w, id)
				w.wait(time.Second)
				if n := len(w.agent.requests[id].sentAt); n != 1 {
					t.Errorf("sent %d times", n)
				}
			})
		})
	}
}
