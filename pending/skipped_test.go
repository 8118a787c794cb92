package pending

import (
	"bytes"
	"errors"
	"fmt"
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
	must(t, s.Links().Add(Link{Name: "desk", Hash: [32]byte{1}, Made: time.Now()}, storage.Entry{}))
	must(t, errors.Join(s.SetAside(1, "no JSON"), s.SetAside(2, "no JSON"), s.Beat(time.Now())))
	return s
}

// content is all keys and values of all buckets.
func content(t *testing.T, s *Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	raw(t, s, func(tx *tx) error {
		for _, name := range bucketNames() {
			for key, value := range tx.all(name) {
				all[fmt.Sprintf("%s %q", name, key)] = string(value)
			}
		}
		return nil
	})
	return all
}

func spoil(t *testing.T, s *Store, bucket string, key, value []byte) {
	t.Helper()
	raw(t, s, func(tx *tx) error { return tx.Bucket(bucket).Put(key, value) })
}

// One record that cannot be read, in whatever bucket and for whatever reason, costs
// itself alone: the file opens, everything else can be read, and the record stays to the byte. Those of people's words and
// rights are told of; entries of indexes and marks, which have no reason here, are not.
func TestSkipped_OneRecord(t *testing.T) {
	key := numberKey(-1)
	session := sessionKey("ses_9")
	for _, c := range []struct {
		bucket, value, reason string
		key                   []byte
	}{
		{bucketOpen, `{"id":"x","request":{`, "unexpected end of JSON", []byte("x")},
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
		{bucketEnded, "1", "", []byte("short")},
		{bucketByMessage, "x", "", []byte("short")},
		{bucketChats, `{"id":"7"}`, "cannot unmarshal", key},
		{bucketInbox, `{}`, "", []byte("short")},
		{bucketSeen, "long ago", "", key},
		{bucketAside, `{"id":`, "", numberKey(50)},
		{bucketPairings, `{"id":7}`, "cannot unmarshal", bytes.Repeat([]byte{9}, 32)},
		{bucketPairings, `{"id":"7"}`, "another record", []byte("short")},
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
		{bucketMeta, "yesterday", "", []byte(metaBeat)},
		{bucketMeta, "7", "", []byte(metaTail)},
	} {
		t.Run(c.bucket+" "+c.reason, func(t *testing.T) {
			s := everything(t)
			spoil(t, s, c.bucket, c.key, []byte(c.value))
			want := content(t, s)
			s.Close()

			reader, err := readEngine(pathOf(s))
			if err != nil {
				t.Fatalf("Read: %v", err)
			}
			if p, err := reader.Pairings(); err != nil || len(p.Guests) != 2 || len(p.Groups) != 2 || len(p.Invitations) != 2 {
				t.Errorf("Read has the pairings %+v, %v", p, err)
			}
			reader.Close()

			s = open(t, pathOf(s))
			list := s.AtOpen().Skipped
			told := len(list) == 1 && list[0].Bucket == c.bucket && bytes.Equal(list[0].Key, c.key) && strings.Contains(list[0].Reason, c.reason)
			if c.reason == "" || c.bucket == bucketSettled { // no start reads these
				told = len(list) == 0
			}
			if !told || s.AtOpen().Recovered != "" {
				t.Fatalf("skipped: %+v, %s", list, s.AtOpen().Recovered)
			}
			if got := content(t, s); !reflect.DeepEqual(got, want) {
				t.Errorf("opening it made of it\n%v\nnot\n%v", got, want)
			}
			readAll(t, s)
			if err := s.Verify(); err != nil {
				t.Error(err)
			}
			commit(t, s, storage.Change{Entries: entries(1), Threads: []question.Thread{thread(5)}})
			s = reopen(t, s)
			if got := content(t, s)[fmt.Sprintf("%s %q", c.bucket, c.key)]; got != c.value && c.bucket != bucketSeen && c.bucket != bucketEnded { // these two were pruned

				t.Errorf("the record has become %q", got)
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
	_, err8 := s.LastBeat()
	_, err9 := s.Ended(10)
	_, err10 := s.Prune(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	_, err11 := s.PruneSaid(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err8, err9, err10, err11); err != nil {
		t.Error(err)
	}
}

// A thread that cannot be read is not there, so its request counts as new; the new thread has it then.
func TestSkipped_Thread(t *testing.T) {
	s := everything(t)
	spoil(t, s, bucketOpen, []byte(thread(1).ID), []byte(`{"id":`))
	s = reopen(t, s)
	byMessage := storage.Key{Chat: -100, Message: thread(1).Cards[0].Messages[0]}
	for _, k := range []storage.Key{{ID: thread(1).ID}, {Request: thread(1).Request.ID}, byMessage} {
		if _, found, err := s.Find(k); found || err != nil {
			t.Errorf("%+v: %v, %v", k, found, err)
		}
	}
	if list, err := s.Threads(); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	again := thread(50)
	again.Request.ID = thread(1).Request.ID
	commit(t, s, storage.Change{Threads: []question.Thread{again}})
	if got, found, err := s.Find(storage.Key{Request: again.Request.ID}); !found || err != nil || got.ID != again.ID {
		t.Errorf("asked again: %v, %v, %v", got.ID, found, err)
	}
}

// A settled thread that cannot be read does not stop the pruning.
func TestSkipped_ThreadIsPruned(t *testing.T) {
	s := everything(t)
	spoil(t, s, bucketSettled, []byte(thread(10).ID), []byte(`{"id":`))
	s = reopen(t, s)
	if _, err := s.Prune(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil || keys(t, s, bucketEnded) != 0 {
		t.Errorf("%v, %d left", err, keys(t, s, bucketEnded))
	}
}

// Records that an earlier hermes moved aside count, and those of people lock nobody in.
func TestSkipped_MovedAsideByAnEarlierHermes(t *testing.T) {
	s := everything(t)
	if s.AtOpen().LacksPeople() {
		t.Error("people are missing in a sound database")
	}
	spoil(t, s, bucketUnreadable, append([]byte("people\x00"), append(numberKey(7), numberKey(1)...)...), []byte(`{"bucket":"people"}`))
	s = reopen(t, s)
	if list := s.AtOpen().Skipped; len(list) != 1 || list[0].Bucket != bucketPeople || !bytes.Equal(list[0].Key, numberKey(7)) || !s.AtOpen().LacksPeople() {
		t.Errorf("%+v", list)
	}
}

// A journal that is broken is told of by Verify, and keeps hermes neither from starting
// nor from appending. Nothing in it is ever written over.
func TestJournal_BrokenTakesEntries(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(meta, journal kv.Bucket) error
		broken uint64 // after one more entry
	}{
		"an entry is no JSON": {func(_, j kv.Bucket) error { return j.Put(numberKey(2), append(make([]byte, 32), "{"...)) }, 2},
		"an entry is cut":     {func(_, j kv.Bucket) error { return j.Put(numberKey(2), []byte("x")) }, 2},
		"the last is no JSON": {func(_, j kv.Bucket) error { return j.Put(numberKey(3), append(make([]byte, 32), "{"...)) }, 3},
		"the last is cut":     {func(_, j kv.Bucket) error { return j.Put(numberKey(3), []byte("x")) }, 3},
		"a key is no number":  {func(_, j kv.Bucket) error { return j.Put([]byte("x"), []byte("x")) }, 1},
		"a key is behind all": {func(_, j kv.Bucket) error { return j.Put([]byte("\xff\xff"), []byte("x")) }, 6},
		"an entry is missing": {func(_, j kv.Bucket) error { return j.Delete(numberKey(2)) }, 2},
		"the head is cut":     {func(m, _ kv.Bucket) error { return m.Put([]byte(metaHead), []byte("x")) }, 4},
		"the head is missing": {func(m, _ kv.Bucket) error { return m.Delete([]byte(metaHead)) }, 4},
		"the head is too low": {func(m, _ kv.Bucket) error {
			return m.Put([]byte(metaHead), append(make([]byte, 7), append([]byte{1}, make([]byte, 32)...)...))
		}, 4},
		"the head is too high": {func(m, _ kv.Bucket) error {
			return m.Put([]byte(metaHead), append(make([]byte, 7), append([]byte{9}, make([]byte, 32)...)...))
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, dbPath(t))
			commit(t, s, storage.Change{Entries: entries(3)})
			raw(t, s, func(tx *tx) error {
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
			if list := s.AtOpen().Skipped; len(list) != 0 {
				t.Errorf("skipped: %+v", list)
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

// closedSets has every constant of the types that it names, and every closed type of a record but those that only say what
// messages tell.
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
	words := []reflect.Type{reflect.TypeFor[question.NoticeKind](), reflect.TypeFor[remote.PromptStatus](), reflect.TypeFor[remote.Reason]()}
	for _, of := range []any{question.Thread{}, remote.QueuedPrompt{}, remote.ChatSettings{}, remote.MessageRef{}, remote.TurnWatch{}, storage.Topic{}, storage.Guest{}} {
		for _, name := range stringTypes(reflect.TypeOf(of)) {
			if _, ok := closedSets()[name]; len(declared[name.String()]) > 1 && !ok && !slices.Contains(words, name) {
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
