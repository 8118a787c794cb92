package telegramsim_test

import (
	"fmt"
	"strings"
	"sync"
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
	if !see(group, "/pick@Hermes_Bot now") || !see(ada, "private") || !see(chnl, "post") {
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
	if open := world(t, telegramsim.Options{PrivacyOff: true}); say(t, open, ada, group, "hello") == 0 || open.Pending() != 2 {
		t.Error("without privacy mode the bot misses a message")
	}
}

func TestDisguises(t *testing.T) {
	s := world(t, telegramsim.Options{PrivacyOff: true})
	last := func() update { return updates(t, s, args{"offset": -1})[0] }
	say(t, s, ada, super, "x", telegramsim.Anonymously())
	if m := last().Message; m.From.ID != telegramsim.GroupAnonymousBot || m.SenderChat.ID != super {
		t.Errorf("anonymous: %+v", m)
	}
	if _, err := s.Say(bob, super, "x", telegramsim.Anonymously()); err == nil {
		t.Error("a plain member wrote anonymously")
	}
	say(t, s, ada, super, "x", telegramsim.AsChannel(chnl))
	if m := last().Message; m.From.ID != telegramsim.ChannelBot || m.SenderChat.ID != chnl {
		t.Errorf("as channel: %+v", m)
	}
	say(t, s, ada, chnl, "news")
	if m := last().Post; m == nil || m.From != nil || m.SenderChat.ID != chnl || m.Text != "news" {
		t.Errorf("post: %+v", m)
	}
	say(t, s, ada, ada, "/start é😀 x")
	if es := last().Message.Entities; len(es) != 1 || es[0].Type != "bot_command" || es[0].Length != 6 {
		t.Errorf("command entities: %v", es)
	}
}

func TestTopics(t *testing.T) {
	s := world(t, telegramsim.Options{PrivacyOff: true})
	shop := s.AddTopic(forum, "shop")
	m := send(t, s, to(forum, args{"message_thread_id": shop}))
	if m.Thread != shop {
		t.Errorf("thread %d, want %d", m.Thread, shop)
	}
	id := say(t, s, ada, forum, "hi", telegramsim.InTopic(shop))
	if got := updates(t, s, args{"offset": -1})[0].Message; got.Thread != shop {
		t.Errorf("incoming thread %d, want %d", got.Thread, shop)
	}
	if m := send(t, s, to(forum, args{"reply_parameters": args{"message_id": id}})); m.Thread != shop || m.ReplyTo.ID != id {
		t.Errorf("reply without a topic: %+v", m)
	}
	if m := send(t, s, to(forum, nil)); m.Thread != 0 {
		t.Errorf("General has thread %d", m.Thread)
	}
	s.DeleteTopic(forum, shop)
	if got := call(t, s, "sendMessage", to(forum, args{"message_thread_id": shop})); got.Description != "Bad Request: message thread not found" {
		t.Errorf("deleted topic: %q", got.Description)
	}
	if v := s.Violations(); len(v) != 0 {
		t.Errorf("a topic that was deleted is no misuse: %q", v)
	}
	call(t, s, "sendMessage", to(forum, args{"message_thread_id": 1}))
	if v := s.Violations(); len(v) != 1 {
		t.Errorf("naming General is misuse: %q", v)
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

func TestRewriteIsAnEditedMessage(t *testing.T) {
	s := world(t, telegramsim.Options{})
	id := say(t, s, ada, ada, "one")
	if err := s.Rewrite(ada, ada, id, "two"); err != nil {
		t.Fatal(err)
	}
	if got := updates(t, s, args{"offset": -1})[0].Edited; got == nil || got.Text != "two" || got.sent.Edited == 0 {
		t.Errorf("edited_message = %+v", got)
	}
	if err := s.Rewrite(bob, ada, id, "three"); err == nil {
		t.Error("a stranger edited a message")
	}
}

func TestMembers(t *testing.T) {
	s := world(t, telegramsim.Options{})
	status := func(chat, user int64) string {
		return string(ok(t, s, "getChatMember", args{"chat_id": chat, "user_id": user}).Result)
	}
	for want, got := range map[string]string{
		`"status":"administrator"`: status(super, ada),
		`"status":"member"`:        status(super, bob),
		`"status":"left"`:          status(ada, bob),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := ok(t, s, "getChat", args{"chat_id": "@news"}); !strings.Contains(string(got.Result), fmt.Sprint(`"id":`, chnl)) {
		t.Errorf("getChat = %s", got.Result)
	}
	s.AddUser(telegramsim.User{ID: 44, FirstName: "Eve"})
	if _, err := s.Say(44, group, "x"); err == nil {
		t.Error("a stranger wrote into the group")
	}
	if err := s.Join(44, group); err != nil {
		t.Fatal(err)
	}
	say(t, s, 44, group, "x")
}

func TestConcurrentUse(t *testing.T) {
	s := world(t, telegramsim.Options{PrivacyOff: true})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			m := send(t, s, to(ada, args{"reply_markup": keyboard([]args{button("Go", "1")})}))
			_, err := s.Tap(ada, ada, m.ID, "Go")
			if err != nil {
				t.Error(err)
			}
			say(t, s, bob, group, "x")
			ok(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": "done"}))
			_, _, _, _ = s.Messages(ada), s.History(ada), s.Calls(), s.Violations()
		})
	}
	wg.Wait()
	if n, pending := strings.Count(s.Transcript(ada), s.Bot().FirstName+" (edited): done\n"), s.Pending(); n != 8 || pending != 17 {
		t.Errorf("%d messages, %d updates; want 8 and 17", n, pending)
	}
}
