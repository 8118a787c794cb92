package telegram_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
)

func (w *world) box(p outbound.BoxPost) question.BoxDone {
	done := make(chan question.BoxDone, 1)
	w.bot.Box(p, func(d question.BoxDone) { done <- d })
	return <-done
}

func boxFor(chatID chat.ID, v question.View) outbound.BoxPost {
	return outbound.BoxPost{Chat: chatID, User: chat.User{ID: 7, Name: "Ada <7>", Lang: "en"}, View: v}
}

// The reply box of one person opens by a new message, and goes with it; no edit opens any.
func TestReplyBox_OpensAndIsRemoved(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		p := boxFor(7, cardtest.After(cardtest.Asks(cardtest.Database()), cardtest.Typing(0)))
		p.ReplyTo = s.Messages[0]
		d := w.box(p)
		m := w.tele.Messages(7)[2]
		if d.Err != nil || int(d.ID) != m.ID || !m.ForceReply || m.Opens != nil || !m.Silent || m.Holder != "Your answer" || m.ReplyTo != int(p.ReplyTo) ||
			m.Text != "✏️ Database · shop-api\nReply to this message with your answer." {
			t.Errorf("%+v %+v", d, m)
		}
		p.Message = d.ID
		for range 2 { // the second time it is gone already
			if d := w.box(p); d.Err != nil || !w.tele.Messages(7)[2].Deleted {
				t.Errorf("%+v", d)
			}
		}
	})
}

// In a group it opens for that person alone.
func TestReplyBox_InAGroup(t *testing.T) {
	inWorld(t, func(w *world) {
		d := w.box(boxFor(-5, cardtest.After(cardtest.Asks(cardtest.Database()), cardtest.Typing(0))))
		m := w.tele.Messages(-5)[0]
		if d.Err != nil || !m.ForceReply || !slices.Equal(m.Opens, []int64{7}) || m.Text != "✏️ Database · shop-api\nAda 7: Reply to this message with your answer." {
			t.Errorf("%+v %+v", d, m)
		}
	})
}

// What cannot be deleted is not tried for ever; what may be, is.
func TestReplyBox_ThatStays(t *testing.T) {
	inWorld(t, func(w *world) {
		p := boxFor(7, cardtest.Asks(cardtest.Database()))
		p.Message = w.box(p).ID
		for name, c := range map[string]struct {
			fault telegramsim.Fault
			final bool
		}{
			"no right to":   {telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: message can't be deleted for everyone"}, true},
			"no connection": {telegramsim.Fault{Kind: telegramsim.Unreachable}, false},
		} {
			w.tele.SetFault(func(telegramsim.Call) telegramsim.Fault { return c.fault })
			if d := w.box(p); d.Err == nil || d.Final != c.final {
				t.Errorf("%s: %+v", name, d)
			}
		}
		w.tele.SetFault(nil)
	})
}

const forum = -1009

// topic asks the bot for something, and waits for what became of it.
func (w *world) topic(p outbound.TopicPost) outbound.TopicDone {
	w.t.Helper()
	done := make(chan outbound.TopicDone, 1)
	w.bot.Topic(p, func(d outbound.TopicDone) { done <- d })
	return <-done
}

func inForum(t *testing.T, test func(*world)) {
	inWorld(t, func(w *world) {
		w.tele.AddChat(telegramsim.Chat{
			ID: forum, Type: telegramsim.Supergroup, Title: "Forum", Forum: true, Members: []int64{7}, BotAdmin: true, ManageTopics: true,
		})
		test(w)
	})
}

func TestTopic_OfASession(t *testing.T) {
	inForum(t, func(w *world) {
		d := w.topic(outbound.TopicPost{Do: outbound.MakeTopic, Chat: forum, Name: " fix\n\tcheckout\u202E flow "})
		if d.Err != nil || d.ID == 0 {
			t.Fatalf("%+v", d)
		}
		for _, p := range []outbound.TopicPost{
			{Do: outbound.RenameTopic, Name: strings.Repeat("界", 200)},
			{Do: outbound.RenameTopic, Name: strings.Repeat("界", 200)}, // it is so already
			{Do: outbound.CloseTopic},
			{Do: outbound.CloseTopic},
		} {
			p.Chat, p.ID = forum, d.ID
			if got := w.topic(p); got.Err != nil {
				t.Errorf("%+v: %v", p, got.Err)
			}
		}
		want := []telegramsim.Topic{{ID: d.ID, Name: strings.Repeat("界", 127) + "…", Closed: true, FromBot: true}}
		if got := w.tele.Topics(forum); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v", got)
		}
		if got := w.topic(outbound.TopicPost{Do: outbound.ReopenTopic, Chat: forum, ID: d.ID}); got.Err != nil || w.tele.Topics(forum)[0].Closed {
			t.Errorf("%+v", got)
		}
		if h := w.tele.History(forum); !strings.Contains(h, "“fix checkout[U+202E] flow”") {
			t.Error(h)
		}
		w.tele.DeleteTopic(forum, d.ID)
		if got := w.topic(outbound.TopicPost{Do: outbound.RenameTopic, Chat: forum, ID: d.ID, Name: "x"}); !errors.Is(got.Err, outbound.ErrTopicGone) || !got.Final {
			t.Errorf("deleted: %+v", got)
		}
	})
}

func TestTopic_ThatCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		fault  telegramsim.Fault
		chat   chat.ID
		reason telegram.Reason
		want   outbound.TopicDone // without its error
	}{
		"no forum":         {chat: 7, reason: botapi.NoTopics, want: outbound.TopicDone{Final: true}},
		"no right":         {fault: telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: not enough rights to create a topic"}, reason: botapi.NoRights, want: outbound.TopicDone{Final: true}},
		"flood":            {fault: telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 3000}, reason: botapi.Flood, want: outbound.TopicDone{RetryAfter: 3000 * time.Second}},
		"no connection":    {fault: telegramsim.Fault{Kind: telegramsim.Unreachable}, reason: botapi.Network},
		"lost answer":      {fault: telegramsim.Fault{Kind: telegramsim.ResetAfter}, reason: botapi.Network, want: outbound.TopicDone{Unknown: true}},
		"a proxy's answer": {fault: telegramsim.Fault{Kind: telegramsim.BadGatewayAfter}, reason: botapi.Server, want: outbound.TopicDone{Unknown: true}},
		"no answer":        {fault: telegramsim.Fault{Kind: telegramsim.Hang}, reason: botapi.Network, want: outbound.TopicDone{Unknown: true}},
	} {
		t.Run(name, func(t *testing.T) {
			inForum(t, func(w *world) {
				if test.chat == 0 {
					test.chat = forum
				}
				w.tele.FailNext("createForumTopic", test.fault)
				began := time.Now()
				d := w.topic(outbound.TopicPost{Do: outbound.MakeTopic, Chat: test.chat, Name: "shop"})
				mustFailWith(t, d.Err, test.reason)
				if d.Err = nil; d != test.want || time.Since(began) > 10*time.Second {
					t.Errorf("%+v after %v", d, time.Since(began))
				}
				// The chat is none the worse for it.
				mustShow(t, w.show(post(test.chat, cardtest.Asks(cardtest.Database()))), 3)
				if took := time.Since(began); took > 12*time.Second {
					t.Errorf("the card came after %v", took)
				}
			})
		})
	}
}
