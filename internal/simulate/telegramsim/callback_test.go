package telegramsim_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

func choices(t *testing.T, s *telegramsim.Server, chat int64) sent {
	t.Helper()
	return send(t, s, to(chat, args{"text": "Pick", "reply_markup": keyboard(
		[]args{button("Go", "1"), button("Rust", "2")},
		[]args{button("Rusty", "3"), {"text": "Docs", "url": "https://go.dev"}},
		[]args{{"text": "Off", "disabled": args{}}, button("Same", "4"), button("Same", "5")},
	)}))
}

func TestTapFindsButtons(t *testing.T) {
	s := world(t, telegramsim.Options{})
	m := choices(t, s, ada)
	for label, want := range map[string]string{
		"Go": "1", "G": "1", "Rust": "2", "Rusty": "3",
		"Ru": "several buttons fit", "Same": "several buttons fit", "C": "no button [C]; it shows [Go] [Rust] [Rusty] [Docs]",
		"Docs": "sends nothing", "Off": "sends nothing",
	} {
		id, err := s.Tap(ada, ada, m.ID, label)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", label, err, want)
			}
			continue
		}
		got := updates(t, s, args{"offset": -1})[0].Callback
		if got.Data != want || got.ID != id || got.From.ID != ada || got.Message.ID != m.ID || got.Message.Text != "Pick" {
			t.Errorf("%s: got %+v, want data %s", label, got, want)
		}
		ok(t, s, "answerCallbackQuery", args{"callback_query_id": id})
	}
	if _, err := s.Tap(bob, ada, m.ID, "Go"); err == nil {
		t.Error("a stranger tapped in a private chat")
	}
}

func TestCallbackAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		m := choices(t, s, ada)
		tap := func() string {
			id, err := s.Tap(ada, ada, m.ID, "Go")
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		id := tap()
		ok(t, s, "getUpdates", args{"offset": -1})
		time.Sleep(time.Minute)
		ok(t, s, "answerCallbackQuery", args{"callback_query_id": id, "text": "fine", "show_alert": true})
		a := s.Alerts()[0]
		if a.Text != "fine" || !a.ShowAlert || a.User != ada || a.Label != "Go" || a.Message != m.ID || a.Callback != id {
			t.Errorf("alert %+v", a)
		}
		if got := call(t, s, "answerCallbackQuery", args{"callback_query_id": id}); got.Description != tooOld {
			t.Errorf("second answer: %q", got.Description)
		}
		late, err := s.Retap(id)
		if err != nil || late == id {
			t.Fatalf("Retap = %s, %v", late, err)
		}
		if got := updates(t, s, args{"offset": -1})[0].Callback; got.ID != late || got.Data != "1" {
			t.Errorf("tapped again: %+v", got)
		}
		time.Sleep(time.Minute + 1)
		if got := call(t, s, "answerCallbackQuery", args{"callback_query_id": late}); got.Description != tooOld {
			t.Errorf("late answer: %q", got.Description)
		}
		if got, want := fmt.Sprint(s.Violations()), `[answerCallbackQuery: the tap on "Go" in chat 42 got no answer in 1m0s]`; got != want {
			t.Errorf("violations %s, want %s", got, want)
		}
	})
}

func TestTapOnDeletedMessage(t *testing.T) {
	s := world(t, telegramsim.Options{})
	m := choices(t, s, ada)
	if err := s.Delete(ada, ada, m.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tap(ada, ada, m.ID, "Go"); err == nil {
		t.Error("tapped a button of a deleted message")
	}
	if _, err := s.TapData(ada, ada, m.ID, "forged"); err != nil {
		t.Fatal(err)
	}
	got := updates(t, s, args{"offset": -1})[0].Callback
	if got.Message.Date != 0 || got.Message.ID != m.ID || got.Message.Chat.ID != ada || got.Data != "forged" {
		t.Errorf("got %+v, want an InaccessibleMessage", got)
	}
	if _, err := s.TapData(ada, ada, 99, "x"); err == nil {
		t.Error("tapped a message that never was")
	}
}
