package pending

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func TestPrune_RemovesWhatIsOldAndSettled(t *testing.T) {
	s := open(t, dbPath(t))
	before := time.Date(2026, 11, 10, 0, 0, 0, 0, time.UTC)
	unending := thread(4)
	unending.Asked = before.Add(-time.Hour)
	commit(t, s, storage.Change{
		Threads: []question.Thread{thread(1)},
		Retired: []question.Thread{settled(2, before.Add(-time.Nanosecond)), settled(3, before), unending},
		Entries: entries(3),
	})
	if n, err := s.Prune(before); err != nil || n != 2 {
		t.Errorf("pruned %d, %v; want 2", n, err)
	}
	for n, want := range map[int]bool{1: true, 2: false, 3: true, 4: false} {
		th := thread(n)
		for _, key := range []storage.Key{{ID: th.ID}, {Request: th.Request.ID}, {Chat: -100, Message: chat.MessageID(10 * n)}} {
			if _, found, err := s.Find(key); err != nil || found != want {
				t.Errorf("Find(%+v) = %v, %v; want %v", key, found, err, want)
			}
		}
	}
	if keys(t, s, bucketByMessage) != 4 || keys(t, s, bucketByRequest) != 2 || keys(t, s, bucketEnded) != 1 {
		t.Error("index entries of pruned threads are left")
	}
	if keys(t, s, bucketJournal) != 3 || s.Verify() != nil {
		t.Error("the journal was pruned")
	}
	if n, err := s.Prune(before); err != nil || n != 0 {
		t.Errorf("pruned again %d, %v", n, err)
	}
}

// A mark is kept for two days, however long settled threads are, and no longer than those.
func TestPrune_ForgetsOldUpdates(t *testing.T) {
	path := dbPath(t)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path)
		prune := func(keep time.Duration, want int) {
			t.Helper()
			if n, err := s.Prune(time.Now().Add(-keep)); err != nil || n != want {
				t.Errorf("pruned %d, %v; want %d", n, err, want)
			}
		}
		commit(t, s, storage.Change{Consumed: []chat.UpdateID{9}})
		time.Sleep(time.Hour) // in the bubble
		commit(t, s, storage.Change{Consumed: []chat.UpdateID{5}})
		prune(0, 1)
		if got := put(t, s, updates(5, 9)); len(got) != 1 || got[0].ID != 9 {
			t.Errorf("fresh: %v; want 9, which was forgotten", got)
		}
		time.Sleep(48 * time.Hour)
		prune(7*24*time.Hour, 0)
		time.Sleep(time.Second)
		prune(7*24*time.Hour, 1)
	})
}

// After a week without updates Telegram goes on with any id (Bot API, Update): with a lower one, or with one that was handled before.
func TestInbox_AnyIDIsNewAfterAWeek(t *testing.T) {
	path := dbPath(t)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path)
		commit(t, s, storage.Change{Consumed: []chat.UpdateID{727_334_708, 727_334_709}})
		time.Sleep(24 * time.Hour) // for so long Telegram may send one again
		if got := put(t, s, updates(727_334_708)); len(got) != 0 {
			t.Errorf("fresh though handled a day ago: %v", got)
		}
		time.Sleep(6 * 24 * time.Hour) // and nobody has pruned
		jumped := updates(117_314_199, 727_334_709, 5)
		if fresh, err := s.Fresh(jumped); err != nil || !reflect.DeepEqual(fresh, jumped) {
			t.Errorf("fresh: %v, %v, want all of them", fresh, err)
		}
		if got := put(t, s, jumped); !reflect.DeepEqual(got, jumped) {
			t.Errorf("put: %v, want all of them", got)
		}
		commit(t, s, storage.Change{Consumed: []chat.UpdateID{117_314_199, 727_334_709, 5}})
		if got := put(t, s, jumped); len(got) != 0 {
			t.Errorf("fresh though handled just now: %v", got)
		}
	})
}

// Between looking for old marks and removing them, one may have been set anew: each is looked at again.
func TestPrune_LeavesAMarkThatIsNew(t *testing.T) {
	path := dbPath(t)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path)
		commit(t, s, storage.Change{Consumed: []chat.UpdateID{9}})
		time.Sleep(72 * time.Hour)
		looks := 0
		if _, err := s.prune(bucketSeen, func(_, _ []byte) bool { looks++; return looks == 1 }); err != nil {
			t.Fatal(err)
		}
		if looks < 2 || keys(t, s, bucketSeen) != 1 {
			t.Errorf("%d looks, %d marks", looks, keys(t, s, bucketSeen))
		}
	})
}

func TestPrune_WorksInBatches(t *testing.T) {
	s := open(t, dbPath(t))
	at := time.Now()
	var old []question.Thread
	for n := range 2*batchMost + 1 {
		old = append(old, settled(n, at))
	}
	commit(t, s, storage.Change{Retired: old})
	before := s.transactions(t)
	if n, err := s.Prune(at.Add(1)); err != nil || n != len(old) {
		t.Errorf("pruned %d, %v; want %d", n, err, len(old))
	}
	if n := s.transactions(t) - before; n != 3 {
		t.Errorf("it took %d transactions, want 3", n)
	}
	if n := keys(t, s, bucketSettled) + keys(t, s, bucketByMessage) + keys(t, s, bucketByRequest) + keys(t, s, bucketEnded); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// Between looking for what is old and removing it, a thread may come to life again.
func TestPrune_LeavesWhatWasStoredAnew(t *testing.T) {
	s := open(t, dbPath(t))
	at := time.Now()
	commit(t, s, storage.Change{Retired: []question.Thread{settled(1, at), settled(2, at)}})
	old := [][]byte{endedKey(at, thread(1).ID), endedKey(at, thread(2).ID)}
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
	if _, err := s.inBatches(old, pruneThread); err != nil {
		t.Fatal(err)
	}
	if threads, err := s.Threads(); err != nil || len(threads) != 1 || keys(t, s, bucketSettled) != 0 {
		t.Errorf("open: %v, %v", threads, err)
	}
}

func TestPrune_ForgetsClosedTopics(t *testing.T) {
	s := open(t, dbPath(t))
	before := time.Date(2026, 11, 10, 0, 0, 0, 0, time.UTC)
	commit(t, s, storage.Change{Topics: []storage.Topic{
		{Chat: -1, Root: "ses_a", ID: 1}, {Chat: -1, Root: "ses_b", ID: 2, Closed: before.Add(-1)}, {Chat: -1, Root: "ses_c", ID: 3, Closed: before},
	}})
	if _, err := s.Prune(before); err != nil {
		t.Fatal(err)
	}
	got, err := s.Topics()
	if err != nil || len(got) != 2 || got[0].ID != 1 || got[1].ID != 3 {
		t.Errorf("left: %+v, %v", got, err)
	}
}

// What was said is forgotten by its time, and so are turns that were told, and those whose end is never heard of, as their OpenCode does not
// come back. One that nobody knows the beginning of is kept.
func TestPruneSaid(t *testing.T) {
	s, long := open(t, dbPath(t)), session.ID(strings.Repeat("s", 100_000))
	commit(t, s, storage.Change{
		MessageRefs: []remote.MessageRef{{Chat: 1, Message: 1, At: sampleTime(1)}, {Chat: 1, Message: 2, At: sampleTime(2)}},
		ToldTurns:   []remote.ToldTurn{{Session: long, Turn: "msg_1", At: sampleTime(1)}, {Session: "ses_1", Turn: "msg_2", At: sampleTime(1)}},
		TurnWatches: []remote.TurnWatch{{Session: "ses_old", Since: sampleTime(1)}, {Session: "ses_new", Since: sampleTime(2)}, {Session: "ses_unknown"}},
	})
	commit(t, s, storage.Change{ToldTurns: []remote.ToldTurn{{Session: "ses_1", Turn: "msg_3", At: sampleTime(3)}}})
	if told, err := s.ToldTurn(long); told != "msg_1" || err != nil {
		t.Errorf("told was %q, %v", told, err)
	}
	if n, err := s.PruneSaid(sampleTime(2)); n != 3 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	for message, want := range map[chat.MessageID]bool{1: false, 2: true} {
		if _, found, err := s.MessageRef(1, message); found != want || err != nil {
			t.Errorf("message %d: %v, %v", message, found, err)
		}
	}
	for id, want := range map[session.ID]session.MessageID{long: "", "ses_1": "msg_3", "ses_2": ""} {
		if got, err := s.ToldTurn(id); got != want || err != nil {
			t.Errorf("of %.10s the last is %q, %v; want %q", id, got, err, want)
		}
	}
	d, err := s.SessionRecords()
	if err != nil || len(d.TurnWatches) != 2 || d.TurnWatches[0].Session != "ses_new" || d.TurnWatches[1].Session != "ses_unknown" {
		t.Errorf("%+v, %v", d.TurnWatches, err)
	}
}
