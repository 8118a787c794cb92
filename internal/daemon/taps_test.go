package daemon_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

func TestTaps_ForgedTaps(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.LanguagesQuestion())
		card := r.Last()
		good := r.Data(card, "1. SQLite")
		id := good[1:13]
		for _, data := range []string{
			"", "x", strings.Repeat("x", 64), "\x00\xff", "2" + good[1:], good + "0", good[:len(good)-1], strings.ToUpper(good),
			strings.Replace(good, id, "AAAAAAAAAAAA", 1),     // no such question
			"1" + id + "p0.0.9-",                             // no such option
			"1" + id + "p0.1.0-",                             // an item that is not on screen
			"1" + id + "p0.7.0-",                             // no such item
			"1" + id + "s0.0.0-",                             // send, before the review
			"1" + id + "t0.0.0+",                             // type, where only options count
			"1" + id + "n0.0.7-",                             // no such page
			"1" + id + "x0.0.0-",                             // a text that nobody typed
			"1" + id + "p-1.0.0-", "1" + id + "pzzzzzz.0.0-", // numbers that are none
			"1" + id + "p0.0." + strings.Repeat("0", 30) + "1", // the right one, written otherwise
		} {
			rig.WantAlert(t, data, r.ForgeTap(rig.Ada, rig.Ada, card.ID, data), rig.SaysUnknown)
		}
		rig.WantAlert(t, "a later revision", r.ForgeTap(rig.Ada, rig.Ada, card.ID, "1"+id+"p1.0.0-"), rig.SaysStale)
		r.WantNoAnswer(call)
		if entries := r.Journal(storage.EntryPicked); len(entries) != 0 {
			t.Errorf("a forged tap had an effect: %+v", entries)
		}
		if refusals := r.Journal(storage.EntryRefused); len(refusals) != 20 {
			t.Errorf("%d forged taps are recorded", len(refusals))
		}
		if again := r.Last(); again.Text != card.Text || again.ID != card.ID || again.Edits != 0 {
			t.Errorf("the message was changed:\n%s", r.Telegram.History(rig.Ada))
		}
	})
}

// The buttons of one step have no effect on the next, on no message of the chat.
func TestTaps_StaleAndRepeatedTaps(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.LanguagesQuestion())
		card := r.Last()
		second, dismiss := r.Data(card, "2."), r.Data(card, "🚫")
		first, err := r.Telegram.Tap(rig.Ada, rig.Ada, card.ID, "1.")
		if err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		again, err := r.Telegram.Retap(first)
		if err != nil {
			t.Fatal(err)
		}
		r.Wait(time.Second)
		rig.WantAlert(t, "the same tap again", r.Alert(again), "")
		rig.WantAlert(t, "another option of the step before", r.ForgeTap(rig.Ada, rig.Ada, card.ID, second), rig.SaysStale)
		rig.WantAlert(t, "a dismissal of the step before", r.ForgeTap(rig.Ada, rig.Ada, card.ID, dismiss), rig.SaysStale)
		r.WantScreen("Languages · shop-api · 2 of 2", "✓ Database: SQLite")
		r.WantNoAnswer(call)
		r.WantRefusals("", "stale", "stale")
	})
}

func TestTaps_DoubleTapAnswersOneItem(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.ClosedQuestion())
		for range 2 { // faster than the message can change
			if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, r.Last().ID, "2."); err != nil {
				t.Fatal(err)
			}
		}
		r.Wait(2 * time.Second)
		r.WantScreen("2 of 2", "✓ Database: PostgreSQL (Recommended)")
		if strings.Contains(r.Last().Text, "Ready to send") {
			t.Error("the second tap answered the second item")
		}
		r.WantNoAnswer(call)
		r.Tap("1.")
		r.Wait(2 * time.Second)
		for range 2 {
			if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, r.Last().ID, "✅ Send"); err != nil {
				t.Fatal(err)
			}
		}
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"}, []string{"SQLite"})
		for _, a := range r.Telegram.Alerts()[:4] {
			rig.WantAlert(t, a.Label, a.Text, "")
		}
	})
}

func TestTaps_AfterTheEnd(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		card := r.Last()
		data := r.Data(card, "1.")
		r.Opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
		r.Tap("2.")
		rig.WantAlert(t, "on its way", r.ForgeTap(rig.Ada, rig.Ada, card.ID, data), "Already chosen, and on its way: PostgreSQL (Recommended) (Ada, 00:00)")
		r.Opencode.SetFault(nil)
		r.Wait(time.Minute)
		rig.WantAlert(t, "answered", r.ForgeTap(rig.Ada, rig.Ada, card.ID, data), "Already answered: PostgreSQL (Recommended) (Ada, 00:00)")

		request, _ := r.Ask(rig.DatabaseQuestion())
		card = r.Last()
		data = r.Data(card, "1.")
		r.Opencode.RejectAtTUI(request)
		r.Wait(2 * time.Second)
		rig.WantAlert(t, "dismissed", r.ForgeTap(rig.Ada, rig.Ada, card.ID, data), "Dismissed in OpenCode · 00:01")
		r.WantRefusals("decided", "ended", "ended")
	})
}

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
		r.WantRefusals("unknown", "unknown")
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

// The message was deleted, or is too old: Telegram says of it where it was, and no more.
func TestTaps_OnAnInaccessibleMessage(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		card := r.Last()
		data := r.Data(card, "2.")
		if err := r.Telegram.Delete(rig.Ada, rig.Ada, card.ID); err != nil {
			t.Fatal(err)
		}
		rig.WantAlert(t, "a good tap", r.ForgeTap(rig.Ada, rig.Ada, card.ID, data), "")
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		rig.WantAlert(t, "a late one", r.ForgeTap(rig.Ada, rig.Ada, card.ID, data), "Already answered: PostgreSQL (Recommended) (Ada, 00:00)")
	})
}

// A card that somebody deleted is shown again with the next change.
func TestTaps_DeletedCardComesBack(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.ClosedQuestion())
		card := r.Last()
		data := r.Data(card, "2.")
		if err := r.Telegram.Delete(rig.Ada, rig.Ada, card.ID); err != nil {
			t.Fatal(err)
		}
		r.ForgeTap(rig.Ada, rig.Ada, card.ID, data)
		r.Wait(5 * time.Second)
		if r.Last().ID == card.ID || r.Last().Deleted {
			t.Fatal("the card is not shown again")
		}
		r.Tap("1.")
		r.Wait(2 * time.Second)
		r.Tap("✅ Send")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"}, []string{"SQLite"})
	})
}
