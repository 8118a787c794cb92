package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

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

// A long card that changes while its messages are sent shows that at once: the rest of it comes after the change.
func TestExtremes_EndedWhileItIsSent(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		q := rig.DatabaseQuestion()
		q.Question = strings.Repeat("word ", 7000)
		request, _ := r.Ask(q)
		r.Wait(2 * time.Second)
		var first telegram.Message
		for _, first = range r.Telegram.Messages(rig.Ada) {
			if strings.HasPrefix(first.Text, "❓") {
				break
			}
		}
		before := len(r.Telegram.Messages(rig.Ada))
		r.Opencode.RejectAtTUI(request)
		r.Wait(time.Second)
		all := r.Telegram.Messages(rig.Ada)
		if now := all[first.ID-1]; len(all) > before+2 || now.Edits != 1 || strings.HasPrefix(now.Text, "❓") {
			t.Errorf("after %d messages it ended, after %d more the first one shows %q", before, len(all)-before, now.Text[:100])
		}
		r.Wait(30 * time.Second)
		r.WantScreenIn(rig.Ada, "Dismissed in OpenCode")
	})
}
