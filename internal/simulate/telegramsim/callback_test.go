package telegramsim_test

import (
	"fmt"
	"slices"
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
		[]args{button("Same", "4"), button("Same", "5")},
	)}))
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
		late, err := s.Tap(ada, ada, m.ID, "Go")
		if err != nil || late == id {
			t.Fatalf("the second tap = %s, %v", late, err)
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

// A client that opens no reply box in topics opens it elsewhere.
func TestNoReplyBoxInTopics(t *testing.T) {
	s := world(t, telegramsim.Options{NoBoxInTopics: true})
	for chat, opens := range map[int64]bool{forum: false, super: true, ada: true} {
		call(t, s, "sendMessage", to(chat, args{"reply_markup": `{"force_reply":true}`}))
		if all := s.Messages(chat); all[len(all)-1].ForceReply != opens {
			t.Errorf("in %d it opens: %v", chat, !opens)
		}
	}
}

// A selective prompt opens the box of those whom it mentions, and of whoever wrote the message that it replies to.
func TestASelectivePrompt(t *testing.T) {
	s := world(t, telegramsim.Options{})
	call(t, s, "sendMessage", to(group, args{"text": `<a href="tg://user?id=42">Ada</a>?`, "parse_mode": "HTML", "reply_markup": `{"force_reply":true,"selective":true,"input_field_placeholder":"Your answer"}`}))
	call(t, s, "sendMessage", to(group, args{"text": "all", "reply_markup": `{"force_reply":true}`}))
	call(t, s, "sendMessage", to(group, args{"text": "nobody", "reply_markup": `{"force_reply":true,"selective":true}`}))
	all := s.Messages(group)
	if m := all[0]; !m.ForceReply || !slices.Equal(m.Opens, []int64{42}) || m.Holder != "Your answer" {
		t.Errorf("%+v", m)
	}
	if m := all[1]; !m.ForceReply || m.Opens != nil {
		t.Errorf("%+v", m)
	}
	if m := all[2]; m.Opens == nil || len(m.Opens) != 0 {
		t.Errorf("%+v", m)
	}
}
