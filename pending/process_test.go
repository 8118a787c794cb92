package pending

import (
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

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
