package pending

import (
	"reflect"
	"strings"
	"testing"

	"hermes/internal/question"
)

func TestDriving_ComesBack(t *testing.T) {
	s := open(t, dbPath(t))
	errand, watch, seat, said := fill[question.Errand](), fill[question.Watch](), fill[question.Seat](), fill[question.Said]()
	commit(t, s, question.Change{
		Errands: []question.Errand{errand}, Watches: []question.Watch{watch}, Seats: []question.Seat{seat}, Said: []question.Said{said},
	})
	s = reopen(t, s)
	got, err := s.Driving()
	want := question.Driving{Errands: []question.Errand{errand}, Watches: []question.Watch{watch}, Seats: []question.Seat{seat}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("came back as\n%#v, %v; want\n%#v", got, err, want)
	}
	back, found, err := s.Said(said.Chat, said.Message)
	if err != nil || !found || !reflect.DeepEqual(back, said) {
		t.Errorf("said came back as %#v, %v, %v; want %#v", back, found, err, said)
	}
	if last, err := s.LastMessage(said.Chat); err != nil || last != said.Message {
		t.Errorf("the last message is %d, %v; want %d", last, err, said.Message)
	}
	commit(t, s, question.Change{Carried: []question.ID{errand.ID}, Watched: []question.SessionID{watch.Session}})
	if got, err = s.Driving(); err != nil || len(got.Errands)+len(got.Watches) != 0 || len(got.Seats) != 1 {
		t.Errorf("left: %#v, %v", got, err)
	}
}

func TestDriving_ToldComesBack(t *testing.T) {
	s := open(t, dbPath(t))
	long := question.SessionID(strings.Repeat("s", 100_000))
	commit(t, s, question.Change{Told: []question.Told{{Session: "ses_1", Turn: "msg_1", At: sampleTime(1)}, {Session: long, Turn: "msg_2", At: sampleTime(3)}}})
	s = reopen(t, s)
	want := func(id question.SessionID, turn question.MessageID) {
		t.Helper()
		if got, err := s.Told(id); got != turn || err != nil {
			t.Errorf("of %.10s the last is %q, %v; want %q", id, got, err, turn)
		}
	}
	want("ses_1", "msg_1")
	want(long, "msg_2")
	want("ses_2", "")
	commit(t, s, question.Change{Told: []question.Told{{Session: "ses_1", Turn: "msg_3", At: sampleTime(4)}}})
	want("ses_1", "msg_3")
	if n, err := s.PruneSaid(sampleTime(4)); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	want("ses_1", "msg_3")
	want(long, "")
}

func TestDriving_ErrandsInOrder(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, question.Change{Errands: []question.Errand{
		{ID: "a", At: sampleTime(2)}, {ID: "b", At: sampleTime(1), Message: 8}, {ID: "c", At: sampleTime(1), Message: 7},
	}})
	got, err := s.Driving()
	var order []question.ID
	for _, e := range got.Errands {
		order = append(order, e.ID)
	}
	if want := []question.ID{"c", "b", "a"}; err != nil || !reflect.DeepEqual(order, want) {
		t.Errorf("got %q, %v; want %q", order, err, want)
	}
}

func TestPruneSaid(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, question.Change{Said: []question.Said{
		{Chat: 1, Message: 1, Session: "ses_old", At: sampleTime(1)}, {Chat: 1, Message: 2, Session: "ses_new", At: sampleTime(3)},
	}})
	if n, err := s.PruneSaid(sampleTime(2)); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	for message, want := range map[question.PostedID]bool{1: false, 2: true} {
		if _, found, err := s.Said(1, message); found != want || err != nil {
			t.Errorf("message %d: %v, %v", message, found, err)
		}
	}
}
