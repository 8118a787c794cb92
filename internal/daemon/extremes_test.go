package daemon_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

func labelled(n int, label func(int) string) []opencode.Option {
	var all []opencode.Option
	for i := range n {
		all = append(all, opencode.Option{Label: label(i)})
	}
	return all
}

func TestExtremes_ThirtyOptions(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		q := opencode.Question{
			Question: "Which one?", Header: "Many", Custom: new(false),
			Options: labelled(30, func(i int) string { return fmt.Sprintf("choice %02d %s", i+1, strings.Repeat("x", 190)) }),
		}
		_, call := r.Ask(q)
		r.Wait(5 * time.Second)
		shown := r.ShownIn(rig.Ada)
		for _, o := range q.Options {
			if !strings.Contains(shown, rig.WithoutSpaces(o.Label)) {
				t.Errorf("%s is not shown whole", o.Label)
			}
		}
		for pages := 0; ; pages++ {
			var next string
			for _, label := range r.Last().Labels() {
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
			r.Tap(next)
			r.Wait(5 * time.Second)
		}
		r.Tap("30.")
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{q.Options[29].Label})
	})
}

func TestExtremes_OddQuestions(t *testing.T) {
	same := opencode.Question{Question: "Which?", Header: "Same", Options: labelled(3, func(int) string { return "equal" })}
	blank := opencode.Question{Question: "", Header: "", Options: labelled(2, func(i int) string { return strings.Repeat(" ", i) })}
	bare := opencode.Question{Question: "What?", Header: "Bare", Custom: new(false)}
	long := opencode.Question{Question: strings.Repeat("a line of the question\n", 1000) + "THE END", Header: strings.Repeat("Long ", 100), Options: rig.DatabaseQuestion().Options}
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
			rig.Play(t, nil, func(r *rig.Rig) {
				_, call := r.Ask(c.ask)
				r.Wait(20 * time.Second)
				if shown := r.ShownIn(rig.Ada); !strings.Contains(shown, rig.WithoutSpaces(c.ask.Question)) {
					t.Errorf("the question is not shown whole:\n%.300s", shown)
				}
				if c.tap != "" {
					r.Tap(c.tap)
				} else {
					r.Say(c.say, r.Last().ID)
				}
				r.Wait(20 * time.Second)
				r.WantAnswers(call, []string{c.want})
				if len(r.Last().Rows) != 0 {
					t.Errorf("buttons are left:\n%s", r.Telegram.Transcript(rig.Ada))
				}
			})
		})
	}
}

// A request without questions can only be dismissed.
func TestExtremes_NoQuestions(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask()
		r.Dismiss()
		r.Wait(2 * time.Second)
		r.WantScreen("🚫", "Dismissed by Ada")
		if text, ok := r.Opencode.Output(call); !ok || !strings.Contains(text, "dismissed") {
			t.Errorf("the agent read %q, %v", text, ok)
		}
	})
}

// Telegram is away for an hour: the taps of that time are lost, and every open
// card says so. Texts wait, and count.
func TestExtremes_TelegramIsAwayForAnHour(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.QuestionTTL = 0 }, func(r *rig.Rig) {
		_, first := r.Ask(rig.DatabaseQuestion())
		one := r.Last()
		_, second := r.Ask(rig.ProjectNameQuestion())
		two := r.Last()
		r.Wait(5 * time.Second)
		r.Telegram.SetFault(func(telegram.Call) telegram.Fault { return telegram.Fault{Kind: telegram.Unreachable} })
		r.Wait(time.Minute) // the poll under way ends
		if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, one.ID, "1."); err != nil {
			t.Fatal(err)
		}
		r.Wait(30 * time.Minute)
		r.Say("The Bridge", two.ID)
		r.Wait(30 * time.Minute)
		r.WantNoAnswer(first)
		r.Telegram.SetFault(nil)
		r.Wait(2 * time.Minute)
		r.WantAnswers(second, []string{"The Bridge"})
		r.WantNoAnswer(first)
		for _, m := range r.Telegram.Messages(rig.Ada) {
			if m.ID == one.ID && !strings.Contains(m.Text, "I was offline for 1 h") {
				t.Errorf("the open card says:\n%s", m.Text)
			}
		}
		if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, one.ID, "2."); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		r.WantAnswers(first, []string{"PostgreSQL (Recommended)"})
	})
}

// The same when it was hermes that was away.
func TestExtremes_HermesIsAwayForAnHour(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.QuestionTTL = 0 }, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Halt()
		if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, r.Last().ID, "1."); err != nil {
			t.Fatal(err)
		}
		r.Wait(time.Hour)
		r.Start()
		r.Wait(time.Minute)
		r.WantNoAnswer(call)
		r.WantScreen("I was offline for 1 h")
		r.Tap("2.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
	})
}

func TestExtremes_Flood(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		wait := telegram.Fault{Kind: telegram.Refuse, RetryAfter: 20}
		r.Telegram.FailNext("sendMessage", wait)
		began := time.Now()
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(30 * time.Second)
		if sent := r.Last().Date.Sub(began); sent < 20*time.Second || sent > 25*time.Second {
			t.Errorf("shown after %v", sent)
		}
		r.Telegram.FailNext("editMessageText", wait)
		r.Tap("1.")
		r.Wait(time.Second)
		r.WantAnswers(call, []string{"SQLite"}) // not held up by the chat
		r.Wait(30 * time.Second)
		r.WantScreen("✅", "→ SQLite")
	})
}

// OpenCode is gone when the answer comes, and has forgotten the question when it
// is back.
func TestExtremes_OpenCodeIsDownAndRestarts(t *testing.T) {
	rig.PlayBoth(t, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Opencode.Stop()
		r.Wait(5 * time.Second)
		r.Tap("2.")
		r.Wait(5 * time.Second)
		r.WantScreen("📡", "Waiting for OpenCode", "Your answer is kept", "PostgreSQL (Recommended)")
		if q := r.OpenQuestion(); !q.Waiting || q.State != "deciding" || q.By != "Ada" {
			r.T.Errorf("it is %+v", q)
		}
		r.Opencode.Start()
		r.Wait(time.Minute)
		r.WantScreen("⚠️", "OpenCode was restarted", "Ada's answer was not used: PostgreSQL (Recommended)")
		r.WantNoAnswer(call)
		if e := r.Journal(storage.EntryFailed); len(e) != 1 || e[0].Detail != "restarted" {
			r.T.Errorf("the journal says %+v", e)
		}
	})
}

// OpenCode cannot be reached for a while, and remembers.
func TestExtremes_OpenCodeIsOutOfReach(t *testing.T) {
	rig.PlayBoth(t, func(r *rig.Rig) {
		r.Say("/level questions", 0)
		_, call := r.Ask(rig.DatabaseQuestion())
		for _, fault := range []opencode.Fault{opencode.Hang, opencode.ServerError, opencode.Garbage, opencode.HTMLPage} {
			r.Opencode.SetFault(func(*http.Request) opencode.Fault { return fault })
			r.Wait(time.Minute)
			r.WantScreen("❓")
		}
		r.Tap("1.")
		r.Wait(time.Minute)
		r.WantNoAnswer(call)
		r.Opencode.SetFault(nil)
		r.Wait(time.Minute)
		r.WantAnswers(call, []string{"SQLite"})
		r.WantScreen("✅", "→ SQLite", "Ada")
	})
}
