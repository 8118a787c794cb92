package telegramsim_test

import (
	"flag"
	"os"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files")

func TestTranscript(t *testing.T) {
	s := world(t, telegramsim.Options{})
	if err := s.Promote(ada, forum); err != nil {
		t.Fatal(err)
	}
	shop := s.AddTopic(forum, "shop")
	asked := say(t, s, ada, forum, "Which one?\n\nTell me", telegramsim.InTopic(shop))
	m := send(t, s, to(forum, args{
		"text": "<b>Database</b>\nWhich one?", "parse_mode": "HTML", "disable_notification": true,
		"reply_parameters": args{"message_id": asked},
		"reply_markup":     keyboard([]args{button("1. SQLite", "1"), button("2. Postgres", "2")}, []args{button("Dismiss", "x")}),
	}))
	first, err := s.Tap(bob, forum, m.ID, "2.")
	if err != nil {
		t.Fatal(err)
	}
	ok(t, s, "answerCallbackQuery", args{"callback_query_id": first, "text": "Only people on the list can answer here", "show_alert": true})
	second, err := s.Tap(ada, forum, m.ID, "1.")
	if err != nil {
		t.Fatal(err)
	}
	ok(t, s, "answerCallbackQuery", args{"callback_query_id": second})
	ok(t, s, "editMessageText", args{"chat_id": forum, "message_id": m.ID, "text": "✅ Database\n→ SQLite"})
	ok(t, s, "setMessageReaction", args{"chat_id": forum, "message_id": asked, "reaction": []args{{"type": "emoji", "emoji": "👍"}}})
	send(t, s, to(forum, args{"text": "Type it", "reply_markup": args{"force_reply": true}}))
	late := say(t, s, bob, forum, "oops", telegramsim.WithFile(telegramsim.Document{Name: "notes.txt", Data: []byte("1234")}))
	if err := s.Delete(bob, forum, late); err != nil {
		t.Fatal(err)
	}
	golden(t, "screen", s.Transcript(forum))
	golden(t, "history", s.History(forum))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name + ".golden"
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}
