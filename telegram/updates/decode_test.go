package updates_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/telegram/callback"
	"hermes/telegram/cardtest"
	"hermes/telegram/updates"
)

const (
	adaJSON  = `"from":{"id":7,"is_bot":false,"first_name":"Ada","last_name":"L\u202eve","language_code":"zh-hans"}`
	chatJSON = `"chat":{"id":7,"type":"private"}`
	teamJSON = `"chat":{"id":-1005,"type":"supergroup"}`
)

func adaUser() chat.User { return chat.User{ID: 7, Name: "Ada L[U+202E]ve", Lang: "zh-hans"} }

func TestDecode(t *testing.T) {
	data := callback.EncodeMove("abcdefghijkl", cardtest.Pick(0, 1))
	sent := time.Unix(1700000000, 0)
	for name, c := range map[string]struct {
		raw  string
		want inbound.Input
	}{
		"text": {
			`"message":{"message_id":5,"date":1700000000,` + chatJSON + `,` + adaJSON + `,"text":"SQLite"}`,
			inbound.Input{Kind: inbound.Typed, Chat: 7, Private: true, Message: 5, User: adaUser(), Sent: sent, Text: "SQLite"},
		},
		"reply": {
			`"message":{"message_id":5,"date":1700000000,` + teamJSON + `,` + adaJSON + `,"text":"2","reply_to_message":{"message_id":4,"paid_media":{"type":"unheard of"}}}`,
			inbound.Input{Kind: inbound.Typed, Chat: -1005, Message: 5, User: adaUser(), Sent: sent, Text: "2", ReplyTo: 4},
		},
		"text in a topic replies to nothing": {
			`"message":{"message_id":5,"message_thread_id":3,"is_topic_message":true,"date":1700000000,` + teamJSON + `,` + adaJSON + `,"text":"2","reply_to_message":{"message_id":3}}`,
			inbound.Input{Kind: inbound.Typed, Chat: -1005, Topic: 3, Message: 5, User: adaUser(), Sent: sent, Text: "2"},
		},
		"a reply in a topic of a private chat, whose number a message of the bot has by chance": {
			`"message":{"message_id":5,"message_thread_id":3,"is_topic_message":true,"date":1700000000,` + chatJSON + `,` + adaJSON + `,"text":"2","reply_to_message":{"message_id":3}}`,
			inbound.Input{Kind: inbound.Typed, Chat: 7, Private: true, Topic: 3, Message: 5, User: adaUser(), Sent: sent, Text: "2", ReplyTo: 3},
		},
		"start": {
			`"message":{"message_id":5,"date":1700000000,` + chatJSON + `,` + adaJSON + `,"text":"/start@hermes_bot abc"}`,
			inbound.Input{Kind: inbound.Typed, Chat: 7, Private: true, Message: 5, User: adaUser(), Sent: sent, Text: "/start@hermes_bot abc", Command: "start"},
		},
		"tap": {
			`"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":1,` + teamJSON + `},"data":"` + data + `"}`,
			inbound.Input{Kind: inbound.Tapped, Chat: -1005, Message: 4, User: adaUser(), Callback: "99", Thread: "abcdefghijkl", Move: cardtest.Pick(0, 1)},
		},
		"tap on an inaccessible message": {
			`"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":0,` + chatJSON + `},"data":"` + data + `"}`,
			inbound.Input{Kind: inbound.Tapped, Chat: 7, Private: true, Message: 4, User: adaUser(), Callback: "99", Thread: "abcdefghijkl", Move: cardtest.Pick(0, 1)},
		},
		"tap on a strange button": {
			`"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":1,` + chatJSON + `},"data":"boo"}`,
			inbound.Input{Kind: inbound.Tapped, Chat: 7, Private: true, Message: 4, User: adaUser(), Callback: "99"},
		},
		"tap on an inline message": {
			`"callback_query":{"id":"99",` + adaJSON + `,"inline_message_id":"x","data":"` + data + `"}`,
			inbound.Input{Kind: inbound.Ignored},
		},
		"blocked": {
			`"my_chat_member":{` + chatJSON + `,` + adaJSON + `,"new_chat_member":{"status":"kicked"}}`,
			inbound.Input{Kind: inbound.Blocked, Chat: 7, Private: true, User: adaUser()},
		},
		"unblocked": {
			`"my_chat_member":{` + chatJSON + `,` + adaJSON + `,"new_chat_member":{"status":"member"}}`,
			inbound.Input{Kind: inbound.Unblocked, Chat: 7, Private: true, User: adaUser()},
		},
		"silenced": {
			`"my_chat_member":{` + teamJSON + `,` + adaJSON + `,"new_chat_member":{"status":"restricted","is_member":true}}`,
			inbound.Input{Kind: inbound.Blocked, Chat: -1005, User: adaUser()},
		},
		"moved": {
			`"message":{"message_id":5,"date":1,"chat":{"id":-5,"type":"group"},` + adaJSON + `,"migrate_to_chat_id":-1005}`,
			inbound.Input{Kind: inbound.Moved, Chat: -5, Message: 5, User: adaUser(), NewChat: -1005},
		},
		"photo that cannot be read": {
			`"message":{"message_id":5,"date":1700000000,` + chatJSON + `,` + adaJSON + `,"photo":{"new":"form"},"caption":"SQLite"}`,
			inbound.Input{Kind: inbound.Attached, Chat: 7, Private: true, Message: 5, User: adaUser(), Sent: sent, Text: "SQLite", What: chat.Photo},
		},
		"a kind from the future": {`"telepathy":{"thought":1}`, inbound.Input{Kind: inbound.Ignored}},
	} {
		got, err := updates.Decode(chat.Update{ID: 9, Raw: []byte(`{"update_id":9,` + c.raw + `}`)}, 0)
		c.want.Update = 9
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", name, got, err, c.want)
		}
	}
}

// Under these names anybody may act.
func TestDecode_NobodyInParticular(t *testing.T) {
	for name, from := range map[string]string{
		"bot":             `"from":{"id":8,"is_bot":true}`,
		"telegram":        `"from":{"id":777000}`,
		"anonymous admin": `"from":{"id":1087968824,"is_bot":false}`,
		"channel":         `"from":{"id":136817688}`,
		"sender_chat":     adaJSON + `,"sender_chat":{"id":-1005}`,
		"nobody":          `"x":1`,
	} {
		raw := `{"update_id":9,"message":{"message_id":5,"date":1,` + teamJSON + `,` + from + `,"text":"1"}}`
		got, err := updates.Decode(chat.Update{ID: 9, Raw: []byte(raw)}, 0)
		want := inbound.Ignored
		switch name {
		case "anonymous admin", "channel", "sender_chat":
			want = inbound.Unsigned // told that it does not count
		}
		if err != nil || got.Kind != want || want == inbound.Unsigned && got.User != (chat.User{}) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestDecode_Unreadable(t *testing.T) {
	for _, raw := range []string{``, `[]`, `{"message":5}`, `{"message":{"text":{}}}`, `{"callback_query":{"id":1}}`} {
		_, err := updates.Decode(chat.Update{ID: 9, Raw: []byte(raw)}, 0)
		if err == nil {
			t.Errorf("%s was read", raw)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"message":{"message_id":5,"date":1,` + chatJSON + `,` + adaJSON + `,"text":"/start"}}`)
	f.Add(`{"message":{"message_id":5,"date":1,` + chatJSON + `,` + adaJSON + `,"caption":"x","document":{"file_id":"A","mime_type":"a/b"}}}`)
	f.Add(`{"message":{"message_id":5,"date":1,` + chatJSON + `,` + adaJSON + `,"photo":[{"file_id":"A","width":1,"height":2,"file_size":-1}]}}`)
	f.Add(`{"callback_query":{"id":"99",` + adaJSON + `,"message":{"message_id":4,"date":1,` + chatJSON + `},"data":"1abcdefghijklp1z.2.a+"}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		in, err := updates.Decode(chat.Update{ID: 9, Raw: []byte(raw)}, 0)
		if err != nil {
			if strings.Contains(err.Error(), "panic") || len(err.Error()) > 300 && json.Valid([]byte(raw)) {
				t.Fatalf("%v", err)
			}
			return
		}
		if in.Kind == inbound.Typed && (in.Text == "" || in.Chat == 0 || in.User.ID <= 0) {
			t.Fatalf("a text without text, chat or person: %+v", in)
		}
		if in.Kind == inbound.Attached && (in.What == "" || in.Chat == 0 || in.User.ID <= 0 || in.File.Size < 0 || strings.ContainsAny(in.File.Mime, ";, ")) {
			t.Fatalf("something without a name, chat or person: %+v", in)
		}
		if in.Thread != "" && !in.Thread.Valid() {
			t.Fatalf("a thread of a wrong form: %q", in.Thread)
		}
	})
}

// Service messages, and what comes from nobody in particular, are for nobody.
func TestDecode_ServiceMessages(t *testing.T) {
	for name, rest := range map[string]string{
		"service":    adaJSON + `,"pinned_message":{"message_id":4}`,
		"unknown":    adaJSON + `,"telepathy":{"thought":1}`,
		"null":       adaJSON + `,"photo":null`,
		"bot":        `"from":{"id":8,"is_bot":true},"sticker":{}`,
		"as channel": adaJSON + `,"sender_chat":{"id":-1005},"sticker":{}`,
		"nobody":     `"sticker":{}`,
	} {
		got, err := updates.Decode(chat.Update{ID: 9, Raw: []byte(`{"message":{"message_id":5,"date":1,` + teamJSON + `,` + rest + `}}`)}, 0)
		if err != nil || got.Kind != inbound.Ignored {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// What was not written by its sender is known as such in every form that the Bot API has.
func TestDecode_Forwarded(t *testing.T) {
	for field, want := range map[string]bool{
		``:                       false,
		`"forward_origin":null,`: false,
		`"via_bot":null,`:        false,
		`"forward_origin":{"type":"user","date":1,"sender_user":{"id":66}},`: true,
		`"forward_origin":{"type":"hidden_user","sender_user_name":"x"},`:    true,
		`"forward_origin":{"type":"of tomorrow"},`:                           true,
		`"forward_date":1700000000,"forward_from":{"id":66},`:                true,
		`"via_bot":{"id":99,"is_bot":true},`:                                 true,
	} {
		for kind, content := range map[inbound.InputKind]string{
			inbound.Typed: `"text":"/start 1"`, inbound.Attached: `"caption":"1","photo":[{"file_id":"f","width":1,"height":1}]`,
		} {
			raw := fmt.Sprintf(`{"update_id":1,"message":{"message_id":5,"date":1700000000,"chat":{"id":7,"type":"private"},"from":{"id":7,"first_name":"Ada"},%s%s}}`, field, content)
			in, err := updates.Decode(chat.Update{ID: 1, Raw: []byte(raw)}, 0)
			if err != nil || in.Kind != kind || in.Forwarded != want {
				t.Errorf("%s %s: %+v, %v", field, content, in, err)
			}
		}
	}
}

// A reply tells whether it is one to a reply box of this bot.
func TestDecode_RepliesToBoxes(t *testing.T) {
	const (
		me                = 12345678
		groupAnonymousBot = 1087968824
		channelBot        = 136817688
	)
	for _, c := range []struct {
		from int64
		bot  bool
		as   int64 // the chat in whose name it was written
		text string
		want bool
	}{
		{me, true, 0, "✏️ Database · shop-api\nReply", true},
		{me, true, 0, "❓ Database · shop-api\nReply", false},
		{99, true, 0, "✏️ Database · shop-api\nReply", false},
		{7, false, 0, "✏️ Database · shop-api\nReply", false},
		{groupAnonymousBot, true, -5, "✏️ Database · shop-api\nReply", true},
		{groupAnonymousBot, true, -5, "❓ Database · shop-api\nReply", false},
		{groupAnonymousBot, true, -6, "✏️ Database · shop-api\nReply", false},
		{channelBot, true, -5, "✏️ Database · shop-api\nReply", false},
	} {
		quoted, _ := json.Marshal(c.text)
		raw := `{"update_id":9,"message":{"message_id":5,"date":1,"chat":{"id":-5,"type":"group"},"from":{"id":7,"first_name":"Ada"},"text":"x","reply_to_message":{"message_id":4,"from":{"id":` +
			jsonOf(c.from) + `,"is_bot":` + jsonOf(c.bot) + `},"sender_chat":{"id":` + jsonOf(c.as) + `},"text":` + string(quoted) + `}}}`
		if in, err := updates.Decode(chat.Update{ID: 9, Raw: []byte(raw)}, me); err != nil || in.ToBox != c.want || in.ReplyTo != 4 {
			t.Errorf("%+v: %+v, %v", c, in, err)
		}
	}
}

func jsonOf(v any) string { b, _ := json.Marshal(v); return string(b) }
