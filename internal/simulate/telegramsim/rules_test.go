package telegramsim_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

const (
	parseError  = "Bad Request: can't parse entities: "
	notModified = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"
	tooOld      = "Bad Request: query is too old and response timeout expired or query ID is invalid"
)

// What a text is counted in is not known behind the Bot API server, and both are played.
func TestTextLength_InUnits(t *testing.T) {
	for name, c := range map[string]struct {
		units bool
		text  string
		ok    bool
	}{
		"code points":           {false, strings.Repeat("🔐", 4096), true},
		"too many code points":  {false, strings.Repeat("🔐", 4097), false},
		"units":                 {true, strings.Repeat("🔐", 2048), true},
		"too many units":        {true, "🔐" + strings.Repeat("x", 4095), false},
		"units and code points": {true, strings.Repeat("x", 4096), true},
	} {
		s := world(t, telegramsim.Options{CountUnits: c.units})
		got := call(t, s, "sendMessage", to(ada, args{"text": c.text}))
		if got.OK != c.ok || !c.ok && got.Description != "Bad Request: message is too long" {
			t.Errorf("%s: %v %q", name, got.OK, got.Description)
		}
	}
}

// rule is one refusal in Telegram's exact words.
type rule struct {
	name   string
	before func(*testing.T, *telegramsim.Server)
	method string
	args   args
	code   int
	text   string
}

func to(chat int64, more args) args {
	a := args{"chat_id": chat, "text": "x"}
	for k, v := range more {
		a[k] = v
	}
	return a
}

func TestRefusals(t *testing.T) {
	for _, r := range slices.Concat(textRules(), markupRules(), chatRules(), nullRules()) {
		t.Run(r.name, func(t *testing.T) {
			s := world(t, telegramsim.Options{})
			if r.before != nil {
				r.before(t, s)
			}
			got := call(t, s, r.method, r.args)
			if got.OK || got.Code != r.code || got.Status != r.code || got.Description != r.text {
				t.Errorf("got %d (status %d) %q\nwant %d %q", got.Code, got.Status, got.Description, r.code, r.text)
			}
		})
	}
}

func textRules() []rule {
	text := func(name, text, want string) rule {
		return rule{name: name, method: "sendMessage", args: to(ada, args{"text": text}), code: 400, text: "Bad Request: " + want}
	}
	return []rule{
		text("empty", "", "message text is empty"),
		text("white space", " \n ", "text must be non-empty"),
		text("4097 code points", strings.Repeat("é", 4097), "message is too long"),
		text("32769 bytes", strings.Repeat("x", 32769), "text is too long"),
		{name: "markup", method: "sendMessage", args: to(ada, args{"text": "<i>x</i>", "parse_mode": "HTML"}), code: 400, text: parseError + `Unsupported start tag "i" at byte offset 0`},
		{name: "parse mode", method: "sendMessage", args: to(ada, args{"parse_mode": "BBCode"}), code: 400, text: "Bad Request: unsupported parse_mode"},
		{
			name: "no document", method: "sendDocument", code: 400, text: "Bad Request: there is no document in the request",
			args: args{"chat_id": ada},
		},
	}
}

func markupRules() []rule {
	markup := func(name string, markup any, want string) rule {
		return rule{name: name, method: "sendMessage", args: to(ada, args{"reply_markup": markup}), code: 400, text: "Bad Request: " + want}
	}
	var many []args
	for range 101 {
		many = append(many, button("x", "x"))
	}
	var heavy []args
	for range 99 {
		heavy = append(heavy, button(strings.Repeat("x", 30), strings.Repeat("x", 64)))
	}
	const unallowed = "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
	return []rule{
		markup("not JSON", "{", "can't parse reply keyboard markup JSON object"),
		markup("not an object", "[]", "object expected as reply markup"),
		markup("row not array", args{"inline_keyboard": []int{1}}, `field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays`),
		markup("no action", keyboard([]args{{"text": "x"}}), unallowed),
		markup("empty data", keyboard([]args{button("x", "")}), unallowed),
		markup("empty label", keyboard([]args{button(" ", "x")}), "inline keyboard button text must be non-empty"),
		markup("long data", keyboard([]args{button("x", strings.Repeat("é", 33))}), "BUTTON_DATA_INVALID"),
		markup("101 buttons", keyboard(many), "reply markup is too long"),
		markup("heavy buttons", keyboard(heavy), "reply markup is too long"),
		markup("style", keyboard([]args{{"text": "x", "callback_data": "x", "style": "loud"}}), "can't parse inline keyboard button: invalid button style specified"),
		markup("link", keyboard([]args{{"text": "x", "url": "nowhere"}}), "inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL"),
		markup("long placeholder", args{"force_reply": true, "input_field_placeholder": strings.Repeat("ä", 65)}, "input_field_placeholder is too long"),
	}
}

func chatRules() []rule {
	first := func(markup any) func(*testing.T, *telegramsim.Server) {
		return func(t *testing.T, s *telegramsim.Server) {
			a := to(ada, args{"text": "x  "})
			if markup != nil {
				a["reply_markup"] = markup
			}
			send(t, s, a)
		}
	}
	send := func(name string, before func(*testing.T, *telegramsim.Server), a args, code int, want string) rule {
		return rule{name: name, before: before, method: "sendMessage", args: a, code: code, text: want}
	}
	edit := func(name string, before func(*testing.T, *telegramsim.Server), more args, want string) rule {
		return rule{name: name, before: before, method: "editMessageText", args: to(ada, more), code: 400, text: "Bad Request: " + want}
	}
	must := func(f func(*telegramsim.Server) error) func(*testing.T, *telegramsim.Server) {
		return func(t *testing.T, s *telegramsim.Server) {
			if err := f(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	return []rule{
		{name: "method", method: "sendTelegram", code: 404, text: "Not Found: method not found"},
		send("no chat", nil, args{"text": "x"}, 400, "Bad Request: chat_id is empty"),
		send("unknown chat", nil, to(77, nil), 400, "Bad Request: chat not found"),
		send("reply target", nil, to(ada, args{"reply_parameters": args{"message_id": 99}}), 400, "Bad Request: message to be replied not found"),
		send("unknown topic", nil, to(forum, args{"message_thread_id": 9}), 400, "Bad Request: message thread not found"),
		send("General topic", nil, to(forum, args{"message_thread_id": 1}), 400, "Bad Request: message thread not found"),
		send("no topics in private", nil, to(ada, args{"message_thread_id": 9}), 400, "Bad Request: message thread not found"),
		send("never seen", nil, to(bob, nil), 400, "Bad Request: chat not found"),
		send("never started", func(t *testing.T, s *telegramsim.Server) { say(t, s, bob, group, "/start@hermes_bot") }, to(bob, nil), 403, "Forbidden: bot can't initiate conversation with a user"),
		send("blocked", must(func(s *telegramsim.Server) error { return s.Block(ada) }), to(ada, nil), 403, "Forbidden: bot was blocked by the user"),
		send("kicked from group", must(func(s *telegramsim.Server) error { return s.Kick(ada, group) }), to(group, nil), 403, "Forbidden: bot was kicked from the group chat"),
		send("kicked from supergroup", must(func(s *telegramsim.Server) error { return s.Kick(ada, super) }), to(super, nil), 403, "Forbidden: bot was kicked from the supergroup chat"),
		send("left", must(func(s *telegramsim.Server) error { return s.Leave(ada, super) }), to(super, nil), 403, "Forbidden: bot is not a member of the supergroup chat"),
		send("migrated", must(func(s *telegramsim.Server) error { _, err := s.Upgrade(ada, group); return err }), to(group, nil), 400, "Bad Request: group chat was upgraded to a supergroup chat"),
		edit("unknown", nil, args{"message_id": 99}, "message to edit not found"),
		edit("not own", nil, args{"message_id": 1}, "message can't be edited"),
		edit("force reply", first(args{"force_reply": true}), args{"message_id": 2, "text": "y"}, "message can't be edited"),
		edit("too long", first(nil), args{"message_id": 2, "text": strings.Repeat("é", 4097)}, "MESSAGE_TOO_LONG"), // MessagesManager.cpp:23405
		edit("same", first(nil), args{"message_id": 2}, strings.TrimPrefix(notModified, "Bad Request: ")),
		edit("same with buttons", first(keyboard([]args{button("A", "a")})), args{"message_id": 2, "reply_markup": keyboard([]args{button("A", "a")})}, strings.TrimPrefix(notModified, "Bad Request: ")),
		edit("prompt as keyboard", first(nil), args{"message_id": 2, "reply_markup": args{"force_reply": true}}, "inline keyboard expected"),
		{name: "delete", method: "deleteMessage", args: args{"chat_id": ada, "message_id": 99}, code: 400, text: "Bad Request: message to delete not found"},
		{name: "unknown callback", method: "answerCallbackQuery", args: args{"callback_query_id": "1"}, code: 400, text: tooOld},
		{name: "long alert", method: "answerCallbackQuery", args: args{"text": strings.Repeat("x", 201)}, code: 400, text: "Bad Request: MESSAGE_TOO_LONG"},
		{name: "long secret", method: "setWebhook", args: args{"url": "https://h", "secret_token": strings.Repeat("x", 257)}, code: 400, text: "Bad Request: secret token is too long"},
		{name: "odd secret", method: "setWebhook", args: args{"url": "https://h", "secret_token": "ä"}, code: 400, text: "Bad Request: secret token contains unallowed characters"},
		{name: "plain webhook", method: "setWebhook", args: args{"url": "http://h"}, code: 400, text: "Bad Request: bad webhook: An HTTPS URL must be provided for webhook"},
		{name: "reaction", method: "setMessageReaction", args: args{"chat_id": ada, "message_id": 1, "reaction": []args{{"type": "emoji", "emoji": "🧀"}}}, code: 400, text: "Bad Request: REACTION_INVALID"},
		{name: "two reactions", method: "setMessageReaction", args: args{"chat_id": ada, "message_id": 1, "reaction": []args{{"type": "emoji", "emoji": "👍"}, {"type": "emoji", "emoji": "👀"}}}, code: 400, text: "Bad Request: REACTIONS_TOO_MANY"},
		{name: "reaction to nothing", method: "setMessageReaction", args: args{"chat_id": ada, "message_id": 99, "reaction": []args{{"type": "emoji", "emoji": "👍"}}}, code: 400, text: "Bad Request: message to react not found"},
		{name: "commands of a long language", method: "setMyCommands", args: args{"commands": []args{}, "language_code": "zh-hans"}, code: 400, text: "Bad Request: invalid language code specified"},
		{name: "no command", method: "setMyCommands", args: args{"commands": []args{{"command": "/", "description": "x"}}}, code: 400, text: "Bad Request: command must be non-empty"},
		{name: "long command", method: "setMyCommands", args: args{"commands": []args{{"command": strings.Repeat("x", 33), "description": "x"}}}, code: 400, text: "Bad Request: command length must not exceed 32"},
		{name: "no description", method: "setMyCommands", args: args{"commands": []args{{"command": "start", "description": " "}}}, code: 400, text: "Bad Request: command description must be non-empty"},
		{name: "long description", method: "setMyCommands", args: args{"commands": []args{{"command": "start", "description": strings.Repeat("é", 257)}}}, code: 400, text: "Bad Request: command description length must not exceed 256"},
		{name: "command", method: "setMyCommands", args: args{"commands": []args{{"command": "Start!", "description": "x"}}}, code: 400, text: "Bad Request: BOT_COMMAND_INVALID"},
		{name: "action", method: "sendChatAction", args: args{"chat_id": ada, "action": "thinking"}, code: 400, text: "Bad Request: wrong parameter action in request"},
	}
}

func TestPaths(t *testing.T) {
	s := world(t, telegramsim.Options{})
	for path, want := range map[string]string{
		"/":                        "Not Found",
		"/file/bot" + token + "/x": "Not Found",
		"/botnocolon/getMe":        "Unauthorized: invalid token specified",
		"/bot0:x/getMe":            "Unauthorized: invalid token specified",
		"/bot1:" + strings.Repeat("x", 80) + "/getMe": "Unauthorized: invalid token specified",
		"/bot123456:other/getMe":                      "Unauthorized",
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, http.NoBody))
		if got := w.Body.String(); !strings.Contains(got, `"description":"`+want+`"`) {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/bot"+token+"/GETME", http.NoBody))
	if got := w.Body.String(); !strings.Contains(got, `"username":"hermes_bot"`) {
		t.Errorf("GETME: got %s", got)
	}
}

func TestMigratedParameters(t *testing.T) {
	s := world(t, telegramsim.Options{})
	next, err := s.Upgrade(ada, group)
	if err != nil {
		t.Fatal(err)
	}
	if got := call(t, s, "sendMessage", to(group, nil)).Parameters.MigrateTo; got != next {
		t.Errorf("migrate_to_chat_id = %d, want %d", got, next)
	}
	send(t, s, to(next, nil))
	var seen []int64
	for _, u := range updates(t, s, args{"offset": -2}) {
		seen = append(seen, u.Message.MigrateTo, u.Message.MigrateOld)
	}
	if want := fmt.Sprint([]int64{next, 0, 0, group}); fmt.Sprint(seen) != want {
		t.Errorf("service messages = %v, want %v", seen, want)
	}
}

func TestLimitsAreInclusive(t *testing.T) {
	s := world(t, telegramsim.Options{})
	var row []args
	for range 100 {
		row = append(row, button("x", "x"))
	}
	row[0] = button("long", strings.Repeat("x", 64))
	send(t, s, to(ada, args{"text": strings.Repeat("😀", 4096) + " \n", "reply_markup": keyboard(row)}))
	send(t, s, to(ada, args{"reply_markup": keyboard([]args{{"text": "x", "url": "https://a.b"}})}))
	send(t, s, to(ada, args{"text": "<b>" + strings.Repeat("x", 4096) + "</b>", "parse_mode": "HTML"}))
	if v := s.Violations(); len(v) != 0 {
		t.Errorf("violations: %q", v)
	}
}

// nullRules are refusals of null, which is the text null for every parameter
// (HttpReader.cpp:685-698), and of other JSON that is not what it should be.
func nullRules() []rule {
	rules := []rule{
		{name: "null message", method: "editMessageText", args: to(ada, args{"message_id": nil}), code: 400, text: "Bad Request: message to edit not found"},
		{name: "null chat", method: "sendMessage", args: args{"chat_id": nil, "text": "x"}, code: 400, text: "Bad Request: chat not found"},
		{name: "null parse mode", method: "sendMessage", args: to(ada, args{"parse_mode": nil}), code: 400, text: "Bad Request: unsupported parse_mode"},
	}
	for _, c := range []struct {
		method, name string
		args         args
		wrong        []any
		text         string
	}{
		{"sendMessage", "reply_markup", to(ada, nil), []any{nil, []args{}, 5}, "object expected as reply markup"},                          // Client.cpp:9716
		{"editMessageText", "reply_markup", to(ada, args{"message_id": 1}), []any{nil}, "object expected as reply markup"},                 // Client.cpp:9716
		{"sendMessage", "reply_parameters", to(ada, nil), []any{nil, []args{}}, "object expected as reply parameters"},                     // Client.cpp:9416
		{"sendMessage", "link_preview_options", to(ada, nil), []any{nil, true}, "object expected as link preview options"},                 // Client.cpp:11379
		{"setMessageReaction", "reaction", args{"chat_id": ada, "message_id": 1}, []any{nil, args{}}, "expected an Array of ReactionType"}, // Client.cpp:12119
		{"setMyCommands", "commands", args{}, []any{nil, args{}}, "expected an Array of BotCommand"},                                       // Client.cpp:10666
		{"getMyCommands", "scope", args{}, []any{nil, []args{}}, "can't parse BotCommandScope: BotCommandScope must be an Object"},         // Client.cpp:10578
	} {
		for _, wrong := range c.wrong {
			a := args{}
			for k, v := range c.args {
				a[k] = v
			}
			a[c.name] = wrong
			rules = append(rules, rule{name: c.method + " " + c.name, method: c.method, args: a, code: 400, text: "Bad Request: " + c.text})
		}
	}
	return rules
}
