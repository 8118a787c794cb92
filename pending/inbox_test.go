package pending

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

func updates(ids ...int) []chat.Update {
	var list []chat.Update
	for _, id := range ids {
		list = append(list, chat.Update{ID: chat.UpdateID(id), Raw: json.RawMessage(fmt.Sprintf(`{"update_id":%d}`, id))})
	}
	return list
}

func put(t *testing.T, s *Store, list []chat.Update) []chat.Update {
	t.Helper()
	fresh, err := s.Put(list)
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	return fresh
}

func TestInbox_TakesAnUpdateOnce(t *testing.T) {
	s := open(t, dbPath(t))
	if got := put(t, s, updates(12, 10, 12)); !reflect.DeepEqual(got, updates(12, 10)) {
		t.Errorf("fresh: %v", got)
	}
	commit(t, s, storage.Change{Consumed: []chat.UpdateID{10, 99}})
	s = reopen(t, s)
	before := s.transactions(t)
	if got := put(t, s, updates(10, 12, 99)); len(got) != 0 {
		t.Errorf("fresh though known: %v", got)
	}
	if n := s.transactions(t) - before; n != 0 {
		t.Errorf("nothing new took %d transactions", n)
	}
	if got := put(t, s, updates(10, 11, 12)); !reflect.DeepEqual(got, updates(11)) {
		t.Errorf("fresh: %v", got)
	}
	inbox, err := s.Inbox()
	if err != nil || !reflect.DeepEqual(inbox, updates(11, 12)) {
		t.Errorf("inbox: %v, %v", inbox, err)
	}
}

func TestInbox_KeepsWhatIsNoJSON(t *testing.T) {
	s := open(t, dbPath(t))
	list := []chat.Update{{ID: -1, Raw: json.RawMessage("\xff\x00")}, {ID: 0, Raw: json.RawMessage{}}, {ID: 1 << 40, Raw: json.RawMessage("{")}}
	put(t, s, append(list, list...))
	if inbox, err := reopen(t, s).Inbox(); err != nil || !reflect.DeepEqual(inbox, list) {
		t.Errorf("inbox: %v, %v", inbox, err)
	}
}

func TestInbox_SetAside(t *testing.T) {
	s := open(t, dbPath(t))
	list := []chat.Update{{ID: 1, Raw: json.RawMessage("{\"a\":\xff")}, {ID: 2, Raw: json.RawMessage("{}")}}
	put(t, s, list)
	must(t, s.SetAside(1, "bad \xfe"))
	if got := put(t, s, list); len(got) != 0 {
		t.Errorf("an update that was set aside came in again: %v", got)
	}
	if inbox, err := s.Inbox(); err != nil || !reflect.DeepEqual(inbox, list[1:]) {
		t.Errorf("inbox: %v, %v", inbox, err)
	}
	asides := asidesOf(t, reopen(t, s))
	if len(asides) != 1 || asides[0].ID != 1 || asides[0].Raw != string(list[0].Raw) || asides[0].Reason != "bad \xfe" {
		t.Fatalf("asides: %v", asides)
	}
	if age := time.Since(asides[0].At); age < 0 || age > time.Minute {
		t.Errorf("set aside %v ago", age)
	}
}

// Of what nobody can read the beginning is kept, and how long it was: whoever can write
// to the bot can send such a thing.
func TestInbox_CutsLargeAsides(t *testing.T) {
	s := open(t, dbPath(t))
	for n := range 110 {
		large := append([]byte(`{"no":"`), bytes.Repeat([]byte("\xffx"), 1<<17)...)
		put(t, s, []chat.Update{{ID: chat.UpdateID(n), Raw: large}})
		must(t, s.SetAside(chat.UpdateID(n), strings.Repeat("no JSON ", 1000)))
	}
	put(t, s, updates(500))
	must(t, s.SetAside(500, "no JSON"))
	asides := asidesOf(t, s)
	if len(asides) != 100 {
		t.Fatalf("%d are kept", len(asides))
	}
	for _, a := range asides[:99] {
		if len(a.Raw) != 64<<10 || a.Size != 1<<18+7 || len(a.Reason) != 1024 {
			t.Fatalf("%d bytes of %d are kept, and %d of the reason", len(a.Raw), a.Size, len(a.Reason))
		}
	}
	if last := asides[99]; last.Size != 0 || last.Raw != string(updates(500)[0].Raw) {
		t.Errorf("a small one: %+v", last)
	}
	if _, n := pageBytes(fileOf(t, s)); n > 32<<20 {
		t.Errorf("%d bytes are in use", n)
	}
}

// asidesOf are the updates that were set aside, the oldest first.
func asidesOf(t *testing.T, s *Store) (list []asideRecord) {
	t.Helper()
	raw(t, s, func(tx *tx) error {
		for _, value := range tx.all(bucketAside) {
			var r asideRecord
			must(t, decode(value, &r))
			list = append(list, r)
		}
		return nil
	})
	return list
}
