package pending

import (
	"encoding/json"
	"reflect"
	"testing"
	"testing/quick"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func TestRecord_EveryFieldComesBack(t *testing.T) {
	s := open(t, dbPath(t))
	want := fill[question.Thread]()
	remembered := fill[chat.Chat]()
	entry := fill[storage.Entry]()
	commit(t, s, storage.Change{Threads: []question.Thread{want}, Chats: []chat.Chat{remembered}, Entries: []storage.Entry{entry}})
	s = reopen(t, s)

	threads, err := s.Threads()
	if err != nil || len(threads) != 1 || !reflect.DeepEqual(threads[0], want) {
		t.Errorf("thread came back as\n%#v, %v; want\n%#v", threads, err, want)
	}
	chats, err := s.Chats()
	if err != nil || len(chats) != 1 || !reflect.DeepEqual(chats[0], remembered) {
		t.Errorf("chat came back as %#v, %v; want %#v", chats, err, remembered)
	}
	err = s.Journal(1, func(l Line) error {
		if !reflect.DeepEqual(l.Entry, entry) {
			t.Errorf("entry came back as %#v, want %#v", l.Entry, entry)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A zero value, and lists that are there but empty, are not the same to the code
// that uses them.
func TestRecord_EmptyAndMissingStayDifferent(t *testing.T) {
	for name, want := range map[string]question.Thread{
		"zero": {},
		"rule": {Rule: "shop"},
		"link": {Origins: []session.Origin{{Way: session.Link, Directory: "/home/ada/shop", Resolved: "/srv/shop"}}},
		"empty lists": {
			Request: question.Request{Items: []question.Item{{Options: []question.Option{}}}},
			Origins: []session.Origin{}, RemindAt: []time.Time{},
			Cards:    []question.Card{{Messages: []chat.MessageID{}, Others: []chat.MessageID{}}},
			Wizard:   question.Wizard{Choices: []question.Choice{{}, {Options: []int{}, Texts: []string{}}}},
			Decision: &question.Decision{Answers: question.Answers{{}, nil, {""}}},
			Outcome:  &question.Outcome{Answers: question.Answers{}},
		},
		"zero in lists": {
			Wizard: question.Wizard{Choices: []question.Choice{{Options: []int{0}, Texts: []string{""}}}},
			Cards:  []question.Card{{}},
		},
	} {
		if got := throughJSON(t, want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%#v, want\n%#v", name, got, want)
		}
	}
}

func TestRecord_TimesAreTheSameInstant(t *testing.T) {
	zone := time.FixedZone("here", 5*3600+1800)
	at := time.Now().In(zone)
	got := throughJSON(t, question.Thread{Asked: at, Deadline: time.Time{}.In(zone), RemindAt: []time.Time{at}})
	if !got.Asked.Equal(at) || got.Asked != at.Round(0).UTC() || !got.RemindAt[0].Equal(at) {
		t.Errorf("%v came back as %v and %v", at, got.Asked, got.RemindAt)
	}
	if got.Deadline != (time.Time{}) {
		t.Errorf("no time came back as %v", got.Deadline)
	}
}

func throughJSON(t *testing.T, thread question.Thread) question.Thread {
	t.Helper()
	b, err := json.Marshal(threadToRecord(thread))
	if err != nil {
		t.Fatal(err)
	}
	got, err := readThread([]byte(thread.ID), b)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRecord_UnknownFieldsAreNoError(t *testing.T) {
	got, err := readThread(nil, []byte(`{"id":"a","request":{"id":"que_1","new":[1]},"newer":{"x":1}}`))
	if err != nil || got.ID != "a" || got.Request.ID != "que_1" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRecord_TextIsReadable(t *testing.T) {
	for in, want := range map[string]string{
		"":             `""`,
		"naïve 𝕏":      `"naïve 𝕏"`,
		"\x00":         `"\u0000"`,
		"\ufffd":       `"` + "\ufffd" + `"`,
		"a\xff":        `{"base64":"Yf8="}`,
		"\xed\xa0\x80": `{"base64":"7aCA"}`,
		`{"base64":1}`: `"{\"base64\":1}"`,
	} {
		b, err := json.Marshal(text(in))
		if err != nil || string(b) != want {
			t.Errorf("%q is stored as %s, %v; want %s", in, b, err, want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "\x00\xff", "\u2028", "{", "\xc3\x28", "null"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := json.Marshal([]text{text(s)})
		if err != nil {
			t.Fatal(err)
		}
		var got []text
		if err := json.Unmarshal(b, &got); err != nil || len(got) != 1 || string(got[0]) != s {
			t.Errorf("%q came back as %q, %v from %s", s, got, err, b)
		}
	})
}

func TestRecord_AnyAnswersComeBack(t *testing.T) {
	same := func(a question.Answers) bool {
		got := throughJSON(t, question.Thread{Decision: &question.Decision{Answers: a}})
		return reflect.DeepEqual(got.Decision.Answers, a)
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}
