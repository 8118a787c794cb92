package bridge_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
)

// spoil makes one record of the file unreadable while no bridge runs.
func (w *world) spoil(bucket, key string) {
	w.t.Helper()
	db, err := bolt.Open(w.path, 0o600, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte(bucket)).Put([]byte(key), []byte(`{"id":`))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		w.t.Fatal(err)
	}
}

// A question whose record cannot be read is asked again where OpenCode still waits; on
// its old card nothing counts, and whoever tries is told why.
func TestUnreadable_Question(t *testing.T) {
	play(t, nil, func(w *world) {
		lost, kept := w.agent.ask(oneItem()), w.agent.ask(oneItem())
		w.wait(2 * time.Second)
		old := w.thread(lost)
		card, view, _ := w.chat.find(adaChat, lost)
		w.kill()
		w.spoil("open", string(old.ID))
		w.start()
		w.wait(5 * time.Second)

		again, _, _ := w.chat.find(adaChat, lost)
		if again == card || w.thread(lost).ID == old.ID {
			t.Fatal("it was not asked again")
		}
		w.input(inbound.Input{
			Kind: inbound.Tapped, Chat: adaChat, Private: true, Message: card, Callback: "cb", Thread: old.ID,
			User: chat.User{ID: ada, Name: "Ada"}, Move: question.WizardInput{Action: question.Pick, Rev: view.Step},
		})
		if got := w.lastAlert().Kind; got != outbound.AlertSetAside {
			t.Errorf("a tap is told %q", got)
		}
		w.say(adaChat, ada, card, "1")
		w.attach(ada, card, "")
		w.wait(5 * time.Second)
		if got := w.noted(); !slices.Equal(got, []outbound.NoteKind{outbound.NoteSetAside, outbound.NoteSetAside}) {
			t.Errorf("a text and a file are told %q", got)
		}
		for _, e := range w.refusals() {
			if e.Detail != string(outbound.AlertSetAside) || e.By.User != ada {
				t.Errorf("the journal has %+v", e)
			}
		}
		w.pick(adaChat, ada, lost, 1)
		w.pick(adaChat, ada, kept, 0)
		w.wait(5 * time.Second)
		w.got(lost, question.Answers{{"PostgreSQL (Recommended)"}})
		w.got(kept, question.Answers{{"SQLite"}})
	})
}

// The asks that a card stood for get cards of their own when its record is gone.
func TestUnreadable_FollowersAreShown(t *testing.T) {
	play(t, nil, func(w *world) {
		first, second := w.agent.askLeave("ses_1", "make"), w.agent.askLeave("ses_1", "make")
		w.wait(2 * time.Second)
		leader, follower := first, second
		if w.thread(first).Leader != "" {
			leader, follower = second, first
		}
		id := w.thread(leader).ID
		w.kill()
		w.spoil("open", string(id))
		w.start()
		w.wait(10 * time.Second)
		for _, id := range []question.RequestID{leader, follower} {
			thread := w.thread(id)
			if lead := thread.Leader; lead != "" {
				var err error
				if thread, err = w.bridge.Thread(w.context(), lead); err != nil {
					t.Fatal(err)
				}
			}
			if !thread.Shown() {
				t.Errorf("%s is shown by no card", id)
			}
		}
	})
}
