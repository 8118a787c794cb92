package pending

import (
	"encoding/json"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
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
	th.Cards = []question.Card{{Chat: -200, Messages: []chat.MessageID{10, 99}, Boxes: []question.ReplyBox{{Begun: true}, {Message: 98, Over: true}}}}
	commit(t, s, storage.Change{Threads: []question.Thread{th}})

	for key, want := range map[storage.Key]bool{
		{Request: "que_1"}:         false,
		{Request: "que_other"}:     true,
		{Chat: -100, Message: 10}:  false,
		{Chat: -100, Message: 11}:  false,
		{Chat: -200, Message: 10}:  true,
		{Chat: -200, Message: 99}:  true,
		{Chat: -200, Message: 98}:  true,
		{Chat: -200, Message: 0}:   false,
		{Chat: -200, Message: 100}: false,
	} {
		if _, found, err := s.Find(key); err != nil || found != want {
			t.Errorf("Find(%+v) = %v, %v; want %v", key, found, err, want)
		}
	}
	if n := keys(t, s, bucketByMessage); n != 3 {
		t.Errorf("%d messages are indexed, want 3", n)
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

func TestBeat(t *testing.T) {
	s := open(t, dbPath(t))
	if at, err := s.LastBeat(); err != nil || !at.IsZero() {
		t.Errorf("before any beat: %v, %v", at, err)
	}
	want := time.Date(2026, 11, 21, 3, 4, 5, 678, time.FixedZone("", 3600))
	must(t, s.Beat(want))
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
		must(t, s.KeepToken(want))
		s = reopen(t, s)
		if mark, err := s.Token(); err != nil || mark != want {
			t.Errorf("got %q, %v", mark, err)
		}
	}
}

// After a write that failed the store takes nothing more, also if its disk does by then: only the next process can tell what is stored. A change
// that does not fit is no such write.
func TestStore_TakesNothingAfterAFailedWrite(t *testing.T) {
	path, full := dbPath(t), false
	s, err := Open(path, Options{NoSync: true, Write: func(write func() error) error {
		if full {
			return &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
		}
		return write()
	}})
	must(t, err)
	if err := s.Links().Remove("laptop", storage.Entry{}); !errors.Is(err, ErrNoLink) || s.Err() != nil {
		t.Errorf("a change that does not fit: %v, %v", err, s.Err())
	}
	full = true
	first := s.Beat(sampleTime(1))
	full = false
	want := "cannot write the database " + path + " (HERMES_DB): no space left on device"
	if err := s.Beat(sampleTime(2)); first == nil || first.Error() != want || err != first || s.Err() != first {
		t.Errorf("%v, then %v and %v", first, err, s.Err())
	}
	select {
	case <-s.Failed():
	default:
		t.Error("nobody is told")
	}
	if beat, err := reopen(t, s).LastBeat(); err != nil || !beat.IsZero() {
		t.Errorf("%v was stored, %v", beat, err)
	}
}

func TestPairings_AreRemoved(t *testing.T) {
	s := open(t, dbPath(t))
	var all storage.Pairings
	for n := range 2 {
		i, _ := storage.Invite(time.Date(2026, 11, 21, 12, n, 0, 0, time.UTC))
		i.Hash[0] = byte(n) // the order that they come back in
		all.Invitations = append(all.Invitations, i)
		all.Guests = append(all.Guests, storage.Guest{User: chat.UserID(42 + n), Roles: []string{"dev"}})
		all.Groups = append(all.Groups, storage.GuestGroup{Chat: chat.ID(-100 + n)})
	}
	commit(t, s, storage.Change{Paired: all})
	commit(t, s, storage.Change{Unpaired: storage.Pairings{Invitations: all.Invitations[:1], Guests: all.Guests[1:], Groups: all.Groups[:1]}})
	left := storage.Pairings{Invitations: all.Invitations[1:], Guests: all.Guests[:1], Groups: all.Groups[1:]}
	if got, err := reopen(t, s).Pairings(); err != nil || !reflect.DeepEqual(got, left) {
		t.Errorf("left: %+v, %v", got, err)
	}
}

func TestTopics_AreDropped(t *testing.T) {
	s := open(t, dbPath(t))
	long := session.ID(strings.Repeat("long", 20_000))
	commit(t, s, storage.Change{Topics: []storage.Topic{{Chat: -1, Root: "ses_a", ID: 1}, {Chat: -1, Root: "ses_b", ID: 2}, {Chat: -1, Root: long, ID: 3}}})
	commit(t, s, storage.Change{Dropped: []storage.Topic{{Chat: -1, Root: "ses_a"}, {Chat: -2, Root: "ses_b"}, {Chat: -1, Root: long}}})
	if got, err := s.Topics(); err != nil || len(got) != 1 || got[0].ID != 2 {
		t.Errorf("left: %+v, %v", got, err)
	}
}

func TestSessionRecords(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{
		Prompts:     []remote.QueuedPrompt{{ID: "a", At: sampleTime(2)}, {ID: "b", At: sampleTime(1), Message: 8}, {ID: "c", At: sampleTime(1), Message: 7}, {ID: "d"}},
		TurnWatches: []remote.TurnWatch{{Session: "ses_1"}, {Session: "ses_2"}},
	})
	commit(t, s, storage.Change{EndedPrompts: []question.ID{"d"}, EndedWatches: []session.ID{"ses_1"}})
	got, err := reopen(t, s).SessionRecords()
	var order []question.ID
	for _, p := range got.Prompts {
		order = append(order, p.ID)
	}
	if want := []question.ID{"c", "b", "a"}; err != nil || !reflect.DeepEqual(order, want) || len(got.TurnWatches) != 1 || got.TurnWatches[0].Session != "ses_2" {
		t.Errorf("%q wait, %+v, %v", order, got.TurnWatches, err)
	}
}

func TestEnded_LastOnesFirst(t *testing.T) {
	s, at := open(t, dbPath(t)), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	commit(t, s, storage.Change{
		Threads: []question.Thread{thread(1)},
		Retired: []question.Thread{settled(2, at.Add(time.Hour)), settled(3, at), settled(4, at.Add(2*time.Hour))},
	})
	for n, want := range map[int]string{0: "", 1: "4", 2: "42", 9: "423"} {
		list, err := s.Ended(n)
		got := ""
		for _, th := range list {
			got += string(th.ID[len(th.ID)-1:])
		}
		if got != want || err != nil {
			t.Errorf("the last %d are %q, %v, want %q", n, got, err, want)
		}
	}
}

// A request id names an ask together with the process that announced it.
func TestFind_ByProcess(t *testing.T) {
	at := func(process string) session.Origin {
		return session.Origin{Way: session.Link, Process: process, Directory: "/d"}
	}
	ask := func(n int, process string) question.Thread {
		th := thread(n)
		th.Request.ID, th.Origins = "que_same", []session.Origin{at(process)}
		return th
	}
	s := open(t, dbPath(t))
	find := func(o session.Origin, want question.ID) {
		t.Helper()
		got, found, err := s.Find(storage.Key{Request: "que_same", Origin: o})
		if err != nil || got.ID != want || found != (want != "") {
			t.Errorf("Find(%q) = %q, %v, %v; want %q", o.Process, got.ID, found, err, want)
		}
	}
	a, b, c := ask(1, "a"), ask(2, "b"), ask(3, "c")
	commit(t, s, storage.Change{Threads: []question.Thread{a, b, c}})
	find(session.Origin{}, a.ID)
	find(at("a"), a.ID)
	find(at("b"), b.ID)
	find(at("c"), c.ID)
	find(at("d"), "")

	commit(t, s, storage.Change{Threads: []question.Thread{b}}) // stored again
	find(session.Origin{}, a.ID)
	find(at("b"), b.ID)

	a.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, At: time.Now().Add(-time.Hour)}
	commit(t, s, storage.Change{Retired: []question.Thread{a}})
	find(at("a"), a.ID)
	if _, err := s.Prune(time.Now()); err != nil {
		t.Fatal(err)
	}
	find(at("a"), "")
	find(at("b"), b.ID)
	find(at("c"), c.ID)

	commit(t, s, storage.Change{Threads: []question.Thread{c}}) // the id alone is free by now
	find(session.Origin{}, c.ID)
	find(at("b"), b.ID)

	later := ask(4, "c") // the same process once more: news
	commit(t, s, storage.Change{Threads: []question.Thread{later}})
	find(at("c"), later.ID)
	find(session.Origin{}, later.ID)

	both := ask(5, "b") // of two ways, as an earlier hermes joined them
	both.Origins = append(both.Origins, at("e"))
	commit(t, s, storage.Change{Threads: []question.Thread{both}})
	find(at("b"), both.ID)
	find(at("e"), both.ID)
}

// What a hermes stored that knew of no processes is found by its process.
func TestFind_ByProcessInTheGoldenFile(t *testing.T) {
	s := open(t, restore(t))
	for _, want := range []question.Thread{sampleThread(), thread(1), sample().Retired[0]} {
		key := storage.Key{Request: want.Request.ID}
		if got, found, err := s.Find(key); err != nil || !found || got.ID != want.ID {
			t.Errorf("%s is found as %q, %v, %v", want.Request.ID, got.ID, found, err)
		}
		if len(want.Origins) == 0 {
			continue
		}
		key.Origin = want.Origins[0]
		if got, found, err := s.Find(key); err != nil || !found || got.ID != want.ID {
			t.Errorf("%s of its process is found as %q, %v, %v", want.Request.ID, got.ID, found, err)
		}
		key.Origin.Process += "x"
		if got, found, err := s.Find(key); err != nil || found {
			t.Errorf("%s of another process is found as %q, %v", want.Request.ID, got.ID, err)
		}
	}
}
