package telegramsim_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files")

func TestTranscript(t *testing.T) {
	s := world(t, telegramsim.Options{PrivacyOff: true})
	shop := s.AddTopic(forum, "shop")
	asked := say(t, s, ada, forum, "Which one?\n\nTell me", telegramsim.InTopic(shop))
	m := send(t, s, to(forum, args{
		"text": "<b>Database</b>\nWhich <i>one</i>?", "parse_mode": "HTML", "disable_notification": true,
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

func TestMessagesShowWhatPeopleSee(t *testing.T) {
	s := world(t, telegramsim.Options{})
	m := choices(t, s, ada)
	ok(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": "<u>a</u> &lt; b", "parse_mode": "HTML", "reply_markup": args{
		"inline_keyboard": [][]args{{{"text": "Go", "callback_data": "1", "style": "danger"}, {"text": "Off", "disabled": args{}}}},
	}}))
	got := s.Messages(ada)[1]
	if got.Text != "a < b" || got.HTML != "<u>a</u> &lt; b" || got.Edits != 1 || got.Past[0] != "Pick" || !got.FromBot || got.ForceReply {
		t.Errorf("message %+v", got)
	}
	if b := got.Rows[0]; b[0] != (telegramsim.Button{Label: "Go", Data: "1", Style: "danger"}) || !b[1].Disabled {
		t.Errorf("buttons %+v", b)
	}
	if labels := strings.Join(got.Labels(), ","); labels != "Go,Off" {
		t.Errorf("labels %s", labels)
	}
	ok(t, s, "editMessageReplyMarkup", args{"chat_id": ada, "message_id": m.ID})
	if got := s.Messages(ada)[1]; len(got.Rows) != 0 || got.Text != "a < b" {
		t.Errorf("without keyboard: %+v", got)
	}
	ok(t, s, "deleteMessage", args{"chat_id": ada, "message_id": m.ID})
	if got := s.Messages(ada)[1]; !got.Deleted {
		t.Error("a deleted message is not marked")
	}
}

func TestAwaitEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := s.AwaitText(ctx, ada, "never")
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "Ada: /start") {
			t.Errorf("err = %v", err)
		}
	})
}
