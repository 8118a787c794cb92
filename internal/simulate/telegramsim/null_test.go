package telegramsim_test

import (
	"net/http"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

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

// Where a text is wanted, null is one; a number or a switch it is not.
func TestNullIsAText(t *testing.T) {
	s := world(t, telegramsim.Options{})
	got := call(t, s, "sendMessage", args{"chat_id": ada, "text": nil, "message_thread_id": nil, "disable_notification": nil, "protect_content": nil})
	if m := s.Messages(ada); got.Status != http.StatusOK || len(m) != 2 || m[1].Text != "null" || m[1].Silent || m[1].Protected {
		t.Errorf("%d %s: %+v", got.Status, got.Description, m)
	}
}
