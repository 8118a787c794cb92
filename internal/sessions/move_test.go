package sessions_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// What a group has settled on and waits for is the new one's, and stays that after a
// restart; what the new one has settled on itself stays too.
func TestMoved_TakesWhatIsOwedAlong(t *testing.T) {
	w := seededWorld(storage.Change{
		ChatSettings: []remote.ChatSettings{
			{Chat: 5, Session: testSession, Origin: origin(), Level: remote.LevelAll, Topic: 3, Follow: true, Live: 4},
			{Chat: 6, Session: "ses_own"},
			{Chat: 60, Session: "ses_new"},
		},
		MessageRefs: []remote.MessageRef{{Chat: 5, Message: 4, Session: testSession, Origin: origin()}},
		TurnWatches: []remote.TurnWatch{{Session: "ses_w", Origin: origin(), For: []remote.Listener{
			{Chat: 1, Message: 3}, {Chat: 5, Topic: 2, Message: 7, Prompt: "msg_1"},
		}}},
		Prompts: []remote.QueuedPrompt{{ID: "e", Origin: origin(), Prompt: session.Prompt{Session: "ses_e"}, Chat: 5, Message: 8, Ack: 9, At: time.Now()}},
	})
	w.away = true
	inThat(t, w, func(w *world) {
		pass(6 * time.Second) // the live message is shown
		w.move(5, 50)
		before := len(w.changes)
		w.move(5, 50) // again
		if len(w.live) != 1 {
			t.Fatalf("%d live messages", len(w.live))
		}
		w.live[0].Shown(11, nil) // what was on its way to the old group
		synctest.Wait()
		if len(w.changes) != before {
			t.Errorf("stored again: %+v", w.changes[before:])
		}
		w.move(6, 60)
		for range 2 {
			if s := w.settings(50); s.Session != testSession || s.Level != remote.LevelAll || s.Topic != 0 || s.Live != 0 {
				t.Errorf("the new chat has %+v", s)
			}
			if s := w.settings(5); s != (remote.ChatSettings{Chat: 5}) {
				t.Errorf("the old chat has %+v", s)
			}
			if s := w.settings(60); s.Session != "ses_new" {
				t.Errorf("the new chat's own became %+v", s)
			}
			d := w.driving()
			if l := d.TurnWatches[0].For; l[0] != (remote.Listener{Chat: 1, Message: 3}) || l[1] != (remote.Listener{Chat: 50, Prompt: "msg_1"}) {
				t.Errorf("the listeners are %+v", l)
			}
			if e := d.Prompts[0]; e.Chat != 50 || e.Message != 0 || e.Ack != 0 {
				t.Errorf("the prompt is %+v", e)
			}
			w.restart()
		}
	})
}

// What is told to the old group is told in the new one, as a reply to nothing.
func TestMoved_TellsInTheNewGroup(t *testing.T) {
	in(t, func(w *world) {
		w.move(5, 50)
		w.send(typedIn(5, 1, "/help"))
		w.wantTold(en.Sessions.Help)
		if got := w.told[0]; got.Chat != 50 || got.ReplyTo != 0 || got.Edit != 0 {
			t.Errorf("told %+v", got)
		}
	})
}

// The message of a prompt stayed behind, where no reaction can be put under it: words tell
// what became of it.
func TestMoved_PromptEndsInWords(t *testing.T) {
	inThat(t, seededWorld(storage.Change{Prompts: []remote.QueuedPrompt{
		{ID: "e", Origin: origin(), Prompt: session.Prompt{Session: testSession}, Chat: 50, At: time.Now()},
	}}), func(w *world) {
		w.event(event.Opened, "")
		pass(time.Second)
		w.wantTold(en.Sessions.Taken)
	})
}
