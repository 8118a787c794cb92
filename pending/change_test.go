package pending

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

func TestThreads_OpenOnesOldestFirst(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Threads: []question.Thread{thread(3), thread(1), thread(2)}})
	commit(t, s, storage.Change{Retired: []question.Thread{settled(2, time.Now())}})
	threads, err := reopen(t, s).Threads()
	if err != nil || len(threads) != 2 || threads[0].ID != thread(1).ID || threads[1].ID != thread(3).ID {
		t.Errorf("got %v, %v", threads, err)
	}
}

// A settled record that cannot be read must not matter to a start.
func TestThreads_DoesNotReadSettledOnes(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
	raw(t, s, func(tx kv.Tx) error {
		return tx.Bucket(bucketSettled).Put([]byte("x"), []byte("no JSON"))
	})
	if threads, err := s.Threads(); err != nil || len(threads) != 1 {
		t.Errorf("got %v, %v", threads, err)
	}
	raw(t, s, func(tx kv.Tx) error {
		return tx.Bucket(bucketOpen).Put([]byte("bad"), []byte("no JSON"))
	})
	if _, err := s.Threads(); err == nil || !strings.Contains(err.Error(), `"bad"`) {
		t.Errorf("an open record that cannot be read gives %v, want an error that names it", err)
	}
}

func TestFind(t *testing.T) {
	s := open(t, dbPath(t))
	first, second := thread(1), settled(2, time.Now())
	first.Cards = append(first.Cards, question.Card{
		Chat: 7, Messages: []chat.MessageID{1}, Others: []chat.MessageID{2},
	})
	captured := thread(3)
	captured.Request.ID = ""
	long := thread(4)
	long.Request.ID = question.RequestID(strings.Repeat("q", 100_000))
	commit(t, s, storage.Change{Threads: []question.Thread{first, captured, long}, Retired: []question.Thread{second}})

	for _, c := range []struct {
		key  storage.Key
		want question.ID
	}{
		{storage.Key{ID: first.ID}, first.ID},
		{storage.Key{ID: second.ID}, second.ID},
		{storage.Key{ID: captured.ID}, captured.ID},
		{storage.Key{ID: "unknown"}, ""},
		{storage.Key{ID: question.ID(strings.Repeat("x", 100_000))}, ""},
		{storage.Key{}, ""},
		{storage.Key{Request: "que_1"}, first.ID},
		{storage.Key{Request: "que_2"}, second.ID},
		{storage.Key{Request: "que_3"}, ""},
		{storage.Key{Request: long.Request.ID}, long.ID},
		{storage.Key{Request: long.Request.ID + "q"}, ""},
		{storage.Key{Chat: -100, Message: 10}, first.ID},
		{storage.Key{Chat: -100, Message: 21}, second.ID},
		{storage.Key{Chat: 7, Message: 1}, first.ID},
		{storage.Key{Chat: 7, Message: 2}, first.ID},
		{storage.Key{Chat: 7, Message: 3}, ""},
		{storage.Key{Chat: 7, Message: 10}, ""},
		{storage.Key{Chat: -100, Message: 12}, ""},
	} {
		got, found, err := s.Find(c.key)
		if err != nil || got.ID != c.want || found != (c.want != "") {
			t.Errorf("Find(%.60v) = %v, %v, %v; want %q", c.key, got.ID, found, err, c.want)
		}
	}
}

// Find leads to the record as it is now, and to nothing that it is no more.
func TestFind_IndexFollowsTheRecord(t *testing.T) {
	s := open(t, dbPath(t))
	th := thread(1)
	commit(t, s, storage.Change{Threads: []question.Thread{th}})
	th.Request.ID = "que_other"
	th.Cards = []question.Card{{Chat: -200, Messages: []chat.MessageID{10, 99}}}
	commit(t, s, storage.Change{Threads: []question.Thread{th}})

	for key, want := range map[storage.Key]bool{
		{Request: "que_1"}:         false,
		{Request: "que_other"}:     true,
		{Chat: -100, Message: 10}:  false,
		{Chat: -100, Message: 11}:  false,
		{Chat: -200, Message: 10}:  true,
		{Chat: -200, Message: 99}:  true,
		{Chat: -200, Message: 100}: false,
	} {
		if _, found, err := s.Find(key); err != nil || found != want {
			t.Errorf("Find(%+v) = %v, %v; want %v", key, found, err, want)
		}
	}
	if n := keys(t, s, bucketByMessage); n != 2 {
		t.Errorf("%d messages are indexed, want 2", n)
	}
}

// A captured call and the ask that it became may meet under one request id.
func TestFind_IndexEntryBelongsToWhomItNames(t *testing.T) {
	s := open(t, dbPath(t))
	first, second := thread(1), thread(2)
	second.Request.ID = first.Request.ID
	commit(t, s, storage.Change{Threads: []question.Thread{first}})
	commit(t, s, storage.Change{Threads: []question.Thread{second}})
	first.Request.ID = ""
	commit(t, s, storage.Change{Threads: []question.Thread{first}})
	if got, found, err := s.Find(storage.Key{Request: second.Request.ID}); err != nil || !found || got.ID != second.ID {
		t.Errorf("got %v, %v, %v", got.ID, found, err)
	}
}

func TestCommit_ThreadIsInOneBucket(t *testing.T) {
	s := open(t, dbPath(t))
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []storage.Change{
		{Threads: []question.Thread{thread(1)}},
		{Retired: []question.Thread{settled(1, at)}},
		{Retired: []question.Thread{settled(1, at.Add(time.Hour))}},
		{Threads: []question.Thread{thread(1)}, Retired: []question.Thread{settled(1, at)}},
	} {
		commit(t, s, c)
		inOpen, inSettled, inEnded := keys(t, s, bucketOpen), keys(t, s, bucketSettled), keys(t, s, bucketEnded)
		if inOpen+inSettled != 1 || inSettled != inEnded || inSettled != len(c.Retired) {
			t.Errorf("open %d, settled %d, ended %d after %+v", inOpen, inSettled, inEnded, c)
		}
	}
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
	if keys(t, s, bucketOpen) != 1 || keys(t, s, bucketSettled) != 0 || keys(t, s, bucketEnded) != 0 {
		t.Error("a thread that is owed something again is still settled")
	}
}

// When one part of a change cannot be stored, nothing of it is.
func TestCommit_IsAllOrNothing(t *testing.T) {
	s := open(t, dbPath(t))
	u := chat.Update{ID: 1, Raw: json.RawMessage(`{}`)}
	if _, err := s.Put([]chat.Update{u}); err != nil {
		t.Fatal(err)
	}
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
	bad := storage.Entry{At: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)} // no JSON says this year
	changed := thread(1)
	changed.Rev, changed.Request.ID = 7, "que_changed"
	err := s.Commit(storage.Change{
		Threads: []question.Thread{changed, thread(2)}, Retired: []question.Thread{settled(3, time.Now())},
		Chats: []chat.Chat{{ID: 1}}, Consumed: []chat.UpdateID{1},
		Entries: []storage.Entry{{Kind: storage.EntryAsked}, bad},
	})
	if err == nil {
		t.Fatal("a time that cannot be stored was stored")
	}
	s = reopen(t, s)
	threads, _ := s.Threads()
	if len(threads) != 1 || threads[0].Rev != 0 || threads[0].Request.ID != "que_1" {
		t.Errorf("threads: %+v", threads)
	}
	inbox, _ := s.Inbox()
	if !reflect.DeepEqual(inbox, []chat.Update{u}) {
		t.Errorf("inbox: %v", inbox)
	}
	for _, bucket := range []string{bucketSettled, bucketEnded, bucketChats, bucketSeen, bucketJournal} {
		if n := keys(t, s, bucket); n != 0 {
			t.Errorf("%d keys in %s", n, bucket)
		}
	}
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}

func TestCommit_IsOneTransaction(t *testing.T) {
	s := open(t, dbPath(t))
	before := s.transactions(t)
	commit(t, s, storage.Change{})
	if _, err := s.Put(nil); err != nil {
		t.Fatal(err)
	}
	if n := s.transactions(t) - before; n != 0 {
		t.Errorf("nothing to store took %d transactions", n)
	}
	commit(t, s, storage.Change{
		Threads: []question.Thread{thread(1), thread(2)}, Retired: []question.Thread{settled(3, time.Now())},
		Chats: []chat.Chat{{ID: 1}}, Consumed: []chat.UpdateID{1, 2}, Entries: make([]storage.Entry, 3),
	})
	if n := s.transactions(t) - before; n != 1 {
		t.Errorf("a change took %d transactions, want 1", n)
	}
}

// transactions is the number of the last committed one.
func (s *Store) transactions(t *testing.T) (n int) {
	t.Helper()
	ofFile(t)
	if err := s.db.View(func(tx kv.Tx) error { n = tx.(boltTx).ID(); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestLastMessage(t *testing.T) {
	s := open(t, dbPath(t))
	th := thread(1)
	th.Cards = []question.Card{
		{Chat: -100, Messages: []chat.MessageID{5, 9}, Others: []chat.MessageID{300}},
		{Chat: -99, Messages: []chat.MessageID{2}},
		{Chat: 7, Messages: []chat.MessageID{maxPosted}},
	}
	commit(t, s, storage.Change{Threads: []question.Thread{th}})
	for chat, want := range map[chat.ID]chat.MessageID{
		-100: 300, -99: 2, 7: maxPosted, -101: 0, -98: 0, 8: 0, 0: 0,
	} {
		if got, err := s.LastMessage(chat); err != nil || got != want {
			t.Errorf("LastMessage(%d) = %d, %v; want %d", chat, got, err, want)
		}
	}
	if got, err := open(t, dbPath(t)).LastMessage(7); err != nil || got != 0 {
		t.Errorf("in an empty file: %d, %v", got, err)
	}
}

func TestBeat(t *testing.T) {
	s := open(t, dbPath(t))
	if at, err := s.LastBeat(); err != nil || !at.IsZero() {
		t.Errorf("before any beat: %v, %v", at, err)
	}
	want := time.Date(2026, 11, 21, 3, 4, 5, 678, time.FixedZone("", 3600))
	if err := s.Beat(want); err != nil {
		t.Fatal(err)
	}
	if at, err := reopen(t, s).LastBeat(); err != nil || !at.Equal(want) || at != want.UTC() {
		t.Errorf("got %v, %v; want %v", at, err, want)
	}
}

func TestToken(t *testing.T) {
	s := open(t, dbPath(t))
	if mark, err := s.Token(); err != nil || mark != "" {
		t.Errorf("a new file: %q, %v", mark, err)
	}
	for _, want := range []string{"one", "another"} {
		if err := s.KeepToken(want); err != nil {
			t.Fatal(err)
		}
		s = reopen(t, s)
		if mark, err := s.Token(); err != nil || mark != want {
			t.Errorf("got %q, %v", mark, err)
		}
	}
}
