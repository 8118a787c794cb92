package daemon_test

import (
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// A tap counts only on a message of its own question, in a chat that shows it.
func TestTaps_InTheWrongPlace(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		_, first := r.Ask(rig.DatabaseQuestion())
		one := r.Last()
		_, second := r.Ask(rig.LanguagesQuestion())
		two := r.Last()
		r.Wait(5 * time.Second)
		data := r.Data(one, "1.")
		rig.WantAlert(t, "in a chat that does not show it", r.ForgeTap(rig.Bob, rig.Bob, r.LastIn(rig.Bob).ID, data), rig.SaysUnknown)
		rig.WantAlert(t, "on the message of another question", r.ForgeTap(rig.Ada, rig.Ada, two.ID, data), rig.SaysUnknown)
		r.Wait(5 * time.Second)
		r.WantNoAnswer(first)
		r.WantNoAnswer(second)
		wantRefusals(r, "unknown", "unknown")
		if now := r.Last(); now.ID != two.ID || now.Text != two.Text {
			t.Errorf("the other question's message was changed:\n%s", now.Text)
		}
		r.Tap("☐ 1.")
		r.Wait(2 * time.Second)
		r.Tap("✅ Done")
		r.Wait(2 * time.Second)
		r.WantAnswers(second, []string{"Go"})
		if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, one.ID, "1."); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		r.WantAnswers(first, []string{"SQLite"})
	})
}

// wantRefusals fails the test unless just these taps were recorded as having had no
// effect, in this order, each with the person who made it.
func wantRefusals(r *rig.Rig, details ...string) {
	r.T.Helper()
	entries := r.Journal(storage.EntryRefused)
	if len(entries) != len(details) {
		r.T.Errorf("the journal has %d refusals, want %d: %+v", len(entries), len(details), entries)
		return
	}
	for i, e := range entries {
		if e.Detail != details[i] || e.By.Kind != question.Person || e.By.User == 0 || e.By.Chat == 0 || e.By.Name == "" {
			r.T.Errorf("refusal %d is %+v, want %q", i, e, details[i])
		}
	}
}
