package telegramsim_test

import (
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

func TestPrivacyMode(t *testing.T) {
	s := world(t, telegramsim.Options{})
	see := func(chat int64, text string, how ...telegramsim.SayOption) bool {
		before := s.Pending()
		say(t, s, ada, chat, text, how...)
		return s.Pending() > before
	}
	if see(group, "hello") || see(group, "@hermes_bot hello") || see(group, "/pick") || see(group, "/pick@other_bot") {
		t.Error("the bot sees messages that privacy mode hides")
	}
	if !see(group, "/pick@Hermes_Bot now") || !see(ada, "private") {
		t.Error("the bot misses messages for it")
	}
	m := send(t, s, to(group, nil))
	if !see(group, "/pick") || !see(group, "answer", telegramsim.ReplyTo(m.ID)) {
		t.Error("the bot misses a command or a reply after it wrote")
	}
	if err := s.Promote(ada, group); err != nil {
		t.Fatal(err)
	}
	if !see(group, "hello") {
		t.Error("an administrator misses a message")
	}
	if err := s.Kick(ada, group); err != nil {
		t.Fatal(err)
	}
	if see(group, "/pick@hermes_bot") {
		t.Error("a kicked bot sees messages")
	}
	if err := s.Invite(ada, group); err != nil {
		t.Fatal(err)
	}
	if !see(group, "/pick") || see(group, "hello") {
		t.Error("a bot that was invited again must be a plain member")
	}
}

func TestDisguises(t *testing.T) {
	s := world(t, telegramsim.Options{})
	if err := s.Promote(ada, super); err != nil {
		t.Fatal(err)
	}
	last := func() update { return updates(t, s, args{"offset": -1})[0] }
	say(t, s, ada, super, "x", telegramsim.Anonymously())
	if m := last().Message; m.From.ID != telegramsim.GroupAnonymousBot || m.SenderChat.ID != super {
		t.Errorf("anonymous: %+v", m)
	}
	if _, err := s.Say(bob, super, "x", telegramsim.Anonymously()); err == nil {
		t.Error("a plain member wrote anonymously")
	}
	say(t, s, ada, super, "x", telegramsim.AsChannel(news))
	if m := last().Message; m.From.ID != telegramsim.ChannelBot || m.SenderChat.ID != news {
		t.Errorf("as channel: %+v", m)
	}
	say(t, s, ada, ada, "/start é😀 x")
	if es := last().Message.Entities; len(es) != 1 || es[0].Type != "bot_command" || es[0].Length != 6 {
		t.Errorf("command entities: %v", es)
	}
}

func TestReplies(t *testing.T) {
	s := world(t, telegramsim.Options{})
	id := say(t, s, ada, ada, "question")
	if m := send(t, s, to(ada, args{"reply_parameters": args{"message_id": id}})); m.ReplyTo.ID != id {
		t.Errorf("reply: %+v", m)
	}
	if err := s.Delete(ada, ada, id); err != nil {
		t.Fatal(err)
	}
	lax := args{"message_id": id, "allow_sending_without_reply": true}
	if m := send(t, s, to(ada, args{"reply_parameters": lax})); m.ReplyTo.ID != 0 {
		t.Errorf("reply to a deleted message: %+v", m)
	}
}

func TestBlockTellsTheBot(t *testing.T) {
	s := world(t, telegramsim.Options{})
	if err := s.Block(ada); err != nil {
		t.Fatal(err)
	}
	got := string(updates(t, s, args{"offset": -1})[0].Member)
	if !strings.Contains(got, `"new_chat_member":{"user":{"id":123456`) || !strings.Contains(got, `"status":"kicked","until_date":0`) {
		t.Errorf("my_chat_member = %s", got)
	}
	if _, err := s.Say(ada, ada, "x"); err == nil {
		t.Error("wrote to a blocked bot")
	}
	if err := s.Unblock(ada); err != nil {
		t.Fatal(err)
	}
	send(t, s, to(ada, nil))
	if got := s.History(ada); !strings.Contains(got, "* Ada blocks the bot\n* Ada unblocks the bot\n") {
		t.Errorf("history:\n%s", got)
	}
}

func TestLinksThatDoNothing(t *testing.T) {
	s := world(t, telegramsim.Options{})
	before := s.LastUpdateID()
	for link, chat := range map[string]int64{
		"https://t.me/other_bot?start=x":                                0,
		"http://t.me/hermes_bot?start=x":                                0,
		"https://example.org/hermes_bot?start=x":                        0,
		"https://t.me/hermes_bot":                                       0,
		"https://t.me/hermes_bot?start=":                                0,
		"https://t.me/hermes_bot?start=a.b":                             0,
		"https://t.me/hermes_bot?start=" + strings.Repeat("x", 65):      0,
		"https://t.me/hermes_bot?start=x&startgroup=x":                  0,
		"https://t.me/hermes_bot?start=inagroup":                        group,
		"https://t.me/hermes_bot?startgroup=" + strings.Repeat("x", 65): group,
		"https://t.me/hermes_bot?startgroup=nogroup":                    0,
		"https://t.me/hermes_bot?startgroup=private":                    ada,
		"https://t.me/hermes_bot?startgroup=unknown":                    -77,
	} {
		if _, err := s.OpenLink(ada, link, chat); err == nil {
			t.Errorf("%s in %d did something", link, chat)
		}
	}
	if s.LastUpdateID() != before {
		t.Error("the bot was told")
	}
}
