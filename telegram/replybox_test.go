package telegram_test

import (
	"slices"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
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
