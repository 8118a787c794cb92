package telegram

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/telegram/callback"
	"hermes/telegram/cardtest"
)

const (
	adaJSON  = `"from":{"id":7,"is_bot":false,"first_name":"Ada","last_name":"L\u202eve","language_code":"zh-hans"}`
	chatJSON = `"chat":{"id":7,"type":"private"}`
	teamJSON = `"chat":{"id":-1005,"type":"supergroup"}`
)

func adaUser() question.User { return question.User{ID: 7, Name: "Ada L[U+202E]ve", Lang: "zh-hans"} }

func TestReadUpdates(t *testing.T) {
	data := callback.EncodeMove("abcdefghijkl", cardtest.Pick(0, 1))
	sent := time.Unix(1700000000, 0)
	for name, c := range map[string]struct {
		raw  string
		want question.Input
	}{
		"text": {
			`"message":{"message_id":5,"date":1700000000,` + chatJSON + `,` + adaJSON + `,"text":"SQLite"}`,
			question.Input{Kind: question.Typed, Chat: 7, Private: true, Message: 5, User: adaUser(), Sent: sent, Text: "SQLite"},
		},
		"reply": {
			`"message":{"message_id":5,"date":1700000000,` + teamJSON + `,` + adaJSON + `,"text":"2","reply_to_message":{"message_id":4,"paid_media":{"type":"unheard of"}}}`,
			question.Input{Kind: question.Typed, Chat: -1005, Message: 5, User: adaUser(), Sent: sent, Text: "2", ReplyTo: 4},
		},
		"text in a topic replies to nothing": {
			`"message":{"message_id":5,"message_thread_id":3,"is_topic_message":true,"date":1700000000,` + teamJSON + `,` + adaJSON + `,"text":"2","reply_to_message":{"message_id":3}}`,
			question.Input{Kind: question.Typed, Chat: -1005, Topic: 3, Message: 5, User: adaUser(), Sent: sent, Text: "2"},
		},
		"start": {
			`"message":{"message_id":5,"date":1700000000,` + chatJSON + `,` + adaJSON + `,"text":"/start@hermes_bot abc"}`,
			question.Input{Kind: question.Typed, Chat: 7, Private: true, Message: 5, User: adaUser(), Sent: sent, Text: "/start@hermes_bot abc", Command: "start"},
		},
		"tap": {
			`"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":1,` + teamJSON + `},"data":"` + data + `"}`,
			question.Input{Kind: question.Tapped, Chat: -1005, Message: 4, User: adaUser(), Callback: "99", Thread: "abcdefghijkl", Move: cardtest.Pick(0, 1)},
		},
		"tap on an inaccessible message": {
			`"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":0,` + chatJSON + `},"data":"` + data + `"}`,
			question.Input{Kind: question.Tapped, Chat: 7, Private: true, Message: 4, User: adaUser(), Callback: "99", Thread: "abcdefghijkl", Move: cardtest.Pick(0, 1)},
		},
		"tap on a strange button": {
			`"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":1,` + chatJSON + `},"data":"boo"}`,
			question.Input{Kind: question.Tapped, Chat: 7, Private: true, Message: 4, User: adaUser(), Callback: "99"},
		},
		"tap on an inline message": {
			`"callback_query":{"id":"99",` + adaJSON + `,"inline_message_id":"x","data":"` + data + `"}`,
			question.Input{Kind: question.Ignored},
		},
		"blocked": {
			`"my_chat_member":{` + chatJSON + `,` + adaJSON + `,"new_chat_member":{"status":"kicked"}}`,
			question.Input{Kind: question.Blocked, Chat: 7, Private: true, User: adaUser()},
		},
		"unblocked": {
			`"my_chat_member":{` + chatJSON + `,` + adaJSON + `,"new_chat_member":{"status":"member"}}`,
			question.Input{Kind: question.Unblocked, Chat: 7, Private: true, User: adaUser()},
		},
		"silenced": {
			`"my_chat_member":{` + teamJSON + `,` + adaJSON + `,"new_chat_member":{"status":"restricted","is_member":true}}`,
			question.Input{Kind: question.Blocked, Chat: -1005, User: adaUser()},
		},
		"moved": {
			`"message":{"message_id":5,"date":1,"chat":{"id":-5,"type":"group"},` + adaJSON + `,"migrate_to_chat_id":-1005}`,
			question.Input{Kind: question.Moved, Chat: -5, Message: 5, User: adaUser(), NewChat: -1005},
		},
		"photo that cannot be read": {
			`"message":{"message_id":5,"date":1700000000,` + chatJSON + `,` + adaJSON + `,"photo":{"new":"form"},"caption":"SQLite"}`,
			question.Input{Kind: question.Attached, Chat: 7, Private: true, Message: 5, User: adaUser(), Sent: sent, Text: "SQLite", What: question.Photo},
		},
		"a kind from the future": {`"telepathy":{"thought":1}`, question.Input{Kind: question.Ignored}},
	} {
		got, err := read(question.Update{ID: 9, Raw: []byte(`{"update_id":9,` + c.raw + `}`)}, 0)
		c.want.Update = 9
		if err != nil || got != c.want {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", name, got, err, c.want)
		}
	}
}

// Under these names anybody may act.
func TestNobodyInParticular(t *testing.T) {
	for name, from := range map[string]string{
		"bot":             `"from":{"id":8,"is_bot":true}`,
		"telegram":        `"from":{"id":777000}`,
		"anonymous admin": `"from":{"id":1087968824,"is_bot":false}`,
		"channel":         `"from":{"id":136817688}`,
		"sender_chat":     adaJSON + `,"sender_chat":{"id":-1005}`,
		"nobody":          `"x":1`,
	} {
		raw := `{"update_id":9,"message":{"message_id":5,"date":1,` + teamJSON + `,` + from + `,"text":"1"}}`
		got, err := read(question.Update{ID: 9, Raw: []byte(raw)}, 0)
		want := question.Ignored
		switch name {
		case "anonymous admin", "channel", "sender_chat":
			want = question.Unsigned // told that it does not count
		}
		if err != nil || got.Kind != want || want == question.Unsigned && got.User != (question.User{}) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestUnreadableUpdates(t *testing.T) {
	for _, raw := range []string{``, `[]`, `{"message":5}`, `{"message":{"text":{}}}`, `{"callback_query":{"id":1}}`} {
		_, err := read(question.Update{ID: 9, Raw: []byte(raw)}, 0)
		if err == nil {
			t.Errorf("%s was read", raw)
		}
	}
}

func TestCommands(t *testing.T) {
	for text, want := range map[string]string{
		"/start": "start", "/Start x": "start", "/start@any_bot": "start",
		"/etc/hosts": "", "start": "", "/": "", "see /start": "", "/start,": "",
	} {
		if got := command(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"message":{"message_id":5,"date":1,` + chatJSON + `,` + adaJSON + `,"text":"/start"}}`)
	f.Add(`{"message":{"message_id":5,"date":1,` + chatJSON + `,` + adaJSON + `,"caption":"x","document":{"file_id":"A","mime_type":"a/b"}}}`)
	f.Add(`{"message":{"message_id":5,"date":1,` + chatJSON + `,` + adaJSON + `,"photo":[{"file_id":"A","width":1,"height":2,"file_size":-1}]}}`)
	f.Add(`{"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":1,` + chatJSON + `},"data":"1abcdefghijklp1z.2.a+"}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		in, err := read(question.Update{ID: 9, Raw: []byte(raw)}, 0)
		if err != nil {
			if strings.Contains(err.Error(), "panic") || len(err.Error()) > 300 && json.Valid([]byte(raw)) {
				t.Fatalf("%v", err)
			}
			return
		}
		if in.Kind == question.Typed && (in.Text == "" || in.Chat == 0 || in.User.ID <= 0) {
			t.Fatalf("a text without text, chat or person: %+v", in)
		}
		if in.Kind == question.Attached && (in.What == "" || in.Chat == 0 || in.User.ID <= 0 || in.File.Size < 0 || strings.ContainsAny(in.File.Mime, ";, ")) {
			t.Fatalf("something without a name, chat or person: %+v", in)
		}
		if in.Thread != "" && !in.Thread.Valid() {
			t.Fatalf("a thread of a wrong form: %q", in.Thread)
		}
	})
}
