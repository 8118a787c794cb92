package bridge_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// forum makes every topic.
type forum struct{ last atomic.Int64 }

func (f *forum) Topic(p outbound.TopicPost, done func(outbound.TopicDone)) {
	go done(outbound.TopicDone{ID: int(f.last.Add(1))})
}

// askIn makes the agent ask in a session.
func (w *world) askIn(root session.ID) question.RequestID {
	w.agent.mu.Lock()
	w.agent.count++
	id := question.RequestID(fmt.Sprint("que_", w.agent.count))
	r := question.Request{ID: id, Protocol: session.V1, Session: root, Items: []question.Item{oneItem()}, Call: "call", Message: "msg"}
	w.agent.requests[id] = &asked{request: r, found: event.FoundOpen, life: w.agent.life, listed: true}
	w.agent.mu.Unlock()
	w.agent.event(event.Event{Kind: event.Asked, Asks: []event.Ask{{Request: r, Place: session.Place{Title: "fix", Root: root}}}})
	return id
}

// topicsOf are the sessions whose topics the store has, and what is in memory of them.
func (w *world) topicsOf() (stored []session.ID, known int) {
	w.t.Helper()
	list, err := w.store.Topics()
	must(w.t, err)
	for _, t := range list {
		stored = append(stored, t.Root)
	}
	known, err = w.bridge.TopicCount(w.t.Context())
	must(w.t, err)
	return stored, known
}

func (w *world) prune() {
	w.t.Helper()
	before := time.Now().Add(-7 * 24 * time.Hour)
	if _, err := w.store.Prune(before); err != nil {
		w.t.Fatal(err)
	}
	must(w.t, w.bridge.Prune(w.t.Context(), before))
}

// Most sessions never end: their topics are forgotten when nothing was asked there for
// long, or when there are too many.
func TestForum_TopicsAreForgotten(t *testing.T) {
	const day = 24 * time.Hour
	f := &forum{}
	play(t, func(c *bridge.Config) { c.Forum, c.TTL = f, 0 }, func(w *world) {
		answer := func(ids ...question.RequestID) {
			w.wait(time.Second)
			for _, id := range ids {
				w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
			}
			w.wait(time.Second)
		}
		answer(w.askIn("ses_idle"))
		answer(w.askIn("ses_used"))
		w.askIn("ses_open")
		w.wait(40 * day)
		w.restart()
		answer(w.askIn("ses_used"))
		w.wait(30 * day)
		w.prune()
		stored, known := w.topicsOf()
		if slices.Contains(stored, "ses_idle") || !slices.Contains(stored, "ses_used") || !slices.Contains(stored, "ses_open") || known != len(stored) {
			t.Errorf("after 70 days the topics of %q are stored, and %d are known", stored, known)
		}
		for n := range 12 {
			var ids []question.RequestID
			for m := range 50 {
				ids = append(ids, w.askIn(session.ID(fmt.Sprintf("ses_%04d", 50*n+m))))
			}
			answer(ids...)
		}
		w.prune()
		stored, known = w.topicsOf()
		if len(stored) > 1002 || known != len(stored) {
			t.Errorf("%d topics are stored, and %d are known", len(stored), known)
		}
		for id, want := range map[session.ID]bool{"ses_open": true, "ses_0599": true, "ses_0000": false, "ses_used": false} {
			if slices.Contains(stored, id) != want {
				t.Errorf("the topic of %s is remembered: %v", id, !want)
			}
		}
		made := f.last.Load()
		answer(w.askIn("ses_0599"))
		if f.last.Load() != made {
			t.Error("a topic that is remembered was made again")
		}
		answer(w.askIn("ses_0000"))
		if f.last.Load() == made {
			t.Error("no topic was made in place of one that is forgotten")
		}
	})
}

// Who deletes topics wants none, for as long as the session asks.
func TestForum_TopicThatNobodyWantsIsNotMadeAgain(t *testing.T) {
	const day = 24 * time.Hour
	f := &forum{}
	play(t, func(c *bridge.Config) { c.Forum, c.TTL = f, 0 }, func(w *world) {
		for _, chat := range []chat.ID{adaChat, bobChat} {
			gone := storage.Topic{Chat: chat, Root: "ses_a", Deleted: 2}
			must(t, w.store.Commit(storage.Change{Topics: []storage.Topic{gone}}))
		}
		w.restart()
		for range 4 {
			id := w.askIn("ses_a")
			w.wait(time.Second)
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
			w.wait(40 * day)
			w.prune()
		}
		if n := f.last.Load(); n != 0 {
			t.Errorf("%d topics were made", n)
		}
	})
}

// What was stored before it was noted when a topic was used is forgotten later.
func TestForum_TopicsOfBeforeAreKeptForAWhile(t *testing.T) {
	const day = 24 * time.Hour
	play(t, func(c *bridge.Config) { c.Forum = &forum{} }, func(w *world) {
		must(t, w.store.Commit(storage.Change{Topics: []storage.Topic{{Chat: adaChat, Root: "ses_before", ID: 7, Name: "x"}}}))
		for _, step := range []struct {
			wait time.Duration
			want int
		}{{0, 1}, {40 * day, 1}, {30 * day, 0}} {
			w.wait(step.wait)
			w.restart()
			w.wait(time.Second)
			w.prune()
			if stored, known := w.topicsOf(); len(stored) != step.want || known != step.want {
				t.Errorf("%d are stored and %d known, want %d", len(stored), known, step.want)
			}
		}
	})
}
