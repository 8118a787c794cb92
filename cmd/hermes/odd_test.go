package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

func labelled(n int, label func(int) string) []opencode.Option {
	var all []opencode.Option
	for i := range n {
		all = append(all, opencode.Option{Label: label(i)})
	}
	return all
}

func TestThirtyOptions(t *testing.T) {
	play(t, nil, func(r *rig) {
		q := opencode.Question{
			Question: "Which one?", Header: "Many", Custom: new(false),
			Options: labelled(30, func(i int) string { return fmt.Sprintf("choice %02d %s", i+1, strings.Repeat("x", 190)) }),
		}
		_, call := r.ask(q)
		r.wait(5 * time.Second)
		shown := r.shown(ada)
		for _, o := range q.Options {
			if !strings.Contains(shown, flat(o.Label)) {
				t.Errorf("%s is not shown whole", o.Label)
			}
		}
		for pages := 0; ; pages++ {
			var next string
			for _, label := range r.last().Labels() {
				if strings.HasSuffix(label, "▶") {
					next = label
				}
			}
			if next == "" {
				break
			}
			if pages > 30 {
				t.Fatal("the pages do not end")
			}
			r.tap(next)
			r.wait(5 * time.Second)
		}
		r.tap("30.")
		r.wait(5 * time.Second)
		r.got(call, []string{q.Options[29].Label})
	})
}

func TestOddQuestions(t *testing.T) {
	same := opencode.Question{Question: "Which?", Header: "Same", Options: labelled(3, func(int) string { return "equal" })}
	blank := opencode.Question{Question: "", Header: "", Options: labelled(2, func(i int) string { return strings.Repeat(" ", i) })}
	bare := opencode.Question{Question: "What?", Header: "Bare", Custom: new(false)}
	long := opencode.Question{Question: strings.Repeat("a line of the question\n", 1000) + "THE END", Header: strings.Repeat("Long ", 100), Options: database().Options}
	for name, c := range map[string]struct {
		ask  opencode.Question
		tap  string
		say  string
		want string
	}{
		"equal labels":              {same, "2.", "", "equal"},
		"equal labels, typed":       {same, "", "equal", "equal"},
		"blank labels":              {blank, "2.", "", " "},
		"no options, none of yours": {bare, "", "anything", "anything"},
		"a thousand lines":          {long, "2.", "", "PostgreSQL (Recommended)"},
		"a thousand lines, typed":   {long, "", "SQLite", "SQLite"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				_, call := r.ask(c.ask)
				r.wait(20 * time.Second)
				if shown := r.shown(ada); !strings.Contains(shown, flat(c.ask.Question)) {
					t.Errorf("the question is not shown whole:\n%.300s", shown)
				}
				if c.tap != "" {
					r.tap(c.tap)
				} else {
					r.say(c.say, r.last().ID)
				}
				r.wait(20 * time.Second)
				r.got(call, []string{c.want})
				if len(r.last().Rows) != 0 {
					t.Errorf("buttons are left:\n%s", r.telegram.Transcript(ada))
				}
			})
		})
	}
}

// A request without questions can only be dismissed.
func TestNoQuestions(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask()
		r.tap("🚫 Dismiss")
		r.wait(2 * time.Second)
		r.screen("🚫", "Dismissed by Ada")
		if text, ok := r.opencode.Output(call); !ok || !strings.Contains(text, "dismissed") {
			t.Errorf("the agent read %q, %v", text, ok)
		}
	})
}

// Telegram is away for an hour: the taps of that time are lost, and every open
// card says so. Texts wait, and count.
func TestTelegramIsAwayForAnHour(t *testing.T) {
	play(t, func(c *config) { c.QuestionTTL = 0 }, func(r *rig) {
		_, first := r.ask(database())
		one := r.last()
		_, second := r.ask(projectName())
		two := r.last()
		r.wait(5 * time.Second)
		r.telegram.SetFault(func(telegram.Call) telegram.Fault { return telegram.Fault{Kind: telegram.Unreachable} })
		r.wait(time.Minute) // the poll under way ends
		if _, err := r.telegram.Tap(ada, ada, one.ID, "1."); err != nil {
			t.Fatal(err)
		}
		r.wait(30 * time.Minute)
		r.say("The Bridge", two.ID)
		r.wait(30 * time.Minute)
		r.unanswered(first)
		r.telegram.SetFault(nil)
		r.wait(2 * time.Minute)
		r.got(second, []string{"The Bridge"})
		r.unanswered(first)
		for _, m := range r.telegram.Messages(ada) {
			if m.ID == one.ID && !strings.Contains(m.Text, "I was offline for 1 h") {
				t.Errorf("the open card says:\n%s", m.Text)
			}
		}
		if _, err := r.telegram.Tap(ada, ada, one.ID, "2."); err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		r.got(first, []string{"PostgreSQL (Recommended)"})
	})
}

// The same when it was hermes that was away.
func TestHermesIsAwayForAnHour(t *testing.T) {
	play(t, func(c *config) { c.QuestionTTL = 0 }, func(r *rig) {
		_, call := r.ask(database())
		r.halt()
		if _, err := r.telegram.Tap(ada, ada, r.last().ID, "1."); err != nil {
			t.Fatal(err)
		}
		r.wait(time.Hour)
		r.start()
		r.wait(time.Minute)
		r.unanswered(call)
		r.screen("I was offline for 1 h")
		r.tap("2.")
		r.wait(2 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"})
	})
}

func TestFlood(t *testing.T) {
	play(t, nil, func(r *rig) {
		wait := telegram.Fault{Kind: telegram.Refuse, RetryAfter: 20}
		r.telegram.FailNext("sendMessage", wait)
		began := time.Now()
		_, call := r.ask(database())
		r.wait(30 * time.Second)
		if sent := r.last().Date.Sub(began); sent < 20*time.Second || sent > 25*time.Second {
			t.Errorf("shown after %v", sent)
		}
		r.telegram.FailNext("editMessageText", wait)
		r.tap("1.")
		r.wait(time.Second)
		r.got(call, []string{"SQLite"}) // not held up by the chat
		r.wait(30 * time.Second)
		r.screen("✅", "→ SQLite")
	})
}

// OpenCode is gone when the answer comes, and has forgotten the question when it
// is back.
func TestOpenCodeIsDownAndRestarts(t *testing.T) {
	playBoth(t, func(r *rig) {
		_, call := r.ask(database())
		r.opencode.Stop()
		r.wait(5 * time.Second)
		r.tap("2.")
		r.wait(5 * time.Second)
		r.screen("📡", "Waiting for OpenCode", "Your answer is kept", "PostgreSQL (Recommended)")
		if q := r.open(); !q.Waiting || q.State != "deciding" || q.By != "Ada" {
			r.t.Errorf("it is %+v", q)
		}
		r.opencode.Start()
		r.wait(time.Minute)
		r.screen("⚠️", "OpenCode was restarted", "Ada's answer was not used: PostgreSQL (Recommended)")
		r.unanswered(call)
		if e := r.journal(question.EntryFailed); len(e) != 1 || e[0].Detail != "restarted" {
			r.t.Errorf("the journal says %+v", e)
		}
	})
}

// OpenCode cannot be reached for a while, and remembers.
func TestOpenCodeIsOutOfReach(t *testing.T) {
	playBoth(t, func(r *rig) {
		_, call := r.ask(database())
		for _, fault := range []opencode.Fault{opencode.Hang, opencode.ServerError, opencode.Garbage, opencode.HTMLPage} {
			r.opencode.SetFault(func(*http.Request) opencode.Fault { return fault })
			r.wait(time.Minute)
			r.screen("❓")
		}
		r.tap("1.")
		r.wait(time.Minute)
		r.unanswered(call)
		r.opencode.SetFault(nil)
		r.wait(time.Minute)
		r.got(call, []string{"SQLite"})
		r.screen("✅", "→ SQLite", "Ada")
	})
}
