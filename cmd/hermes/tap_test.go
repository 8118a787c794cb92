package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// refused fails the test unless just these taps were recorded as having had no
// effect, in this order, each with the person who made it.
func (r *rig) refused(details ...string) {
	r.t.Helper()
	entries := r.journal(question.EntryRefused)
	if len(entries) != len(details) {
		r.t.Errorf("the journal has %d refusals, want %d: %+v", len(entries), len(details), entries)
		return
	}
	for i, e := range entries {
		if e.Detail != details[i] || e.By.Kind != question.Person || e.By.User == 0 || e.By.Chat == 0 || e.By.Name == "" {
			r.t.Errorf("refusal %d is %+v, want %q", i, e, details[i])
		}
	}
}

func wantAlert(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: the alert is %q, want %q", what, got, want)
	}
}

const (
	saysUnknown = "This question is not known any more"
	saysStale   = "That was an older version of this question"
	saysEve     = "Only people on the list can answer here"
)

func TestForgedTaps(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(closed(), languages())
		card := r.last()
		good := r.data(card, "1. SQLite")
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
			wantAlert(t, data, r.forge(ada, ada, card.ID, data), saysUnknown)
		}
		wantAlert(t, "a later revision", r.forge(ada, ada, card.ID, "1"+id+"p1.0.0-"), saysStale)
		r.unanswered(call)
		if entries := r.journal(question.EntryPicked); len(entries) != 0 {
			t.Errorf("a forged tap had an effect: %+v", entries)
		}
		if refusals := r.journal(question.EntryRefused); len(refusals) != 20 {
			t.Errorf("%d forged taps are recorded", len(refusals))
		}
		if again := r.last(); again.Text != card.Text || again.ID != card.ID || again.Edits != 0 {
			t.Errorf("the message was changed:\n%s", r.telegram.History(ada))
		}
	})
}

// The buttons of one step have no effect on the next, on no message of the chat.
func TestStaleAndRepeatedTaps(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(closed(), languages())
		card := r.last()
		second, dismiss := r.data(card, "2."), r.data(card, "🚫")
		first, err := r.telegram.Tap(ada, ada, card.ID, "1.")
		if err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		again, err := r.telegram.Retap(first)
		if err != nil {
			t.Fatal(err)
		}
		r.wait(time.Second)
		wantAlert(t, "the same tap again", r.alert(again), "")
		wantAlert(t, "another option of the step before", r.forge(ada, ada, card.ID, second), saysStale)
		wantAlert(t, "a dismissal of the step before", r.forge(ada, ada, card.ID, dismiss), saysStale)
		r.screen("Languages · shop-api · 2 of 2", "✓ Database: SQLite")
		r.unanswered(call)
		r.refused("", "stale", "stale")
	})
}

func TestDoubleTapAnswersOneItem(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(closed(), closed())
		for range 2 { // faster than the message can change
			if _, err := r.telegram.Tap(ada, ada, r.last().ID, "2."); err != nil {
				t.Fatal(err)
			}
		}
		r.wait(2 * time.Second)
		r.screen("2 of 2", "✓ Database: PostgreSQL (Recommended)")
		if strings.Contains(r.last().Text, "Ready to send") {
			t.Error("the second tap answered the second item")
		}
		r.unanswered(call)
		r.tap("1.")
		r.wait(2 * time.Second)
		for range 2 {
			if _, err := r.telegram.Tap(ada, ada, r.last().ID, "✅ Send"); err != nil {
				t.Fatal(err)
			}
		}
		r.wait(2 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"}, []string{"SQLite"})
		for _, a := range r.telegram.Alerts()[:4] {
			wantAlert(t, a.Label, a.Text, "")
		}
	})
}

func TestTapsAfterTheEnd(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.ask(database())
		card := r.last()
		data := r.data(card, "1.")
		r.opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
		r.tap("2.")
		wantAlert(t, "on its way", r.forge(ada, ada, card.ID, data), "Chosen already, and on its way: PostgreSQL (Recommended) (Ada, 00:00)")
		r.opencode.SetFault(nil)
		r.wait(time.Minute)
		wantAlert(t, "answered", r.forge(ada, ada, card.ID, data), "Already answered: PostgreSQL (Recommended) (Ada, 00:00)")

		request, _ := r.ask(database())
		card = r.last()
		data = r.data(card, "1.")
		r.opencode.RejectAtTUI(request)
		r.wait(2 * time.Second)
		wantAlert(t, "dismissed", r.forge(ada, ada, card.ID, data), "Dismissed in OpenCode · 00:01")
		r.refused("decided", "ended", "ended")
	})
}

// A tap counts only on a message of its own question, in a chat that shows it.
func TestTapsInTheWrongPlace(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.sayIn(bob, bob, "/start", 0)
		_, first := r.ask(database())
		one := r.last()
		_, second := r.ask(languages())
		two := r.last()
		r.wait(5 * time.Second)
		data := r.data(one, "1.")
		wantAlert(t, "in a chat that does not show it", r.forge(bob, bob, r.lastIn(bob).ID, data), saysUnknown)
		wantAlert(t, "on the message of another question", r.forge(ada, ada, two.ID, data), saysUnknown)
		r.wait(5 * time.Second)
		r.unanswered(first)
		r.unanswered(second)
		r.refused("unknown", "unknown")
		if now := r.last(); now.ID != two.ID || now.Text != two.Text {
			t.Errorf("the other question's message was changed:\n%s", now.Text)
		}
		r.tap("☐ 1.")
		r.wait(2 * time.Second)
		r.tap("✅ Done")
		r.wait(2 * time.Second)
		r.got(second, []string{"Go"})
		if _, err := r.telegram.Tap(ada, ada, one.ID, "1."); err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		r.got(first, []string{"SQLite"})
	})
}

// The message was deleted, or is too old: Telegram says of it where it was, and no more.
func TestTapOnAnInaccessibleMessage(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(database())
		card := r.last()
		data := r.data(card, "2.")
		if err := r.telegram.Delete(ada, ada, card.ID); err != nil {
			t.Fatal(err)
		}
		wantAlert(t, "a good tap", r.forge(ada, ada, card.ID, data), "")
		r.wait(5 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"})
		wantAlert(t, "a late one", r.forge(ada, ada, card.ID, data), "Already answered: PostgreSQL (Recommended) (Ada, 00:00)")
	})
}

// A card that somebody deleted is shown again with the next change.
func TestDeletedCardComesBack(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(closed(), closed())
		card := r.last()
		data := r.data(card, "2.")
		if err := r.telegram.Delete(ada, ada, card.ID); err != nil {
			t.Fatal(err)
		}
		r.forge(ada, ada, card.ID, data)
		r.wait(5 * time.Second)
		if r.last().ID == card.ID || r.last().Deleted {
			t.Fatal("the card is not shown again")
		}
		r.tap("1.")
		r.wait(2 * time.Second)
		r.tap("✅ Send")
		r.wait(2 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"}, []string{"SQLite"})
	})
}
