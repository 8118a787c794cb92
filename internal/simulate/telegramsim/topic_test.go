package telegramsim_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

// refuses makes a call that is to be refused in these words.
func refuses(t *testing.T, s *telegramsim.Server, method string, a args, want string) {
	t.Helper()
	if got := call(t, s, method, a); got.Description != want {
		t.Errorf("%s %v: %q, want %q", method, a, got.Description, want)
	}
}

func made(t *testing.T, s *telegramsim.Server, chat int64, name string) int {
	t.Helper()
	var topic struct {
		Thread int `json:"message_thread_id"`
		Name   string
	}
	answer := ok(t, s, "createForumTopic", args{"chat_id": chat, "name": name})
	if err := json.Unmarshal(answer.Result, &topic); err != nil || topic.Thread == 0 || topic.Name != name {
		t.Fatalf("%s, %v", answer.Result, err)
	}
	return topic.Thread
}

func TestTopicsOfTheBot(t *testing.T) {
	s := world(t, telegramsim.Options{})
	create := args{"chat_id": forum, "name": "shop"}
	refuses(t, s, "createForumTopic", create, "Bad Request: not enough rights to create a topic")
	refuses(t, s, "createForumTopic", args{"chat_id": super, "name": "shop"}, "Bad Request: the chat is not a forum")
	refuses(t, s, "createForumTopic", args{"chat_id": ada, "name": "shop"}, "Bad Request: the chat is not a forum")
	if err := s.Promote(ada, forum); err != nil {
		t.Fatal(err)
	}
	refuses(t, s, "createForumTopic", create, "Bad Request: not enough rights to create a topic")
	if err := s.Entrust(ada, forum); err != nil {
		t.Fatal(err)
	}
	if v := s.Violations(); len(v) != 0 {
		t.Errorf("the bot could not know: %q", v)
	}
	shop := args{"chat_id": forum, "message_thread_id": made(t, s, forum, "shop")}
	ok(t, s, "closeForumTopic", shop)
	refuses(t, s, "closeForumTopic", shop, "Bad Request: TOPIC_NOT_MODIFIED")
	if got := s.Topics(forum); len(got) != 1 || !got[0].Closed || !got[0].FromBot || got[0].Name != "shop" {
		t.Errorf("%+v", got)
	}
	if _, err := s.Say(bob, forum, "hello", telegramsim.InTopic(s.Topics(forum)[0].ID)); err == nil {
		t.Error("Bob writes into a closed topic")
	}
	ok(t, s, "sendMessage", args{"chat_id": forum, "message_thread_id": s.Topics(forum)[0].ID, "text": "the bot may"})
	ok(t, s, "reopenForumTopic", shop)
	refuses(t, s, "reopenForumTopic", shop, "Bad Request: TOPIC_NOT_MODIFIED")
	shop["name"] = "shop-api"
	ok(t, s, "editForumTopic", shop)
	refuses(t, s, "editForumTopic", shop, "Bad Request: TOPIC_NOT_MODIFIED")
	s.DeleteTopic(forum, s.Topics(forum)[0].ID)
	refuses(t, s, "editForumTopic", shop, "Bad Request: TOPIC_ID_INVALID")
	for _, line := range []string{"opens the topic “shop”", "closes the topic", "reopens the topic", "renames the topic “shop” to “shop-api”"} {
		if !strings.Contains(s.History(forum), line) {
			t.Errorf("the history lacks %q:\n%s", line, s.History(forum))
		}
	}
}

// A topic that somebody else made and closed is shut for a bot without the right.
func TestClosedTopicOfOthers(t *testing.T) {
	s := world(t, telegramsim.Options{})
	id := s.AddTopic(forum, "news")
	topic := args{"chat_id": forum, "message_thread_id": id, "text": "hi"}
	refuses(t, s, "closeForumTopic", topic, "Bad Request: not enough rights to edit the topic")
	if err := s.Entrust(ada, forum); err != nil {
		t.Fatal(err)
	}
	ok(t, s, "closeForumTopic", topic)
	if err := s.Invite(ada, forum); err != nil { // a plain member again
		t.Fatal(err)
	}
	refuses(t, s, "sendMessage", topic, "Bad Request: TOPIC_CLOSED")
}

// Where people have closed or hidden General, a plain member writes to the other topics alone, also by a reply.
func TestClosedGeneral(t *testing.T) {
	s := world(t, telegramsim.Options{})
	id := s.AddTopic(forum, "news")
	plain := args{"chat_id": forum, "text": "hi"}
	ok(t, s, "sendMessage", plain)
	for _, close := range []func(){func() { s.ShutTopic(forum, 1) }, func() { s.HideGeneral(forum) }} {
		close()
		refuses(t, s, "sendMessage", plain, "Bad Request: TOPIC_CLOSED")
		m := send(t, s, args{"chat_id": forum, "message_thread_id": id, "text": "news"})
		ok(t, s, "sendMessage", args{"chat_id": forum, "text": "more", "reply_parameters": map[string]int{"message_id": m.ID}})
		if _, err := s.Say(bob, forum, "hello"); err == nil {
			t.Error("Bob writes into General")
		}
		s.ShowGeneral(forum)
		ok(t, s, "sendMessage", plain)
	}
	s.HideGeneral(forum)
	if err := s.Entrust(ada, forum); err != nil {
		t.Fatal(err)
	}
	ok(t, s, "sendMessage", plain)
}

func TestPrivateTopics(t *testing.T) {
	s := world(t, telegramsim.Options{PrivateTopics: true})
	if me := ok(t, s, "getMe", nil); !strings.Contains(string(me.Result), `"has_topics_enabled":true`) {
		t.Errorf("getMe: %s", me.Result)
	}
	id := made(t, s, ada, "shop")
	m := send(t, s, to(ada, args{"message_thread_id": id}))
	if m.Thread != id {
		t.Errorf("thread %d", m.Thread)
	}
	say(t, s, ada, ada, "so?", telegramsim.InTopic(id))
	all := updates(t, s, args{"offset": -1})
	if got := all[0].Message; got.Thread != id || got.ReplyTo.ID != 0 {
		t.Errorf("in a topic: %+v", got)
	}
	if got, want := s.Topics(ada), []telegramsim.Topic{{ID: id, Name: "shop", FromBot: true}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if next := made(t, s, ada, "admin"); next != id+1 { // messages were sent in between
		t.Errorf("the topics are %d and %d", id, next)
	}
	refuses(t, s, "closeForumTopic", args{"chat_id": ada, "message_thread_id": id}, "Bad Request: the chat is not a forum")
	refuses(t, s, "createForumTopic", args{"chat_id": ada, "name": " \n"}, "Bad Request: name must be non-empty")
	refuses(t, s, "editForumTopic", args{"chat_id": ada, "message_thread_id": id, "name": "\t"}, "Bad Request: name must be non-empty")
	if v := s.Violations(); len(v) != 3 {
		t.Errorf("misuse: %q", v)
	}
}

// Whatever is done to a topic is a message of its own, which takes an id and comes to the
// bot as well.
func TestServiceMessagesOfTopics(t *testing.T) {
	s := world(t, telegramsim.Options{})
	if err := s.Entrust(ada, forum); err != nil {
		t.Fatal(err)
	}
	ok(t, s, "createForumTopic", args{"chat_id": forum, "name": strings.Repeat("é", 200)})
	id := s.Topics(forum)[0].ID
	topic := args{"chat_id": forum, "message_thread_id": id}
	if got := s.Topics(forum)[0].Name; got != strings.Repeat("é", 128) {
		t.Errorf("it is called %q", got)
	}
	ok(t, s, "editForumTopic", args{"chat_id": forum, "message_thread_id": id, "name": "shop"})
	ok(t, s, "closeForumTopic", topic)
	ok(t, s, "reopenForumTopic", topic)
	m := send(t, s, to(forum, args{"message_thread_id": id}))
	if m.ID != id+4 {
		t.Errorf("the next message is %d, and the topic %d", m.ID, id)
	}
	refuses(t, s, "editMessageText", to(forum, args{"message_id": id, "text": "y"}), "Bad Request: message can't be edited")
	var raw []struct {
		Message map[string]any
	}
	if err := json.Unmarshal(ok(t, s, "getUpdates", args{"offset": -4}).Result, &raw); err != nil {
		t.Fatal(err)
	}
	for n, kind := range []string{"forum_topic_created", "forum_topic_edited", "forum_topic_closed", "forum_topic_reopened"} {
		got := raw[n].Message
		from, _ := got["from"].(map[string]any)
		if got[kind] == nil || got["message_id"] != float64(id+n) || got["message_thread_id"] != float64(id) || from["is_bot"] != true {
			t.Errorf("%s: %v", kind, got)
		}
	}
	if n := len(s.Messages(forum)); n != 1 {
		t.Errorf("%d messages are shown", n)
	}
}
