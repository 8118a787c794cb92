package sessions

import (
	"testing"
	"testing/synctest"

	"hermes/internal/question"
)

// What a group has settled on and waits for is the new one's, and stays that after a
// restart; what the new one has settled on itself stays too.
func TestMoved(t *testing.T) {
	in(t, func(w *world) {
		listener := question.Listener{Chat: 5, Topic: 2, Message: 7, Prompt: "msg_1"}
		w.seats.Store(question.ChatID(5), question.Seat{Chat: 5, Session: session, Level: question.LevelAll, Topic: 3, Live: 4})
		w.seats.Store(question.ChatID(6), question.Seat{Chat: 6, Session: "ses_own"})
		w.watches["ses_w"] = &watch{Watch: question.Watch{Session: "ses_w", For: []question.Listener{{Chat: 1, Message: 3}, listener}}}
		w.lines["ses_e"] = []*errand{{Errand: question.Errand{ID: "e", Chat: 5, Message: 8, Ack: 9}}}
		live := &follow{chat: 5}
		w.moved(5, 50)
		w.moved(5, 50) // again
		w.followShown(live, 11, nil)
		if _, back := w.seats.Load(question.ChatID(5)); back || !live.dead {
			t.Error("the old chat has a seat again")
		}
		w.moved(50, 5) // never back
		w.moved(6, 60)
		w.seats.Store(question.ChatID(60), question.Seat{Chat: 60, Session: "ses_new"})
		w.moved(6, 60)
		if s := w.seat(5); s.Chat != 50 || s.Session != session || s.Level != question.LevelAll || s.Topic != 0 || s.Live != 0 {
			t.Errorf("the seat is %+v", s)
		}
		if s := w.seat(60); s.Session != "ses_new" {
			t.Errorf("the new chat's own seat became %+v", s)
		}
		if l := w.watches["ses_w"].For; l[0].Chat != 1 || l[0].Message != 3 || l[1] != (question.Listener{Chat: 50, Prompt: "msg_1"}) {
			t.Errorf("the listeners are %+v", l)
		}
		if e := w.lines["ses_e"][0]; e.Chat != 50 || e.Message != 0 || e.Ack != 0 {
			t.Errorf("the errand is %+v", e.Errand)
		}
		if tell := w.redirected(question.Telling{Chat: 5, ReplyTo: 3, Edit: 4}); tell.Chat != 50 || tell.ReplyTo != 0 || tell.Edit != 0 {
			t.Errorf("redirected to %+v", tell)
		}
		stored := map[question.ChatID]question.Seat{}
		for _, c := range w.changes {
			for _, s := range c.Seats {
				stored[s.Chat] = s
			}
		}
		if stored[50].Session != session || stored[5] != (question.Seat{Chat: 5}) || len(w.changes) != 2 {
			t.Errorf("stored %+v in %d changes", stored, len(w.changes))
		}
	})
}

// The message of a prompt stayed behind, where no reaction can be put under it: words tell
// what became of it.
func TestTheEndOfAPromptThatMoved(t *testing.T) {
	in(t, func(w *world) {
		w.back(func() {
			w.end(&errand{Errand: question.Errand{ID: "e", Chat: 50}}, question.Telling{Kind: question.TellTaken}, target{session: session})
		})
		synctest.Wait()
		wantKinds(t, w, question.TellTaken)
	})
}
