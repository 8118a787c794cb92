package pending

import (
	"reflect"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func TestDriving_ComesBack(t *testing.T) {
	s := open(t, dbPath(t))
	errand, watch, seat, said := fill[remote.QueuedPrompt](), fill[remote.TurnWatch](), fill[remote.ChatSettings](), fill[remote.MessageRef]()
	commit(t, s, storage.Change{
		Prompts: []remote.QueuedPrompt{errand}, TurnWatches: []remote.TurnWatch{watch}, ChatSettings: []remote.ChatSettings{seat}, MessageRefs: []remote.MessageRef{said},
	})
	s = reopen(t, s)
	got, err := s.SessionRecords()
	want := storage.SessionRecords{Prompts: []remote.QueuedPrompt{errand}, TurnWatches: []remote.TurnWatch{watch}, ChatSettings: []remote.ChatSettings{seat}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("came back as\n%#v, %v; want\n%#v", got, err, want)
	}
	back, found, err := s.MessageRef(said.Chat, said.Message)
	if err != nil || !found || !reflect.DeepEqual(back, said) {
		t.Errorf("said came back as %#v, %v, %v; want %#v", back, found, err, said)
	}
	if last, err := s.LastMessage(said.Chat); err != nil || last != said.Message {
		t.Errorf("the last message is %d, %v; want %d", last, err, said.Message)
	}
	commit(t, s, storage.Change{EndedPrompts: []question.ID{errand.ID}, EndedWatches: []session.ID{watch.Session}})
	if got, err = s.SessionRecords(); err != nil || len(got.Prompts)+len(got.TurnWatches) != 0 || len(got.ChatSettings) != 1 {
		t.Errorf("left: %#v, %v", got, err)
	}
}

func TestDriving_ToldComesBack(t *testing.T) {
	s := open(t, dbPath(t))
	long := session.ID(strings.Repeat("s", 100_000))
	commit(t, s, storage.Change{ToldTurns: []remote.ToldTurn{{Session: "ses_1", Turn: "msg_1", At: sampleTime(1)}, {Session: long, Turn: "msg_2", At: sampleTime(3)}}})
	s = reopen(t, s)
	want := func(id session.ID, turn session.MessageID) {
		t.Helper()
		if got, err := s.ToldTurn(id); got != turn || err != nil {
			t.Errorf("of %.10s the last is %q, %v; want %q", id, got, err, turn)
		}
	}
	want("ses_1", "msg_1")
	want(long, "msg_2")
	want("ses_2", "")
	commit(t, s, storage.Change{ToldTurns: []remote.ToldTurn{{Session: "ses_1", Turn: "msg_3", At: sampleTime(4)}}})
	want("ses_1", "msg_3")
	if n, err := s.PruneSaid(sampleTime(4)); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	want("ses_1", "msg_3")
	want(long, "")
}

func TestDriving_PromptsInOrder(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Prompts: []remote.QueuedPrompt{
		{ID: "a", At: sampleTime(2)}, {ID: "b", At: sampleTime(1), Message: 8}, {ID: "c", At: sampleTime(1), Message: 7},
	}})
	got, err := s.SessionRecords()
	var order []question.ID
	for _, e := range got.Prompts {
		order = append(order, e.ID)
	}
	if want := []question.ID{"c", "b", "a"}; err != nil || !reflect.DeepEqual(order, want) {
		t.Errorf("got %q, %v; want %q", order, err, want)
	}
}

func TestPruneSaid(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{MessageRefs: []remote.MessageRef{
		{Chat: 1, Message: 1, Session: "ses_old", At: sampleTime(1)}, {Chat: 1, Message: 2, Session: "ses_new", At: sampleTime(3)},
	}})
	if n, err := s.PruneSaid(sampleTime(2)); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	for message, want := range map[chat.MessageID]bool{1: false, 2: true} {
		if _, found, err := s.MessageRef(1, message); found != want || err != nil {
			t.Errorf("message %d: %v, %v", message, found, err)
		}
	}
}
