package pending

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/simulate/closedset"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// everything is a file with two records or more in every bucket.
func everything(t *testing.T) *Store {
	t.Helper()
	s := open(t, dbPath(t))
	var c storage.Change
	for n := range 2 {
		i := storage.Invitation{ID: question.ID(fmt.Sprint("invitation", n)), Hash: storage.CodeHash{byte(n)}}
		c.Threads = append(c.Threads, thread(n))
		c.Retired = append(c.Retired, settled(10+n, time.Date(2026, 11, 2, 0, 0, n, 0, time.UTC)))
		c.Chats = append(c.Chats, chat.Chat{ID: chat.ID(40 + n), Lang: "zh"})
		c.Topics = append(c.Topics, storage.Topic{Chat: -100, Root: session.ID(fmt.Sprint("ses_", n)), ID: 7 + n})
		c.Paired.Invitations = append(c.Paired.Invitations, i)
		c.Paired.Guests = append(c.Paired.Guests, storage.Guest{User: chat.UserID(40 + n), Name: "Ada"})
		c.Paired.Groups = append(c.Paired.Groups, storage.GuestGroup{Chat: chat.ID(-100 - n)})
		c.Prompts = append(c.Prompts, remote.QueuedPrompt{ID: question.ID(fmt.Sprint("errand", n)), Lang: "en"})
		c.TurnWatches = append(c.TurnWatches, remote.TurnWatch{Session: session.ID(fmt.Sprint("ses_", n))})
		c.ChatSettings = append(c.ChatSettings, remote.ChatSettings{Chat: chat.ID(40 + n), Level: remote.LevelAll})
		c.MessageRefs = append(c.MessageRefs, remote.MessageRef{Chat: 40, Message: chat.MessageID(n), Session: "ses_1"})
		c.ToldTurns = append(c.ToldTurns, remote.ToldTurn{Session: session.ID(fmt.Sprint("ses_", n)), Turn: "msg_1"})
		c.Consumed = append(c.Consumed, chat.UpdateID(900+n))
	}
	c.Entries = entries(3)
	commit(t, s, c)
	put(t, s, updates(1, 2, 3, 4))
	if err := s.Links().Add(Link{Name: "desk", Hash: [32]byte{1}, Made: time.Now()}, storage.Entry{}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.SetAside(1, "no JSON"), s.SetAside(2, "no JSON"), s.Beat(time.Now())); err != nil {
		t.Fatal(err)
	}
	return s
}

// content is all keys and values of all buckets but those of what was set aside.
func content(t *testing.T, s *Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	raw(t, s, func(tx kv.Tx) error {
		return each(bucketNames(), func(name string) error {
			return tx.Bucket(name).ForEach(func(key, value []byte) error {
				if name != bucketUnreadable {
					all[fmt.Sprintf("%s %q", name, key)] = string(value)
				}
				return nil
			})
		})
	})
	return all
}

func spoil(t *testing.T, s *Store, bucket string, key, value []byte) {
	t.Helper()
	raw(t, s, func(tx kv.Tx) error { return tx.Bucket(bucket).Put(key, value) })
}

// One record that cannot be read, in whatever bucket and for whatever reason, costs
// itself alone: the file opens, all else is as it was, and it is kept to the byte.
func TestUnreadable_OneRecordIsSetAside(t *testing.T) {
	key := numberKey(-1)
	session := sessionKey("ses_9")
	for _, c := range []struct {
		bucket, value, reason string
		key                   []byte
	}{
		{bucketOpen, `{"id":"x","request":{`, "unexpected end of JSON", []byte("x")},
		{bucketOpen, "{\"id\":\"x\",\x01}", "invalid character", []byte("x")},
		{bucketOpen, "", "unexpected end of JSON", []byte("x")},
		{bucketOpen, `null`, "another record", []byte("x")},
		{bucketOpen, `{"id":"x","rev":"many"}`, "cannot unmarshal", []byte("x")},
		{bucketOpen, `{"id":"x","asked":"yesterday"}`, "parsing time", []byte("x")},
		{bucketOpen, `{"id":"y"}`, "another record", []byte("x")},
		{bucketOpen, `{"id":"x","request":{"protocol":"v9"}}`, `"v9" is no Protocol`, []byte("x")},
		{bucketOpen, `{"id":"x","origins":[{"way":"pigeon"}]}`, `"pigeon" is no Way`, []byte("x")},
		{bucketOpen, `{"id":"x","on_expiry":"shrug"}`, `"shrug" is no Expiry`, []byte("x")},
		{bucketOpen, `{"id":"x","wizard":{"state":"lost"}}`, `"lost" is no State`, []byte("x")},
		{bucketOpen, `{"id":"x","decision":{"by":{"kind":"cat"}}}`, `"cat" is no ActorKind`, []byte("x")},
		{bucketSettled, `{"id":"x","outcome":{"kind":"eaten"}}`, `"eaten" is no OutcomeKind`, []byte("x")},
		{bucketSettled, `[1,2]`, "cannot unmarshal", []byte("x")},
		{bucketEnded, "1", "form", []byte("short")},
		{bucketByRequest, "x", "form", nil},
		{bucketByMessage, "x", "form", []byte("short")},
		{bucketChats, `{"id":"7"}`, "cannot unmarshal", key},
		{bucketChats, `{"id":77}`, "another record", key},
		{bucketInbox, `{}`, "form", []byte("short")},
		{bucketSeen, "long ago", "parsing time", key},
		{bucketSeen, "2026-11-21T12:00:00Z", "form", []byte("short")},
		{bucketAside, `{"id":`, "unexpected end of JSON", numberKey(50)},
		{bucketPairings, `{"id":7}`, "cannot unmarshal", bytes.Repeat([]byte{9}, 32)},
		{bucketPairings, `{"id":"7"}`, "form", []byte("short")},
		{bucketPeople, `{"user":true}`, "cannot unmarshal", key},
		{bucketPeople, `{"user":43}`, "another record", key}, // whoever 43 is was not let in
		{bucketGroups, `{`, "unexpected end of JSON", key},
		{bucketErrands, `{"id":"x","tries":7}`, "cannot unmarshal", []byte("x")},
		{bucketWatches, `{"session":"ses_9","since":"now"}`, "parsing time", session},
		{bucketSeats, `{"chat":-1,"level":"shouting"}`, `"shouting" is no Level`, key},
		{bucketSaid, `{"session":1}`, "cannot unmarshal", messageKey(1, 2)},
		{bucketTold, `{"session":"ses_8","turn":"msg_1"}`, "another record", session},
		{bucketTopics, `{"chat":1,"root":"r","id":"7"}`, "cannot unmarshal", topicKey(storage.Topic{Chat: 1, Root: "r"})},
		{bucketLinks, `{"hash":"c0ffee","made":"2026-11-21T12:00:00Z"}`, "hash is none", []byte("laptop")},
		{bucketLinks, `{"hash":7}`, "cannot unmarshal", []byte("laptop")},
		{bucketMeta, "yesterday", "parsing time", []byte(metaBeat)},
		{bucketMeta, "7", "no number and hash", []byte(metaTail)},
	} {
		t.Run(c.bucket+" "+c.reason, func(t *testing.T) {
			if c.key == nil {
				t.Skip("bbolt has no empty keys")
			}
			s := everything(t)
			want := content(t, s)
			delete(want, fmt.Sprintf("%s %q", c.bucket, c.key))
			spoil(t, s, c.bucket, c.key, []byte(c.value))
			s.Close()

			reader, err := readEngine(pathOf(s))
			if err != nil {
				t.Fatalf("Read: %v", err)
			}
			standing, err := reader.Unreadable().All()
			if err != nil || len(standing) != 1 || standing[0].Number != 0 || standing[0].Bucket != c.bucket || !bytes.Equal(standing[0].Key, c.key) {
				t.Errorf("Read tells of %+v, %v", standing, err)
			}
			if p, err := reader.Pairings(); err != nil || len(p.Guests) != 2 || len(p.Groups) != 2 || len(p.Invitations) != 2 {
				t.Errorf("Read has the pairings %+v, %v", p, err)
			}
			reader.Close()

			s = open(t, pathOf(s))
			fresh := s.AtOpen().SetAside
			list, err := s.Unreadable().All()
			if err != nil || len(list) != 1 || len(fresh) != 1 || s.AtOpen().Recovered != "" {
				t.Fatalf("set aside: %+v, %+v, %v, %s", list, fresh, err, s.AtOpen().Recovered)
			}
			u := list[0]
			if u.Bucket != c.bucket || !bytes.Equal(u.Key, c.key) || string(u.Value) != c.value || !strings.Contains(u.Reason, c.reason) || u.At.IsZero() || u.Number == 0 {
				t.Errorf("set aside: %+v", u)
			}
			if got := content(t, s); !reflect.DeepEqual(got, want) {
				t.Errorf("all else is\n%v\nwant\n%v", got, want)
			}
			readAll(t, s)
			if err := s.Verify(); err != nil {
				t.Error(err)
			}
			commit(t, s, storage.Change{Entries: entries(1), Threads: []question.Thread{thread(5)}})
			s = reopen(t, s)
			if list, err = s.Unreadable().All(); len(list) != 1 || len(s.AtOpen().SetAside) != 0 || err != nil {
				t.Errorf("the next start: %+v, %+v, %v", list, s.AtOpen().SetAside, err)
			}
		})
	}
}

// readAll calls what a start of hermes, and its upkeep, calls.
func readAll(t *testing.T, s *Store) {
	t.Helper()
	_, err1 := s.Threads()
	_, err2 := s.Chats()
	_, err3 := s.Topics()
	_, err4 := s.Pairings()
	_, err5 := s.SessionRecords()
	_, err6 := s.Inbox()
	_, err7 := s.Asides()
	_, err8 := s.LastBeat()
	_, err9 := s.Ended(10)
	_, err10 := s.Prune(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	_, err11 := s.PruneSaid(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7, err8, err9, err10, err11); err != nil {
		t.Error(err)
	}
}

// A thread that was set aside is known to be one, by its id and by its messages, until
// its request is asked again; the new thread then has the request, and the old messages
// are still known.
func TestUnreadable_ThreadIsKnownAsSuch(t *testing.T) {
	s := everything(t)
	spoil(t, s, bucketOpen, []byte(thread(1).ID), []byte(`{"id":`))
	s = reopen(t, s)
	byMessage := storage.Key{Chat: -100, Message: thread(1).Cards[0].Messages[0]}
	for _, k := range []storage.Key{{ID: thread(1).ID}, {Request: thread(1).Request.ID}, byMessage} {
		if _, found, err := s.Find(k); found || !errors.Is(err, question.ErrUnreadable) || !errors.Is(err, question.ErrNoThread) {
			t.Errorf("%+v: %v, %v", k, found, err)
		}
	}
	if _, found, err := s.Find(storage.Key{ID: "thread00000"}); found || err != nil { // a prefix of its id
		t.Errorf("what never was: %v, %v", found, err)
	}
	again := thread(50)
	again.Request.ID = thread(1).Request.ID
	commit(t, s, storage.Change{Threads: []question.Thread{again}})
	if got, found, err := s.Find(storage.Key{Request: again.Request.ID}); !found || err != nil || got.ID != again.ID {
		t.Errorf("asked again: %v, %v, %v", got.ID, found, err)
	}
	if _, _, err := s.Find(byMessage); !errors.Is(err, question.ErrUnreadable) {
		t.Errorf("the old message: %v", err)
	}
	mended := []byte(`{"id":"` + string(thread(1).ID) + `","request":{"id":"` + string(again.Request.ID) + `"}}`)
	if err := s.Unreadable().Restore(1, mended); err == nil || !strings.Contains(err.Error(), "asked again") {
		t.Errorf("put back beside the new one: %v", err)
	}
}

// A settled thread that was set aside is not asked for ever for its pruning.
func TestUnreadable_ThreadIsPruned(t *testing.T) {
	s := everything(t)
	spoil(t, s, bucketSettled, []byte(thread(10).ID), []byte(`{"id":`))
	s = reopen(t, s)
	if _, err := s.Prune(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil || keys(t, s, bucketEnded) != 0 {
		t.Errorf("%v, %d left", err, keys(t, s, bucketEnded))
	}
	if list, err := s.Unreadable().All(); len(list) != 1 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// What a newer hermes wrote and this one does not know comes back with the newer one: to
// the byte, and with a thread's index entries.
func TestUnreadable_PutBackWhenReadable(t *testing.T) {
	for _, bucket := range []string{bucketOpen, bucketSettled} {
		s := everything(t)
		id := thread(1).ID
		if bucket == bucketSettled {
			id = thread(11).ID
		}
		var value []byte
		raw(t, s, func(tx kv.Tx) error { value = bytes.Clone(tx.Bucket(bucket).Get([]byte(id))); return nil })
		value = bytes.Replace(value, []byte("{"), []byte(`{"of_a_newer_hermes":[1],`), 1)
		spoil(t, s, bucket, []byte(id), value)
		want := content(t, s)
		unknown := bytes.Replace(value, []byte(`"v1"`), []byte(`"v9"`), 1)
		spoil(t, s, bucket, []byte(id), unknown)
		s = reopen(t, s)
		if list, err := s.Unreadable().All(); len(list) != 1 || err != nil {
			t.Fatalf("%s: %+v, %v", bucket, list, err)
		}
		// What v9 means is known from now on.
		raw(t, s, func(tx kv.Tx) error {
			b := tx.Bucket(bucketUnreadable)
			key, _ := b.Cursor().First()
			u, err := readUnreadable(key, b.Get(key))
			if err != nil {
				return err
			}
			return errors.Join(b.Delete(key), tx.Bucket(bucket).Put(u.Key, value),
				setAsideRecord(tx, Unreadable{Bucket: bucket, Key: u.Key, Value: value, Reason: u.Reason}))
		})
		for _, index := range []string{bucketByRequest, bucketByMessage, bucketEnded} {
			raw(t, s, func(tx kv.Tx) error { // as if another thread had had them meanwhile, and is gone
				b := tx.Bucket(index)
				return b.ForEach(func(key, v []byte) error {
					if string(v) == string(id) || bytes.HasSuffix(key, []byte(id)) {
						return b.Delete(key)
					}
					return nil
				})
			})
		}
		s = reopen(t, s)
		list, err := s.Unreadable().All()
		if len(list) != 0 || err != nil || len(s.AtOpen().Restored) != 1 || !reflect.DeepEqual(content(t, s), want) {
			t.Errorf("%s: %+v, %v\n%v\nwant\n%v", bucket, list, err, content(t, s), want)
		}
	}
}

// The number of a record whose key is spoilt as well may be anything.
func TestUnreadable_InOrderOfTheirNumbers(t *testing.T) {
	s := everything(t)
	want := []uint64{1, 5, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64}
	for _, n := range []uint64{math.MaxUint64, 5, math.MaxInt64 + 1, 1, math.MaxInt64} {
		spoil(t, s, bucketUnreadable, unreadableKey("x", []byte("y"), n), []byte(`{}`))
	}
	list, err := s.Unreadable().All()
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, u := range list {
		got = append(got, u.Number)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestUnreadable_RestoredByAPerson(t *testing.T) {
	s := everything(t)
	spoil(t, s, bucketChats, numberKey(7), []byte(`{"id":7,`))
	spoil(t, s, bucketChats, numberKey(8), []byte(`{"id":8,`))
	s = reopen(t, s)
	list, err := s.Unreadable().All()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	first, second := list[0].Number, list[1].Number
	for name, err := range map[string]error{
		"as it is":          s.Unreadable().Restore(first, nil),
		"as something else": s.Unreadable().Restore(first, []byte(`{"id":9}`)),
		"as no JSON":        s.Unreadable().Restore(first, []byte(`{"id":7`)),
		"one that is not":   s.Unreadable().Restore(99, []byte(`{"id":7}`)),
		"forgetting that":   s.Unreadable().Delete(99),
	} {
		if err == nil {
			t.Errorf("%s: it was done", name)
		}
	}
	if err := errors.Join(s.Unreadable().Restore(first, []byte(`{"id":7,"lang":"zh"}`)), s.Unreadable().Delete(second)); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	chats, err := s.Chats()
	if err != nil || !slices.Contains(chats, chat.Chat{ID: 7, Lang: "zh"}) || len(chats) != 3 {
		t.Errorf("%+v, %v", chats, err)
	}
	if list, err := s.Unreadable().All(); len(list) != 0 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// A journal that is broken is told of by Verify, and keeps hermes neither from starting
// nor from appending. Nothing in it is ever written over.
func TestJournal_BrokenTakesEntries(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(meta, journal kv.Bucket) error
		broken uint64 // after one more entry
		aside  int
	}{
		"an entry is no JSON": {func(_, j kv.Bucket) error { return j.Put(numberKey(2), append(make([]byte, 32), "{"...)) }, 2, 0},
		"an entry is cut":     {func(_, j kv.Bucket) error { return j.Put(numberKey(2), []byte("x")) }, 2, 0},
		"the last is no JSON": {func(_, j kv.Bucket) error { return j.Put(numberKey(3), append(make([]byte, 32), "{"...)) }, 3, 0},
		"the last is cut":     {func(_, j kv.Bucket) error { return j.Put(numberKey(3), []byte("x")) }, 3, 0},
		"a key is no number":  {func(_, j kv.Bucket) error { return j.Put([]byte("x"), []byte("x")) }, 1, 0},
		"a key is behind all": {func(_, j kv.Bucket) error { return j.Put([]byte("\xff\xff"), []byte("x")) }, 6, 0},
		"an entry is missing": {func(_, j kv.Bucket) error { return j.Delete(numberKey(2)) }, 2, 0},
		"the head is cut":     {func(m, _ kv.Bucket) error { return m.Put([]byte(metaHead), []byte("x")) }, 4, 1},
		"the head is missing": {func(m, _ kv.Bucket) error { return m.Delete([]byte(metaHead)) }, 4, 0},
		"the head is too low": {func(m, _ kv.Bucket) error {
			return m.Put([]byte(metaHead), append(make([]byte, 7), append([]byte{1}, make([]byte, 32)...)...))
		}, 4, 0},
		"the head is too high": {func(m, _ kv.Bucket) error {
			return m.Put([]byte(metaHead), append(make([]byte, 7), append([]byte{9}, make([]byte, 32)...)...))
		}, 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, dbPath(t))
			commit(t, s, storage.Change{Entries: entries(3)})
			raw(t, s, func(tx kv.Tx) error {
				return c.spoil(tx.Bucket(bucketMeta), tx.Bucket(bucketJournal))
			})
			if s.Verify() == nil {
				t.Error("before: the chain is said to be whole")
			}
			s = reopen(t, s)
			was := content(t, s)
			for range 2 {
				commit(t, s, storage.Change{Entries: entries(1)})
			}
			s = reopen(t, s)
			if list, err := s.Unreadable().All(); len(list) != c.aside || err != nil {
				t.Errorf("set aside: %+v, %v", list, err)
			}
			for at, value := range content(t, s) {
				if old, ok := was[at]; ok && old != value && strings.HasPrefix(at, bucketJournal) {
					t.Errorf("%s was written over", at)
				}
			}
			if n := keys(t, s, bucketJournal); n < 4 {
				t.Errorf("%d entries are there", n)
			}
			if b := (*Broken)(nil); !errors.As(s.Verify(), &b) || b.Number != c.broken {
				t.Errorf("it is said to be broken at %v, want %d", b, c.broken)
			}
			_ = s.Journal(1, func(Line) error { return nil }) // comes to an end
			_, _ = s.PruneJournal(time.Now())
		})
	}
}

// closedSets has every constant of the types that it names.
func TestClosedSets_AreWhole(t *testing.T) {
	declared := closedset.Constants(t)
	for set, values := range closedSets() {
		want := declared[set.String()]
		slices.Sort(values)
		slices.Sort(want)
		if len(want) == 0 || !slices.Equal(values, want) {
			t.Errorf("%s: closedSets has %q, the constants are %q", set.Name(), values, want)
		}
	}
	for _, of := range []any{question.Thread{}, remote.QueuedPrompt{}, remote.ChatSettings{}, remote.MessageRef{}, remote.TurnWatch{}, storage.Topic{}, storage.Guest{}} {
		for _, name := range stringTypes(reflect.TypeOf(of)) {
			if _, ok := closedSets()[name]; len(declared[name.String()]) > 1 && !ok {
				t.Errorf("%s is stored, and closedSets does not have it", name)
			}
		}
	}
}

// stringTypes are the types of all strings in a type, at any depth.
func stringTypes(of reflect.Type) (list []reflect.Type) {
	switch of.Kind() {
	case reflect.String:
		return []reflect.Type{of}
	case reflect.Slice, reflect.Pointer, reflect.Array:
		return stringTypes(of.Elem())
	case reflect.Struct:
		for i := range of.NumField() {
			if of != reflect.TypeFor[time.Time]() {
				list = append(list, stringTypes(of.Field(i).Type)...)
			}
		}
	}
	return list
}
