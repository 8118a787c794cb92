package telegramsim_test

import (
	"testing"

	"hermes/internal/simulate/telegramsim"
)

// each is a call of each method that names a chat, and of each kind of access.
func each(chat int64) map[string]args {
	at := func(more args) args { return to(chat, more) }
	return map[string]args{
		"sendMessage": at(nil), "sendChatAction": at(args{"action": "typing"}),
		"editMessageText": at(args{"message_id": 0, "text": "other"}), "deleteMessage": at(args{"message_id": 0}),
		"setMessageReaction": at(args{"message_id": 0, "reaction": []args{{"type": "emoji", "emoji": "👀"}}}),
		"getChat":            at(nil), "getChatMember": at(args{"user_id": 123456}),
	}
}

// What is answered in a chat that is gone for the bot depends on what the method needs
// there (Client.cpp:8123-8192), and where the server has nothing against it on Telegram,
// of which it is not known.
func TestWhatEachMethodNeedsOfAChat(t *testing.T) {
	const (
		upgraded = "Bad Request: group chat was upgraded to a supergroup chat"
		invalid  = "Bad Request: MESSAGE_ID_INVALID"
		kicked   = "Forbidden: bot was kicked from the group chat"
		out      = "Forbidden: bot was kicked from the supergroup chat"
		blocked  = "Forbidden: bot was blocked by the user"
	)
	for name, test := range map[string]struct {
		chat int64
		do   func(*telegramsim.Server) error
		want map[string]string // of the methods that are refused
	}{
		"upgraded": {
			group, func(s *telegramsim.Server) error { _, err := s.Upgrade(ada, group); return err },
			map[string]string{
				"sendMessage": upgraded, "sendChatAction": upgraded, "deleteMessage": upgraded,
				"editMessageText": invalid, "setMessageReaction": invalid,
			},
		},
		"kicked from a group": {
			group, func(s *telegramsim.Server) error { return s.Kick(ada, group) },
			map[string]string{
				"sendMessage": kicked, "sendChatAction": kicked, "deleteMessage": kicked,
				"editMessageText": kicked,
			},
		},
		"kicked from a supergroup": {
			super, func(s *telegramsim.Server) error { return s.Kick(ada, super) },
			map[string]string{
				"sendMessage": out, "sendChatAction": out, "deleteMessage": out, "getChatMember": out,
				"getChat": out, "editMessageText": out, "setMessageReaction": out,
			},
		},
		"blocked": {
			ada, func(s *telegramsim.Server) error { return s.Block(ada) },
			map[string]string{
				"sendMessage": blocked, "sendChatAction": blocked, "deleteMessage": blocked,
				"editMessageText": blocked, "setMessageReaction": blocked,
			},
		},
	} {
		for method, a := range each(test.chat) {
			s := world(t, telegramsim.Options{})
			m := send(t, s, to(test.chat, args{"text": "mine"}))
			if err := test.do(s); err != nil {
				t.Fatal(err)
			}
			if a["message_id"] != nil {
				a["message_id"] = m.ID
			}
			if got := call(t, s, method, a); got.Description != test.want[method] {
				t.Errorf("%s: %s: %q, want %q", name, method, got.Description, test.want[method])
			}
		}
	}
}

// In a group without topics a message_thread_id means nothing, and a chat action looks up
// no topic anywhere.
func TestTopicsThatAreNotLookedUp(t *testing.T) {
	s := world(t, telegramsim.Options{})
	for _, chat := range []int64{group, super} {
		if m := send(t, s, to(chat, args{"message_thread_id": 9})); m.Thread != 0 {
			t.Errorf("in %d it went to %d", chat, m.Thread)
		}
	}
	for _, chat := range []int64{group, super, forum, ada} {
		ok(t, s, "sendChatAction", args{"chat_id": chat, "message_thread_id": 99, "action": "typing"})
	}
	if v := s.Violations(); len(v) != 0 {
		t.Errorf("misuse: %q", v)
	}
}
