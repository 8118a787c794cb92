package pending

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Every field of every record comes back, whatever bytes its strings have.
func TestRecords_EveryFieldComesBack(t *testing.T) {
	comesBack(t, threadsIn(bucketOpen))
	comesBack(t, chats)
	comesBack(t, topics)
	comesBack(t, invitations)
	comesBack(t, guests)
	comesBack(t, groups)
	comesBack(t, prompts)
	comesBack(t, turnWatches)
	comesBack(t, chatSettings)
	comesBack(t, messageRefs)
	comesBack(t, toldTurns)
	comesBack(t, links)
	comesBack(t, linkCodes)

	s, entry := open(t, dbPath(t)), fill[storage.Entry]()
	commit(t, s, storage.Change{Entries: []storage.Entry{entry}})
	if err := s.Journal(1, func(l Line) error {
		if !reflect.DeepEqual(l.Entry, entry) {
			t.Errorf("the entry came back as %#v, want %#v", l.Entry, entry)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

func comesBack[T any](t *testing.T, r records[T]) {
	t.Helper()
	want, untouched := fill[T](), fill[T]()
	s := open(t, dbPath(t))
	raw(t, s, func(tx *tx) error { r.put(tx, want); return nil })
	s = reopen(t, s)
	raw(t, s, func(tx *tx) error {
		if got, found, err := r.get(tx, r.key(want)); !found || err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: it came back as\n%#v, %v; want\n%#v", r.bucket, got, err, want)
		}
		if n := len(r.all(tx)); n != 1 {
			t.Errorf("%s: %d are there", r.bucket, n)
		}
		r.remove(tx, want)
		return nil
	})
	if n := keys(t, s, r.bucket); n != 0 || !reflect.DeepEqual(want, untouched) {
		t.Errorf("%s: %d are left; or what was stored has changed: %#v", r.bucket, n, want)
	}
}

// A zero value, and lists that are there but empty, are not the same to the code
// that uses them.
func TestRecords_EmptyAndMissingStayDifferent(t *testing.T) {
	for name, want := range map[string]question.Thread{
		"zero": {},
		"empty lists": {
			Request: question.Request{Items: []question.Item{{Options: []question.Option{}}}},
			Origins: []session.Origin{}, RemindAt: []time.Time{},
			Cards:    []question.Card{{Others: []chat.MessageID{}}},
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

// Times are stored as the same instant in UTC, whatever zone and clock reading they come with.
func TestRecords_TimesAreUTC(t *testing.T) {
	zone := time.FixedZone("here", 5*3600+1800)
	at := time.Now().In(zone)
	asked := question.Thread{Asked: at, Deadline: time.Time{}.In(zone), RemindAt: []time.Time{at}, Held: &question.Hold{Until: at}}
	utc := at.Round(0).UTC()
	want := question.Thread{Asked: utc, RemindAt: []time.Time{utc}, Held: &question.Hold{Until: utc}}
	if got := throughJSON(t, asked); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%#v, want\n%#v", got, want)
	}
	if asked.RemindAt[0] != at || asked.Held.Until != at {
		t.Error("what was stored has changed")
	}
}

func throughJSON(t *testing.T, thread question.Thread) question.Thread {
	t.Helper()
	b, err := encode(thread)
	must(t, err)
	got, err := threadsIn(bucketOpen).read([]byte(thread.ID), b)
	must(t, err)
	return got
}

func TestRecords_UnknownFieldsAreNoError(t *testing.T) {
	got, err := threadsIn(bucketOpen).read([]byte("a"), []byte(`{"id":"a","request":{"id":"que_1","new":[1]},"newer":{"x":1}}`))
	if err != nil || got.ID != "a" || got.Request.ID != "que_1" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRecords_TextIsReadable(t *testing.T) {
	for in, want := range map[string]string{
		"":             `""`,
		"naïve 𝕏":      `"naïve 𝕏"`,
		"\x00":         `"\u0000"`,
		"\ufffd":       `"` + "\ufffd" + `"`,
		"a\xff":        `{"base64":"Yf8="}`,
		"\xed\xa0\x80": `{"base64":"7aCA"}`,
		`{"base64":1}`: `"{\"base64\":1}"`,
	} {
		b, err := encode(in)
		if err != nil || string(b) != want {
			t.Errorf("%q is stored as %s, %v; want %s", in, b, err, want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "\x00\xff", "\u2028", "{", "\xc3\x28", "null", `{"base64":"Yf8="}`} {
		f.Add(s, "\xff")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		want := []string{a, b}
		value, err := encode(want)
		must(t, err)
		var got []string
		if err := decode(value, &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q came back as %q, %v from %s", want, got, err, value)
		}
	})
}

// every is each field of each record as hermes stored them while schema 2 was its own: none is lost when its record is stored anew.
const every = "testdata/v2-records.txt"

func TestRecords_EveryStoredFieldIsKept(t *testing.T) {
	s := open(t, restoreFrom(t, every))
	if list := s.AtOpen().Skipped; len(list) > 0 {
		t.Errorf("these cannot be read: %+v", list)
	}
	raw(t, s, func(tx *tx) error {
		keeps(t, tx, threadsIn(bucketOpen))
		keeps(t, tx, threadsIn(bucketSettled))
		keeps(t, tx, chats)
		keeps(t, tx, topics)
		keeps(t, tx, invitations)
		keeps(t, tx, guests)
		keeps(t, tx, groups)
		keeps(t, tx, prompts)
		keeps(t, tx, turnWatches)
		keeps(t, tx, chatSettings)
		keeps(t, tx, messageRefs)
		keeps(t, tx, toldTurns)
		keeps(t, tx, links)
		keeps(t, tx, linkCodes)
		return nil
	})
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}

func keeps[T any](t *testing.T, tx *tx, r records[T]) {
	t.Helper()
	n := 0
	for key, value := range tx.all(r.bucket) {
		n++
		v, err := r.read(key, value)
		must(t, err)
		anew, err := encode(v)
		var was, is any
		must(t, json.Unmarshal(value, &was))
		for _, name := range goneIn[r.bucket] {
			delete(was.(map[string]any), name)
		}
		if json.Unmarshal(anew, &is) != nil || !has(is, was) {
			t.Errorf("%s: %s\nis stored anew as\n%s, %v", r.bucket, value, anew, err)
		}
	}
	if n == 0 {
		t.Errorf("%s: none is stored", r.bucket)
	}
}

// gone are fields of an earlier hermes that nothing reads any more: where it searched for copies of cards, and its conversations
// about late answers.
var (
	gone   = []string{"unsure", "copies", "search", "late", "reviewed"}
	goneIn = map[string][]string{bucketErrands: {"answers", "owner"}, bucketSaid: {"answers", "wizard"}}
)

// has reports whether a JSON value has all that another one has.
func has(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		fields, ok := got.(map[string]any)
		for name, value := range want {
			ok = ok && (slices.Contains(gone, name) || has(fields[name], value))
		}
		return ok
	case []any:
		list, ok := got.([]any)
		return ok && slices.EqualFunc(list, want, has)
	}
	return got == want
}
