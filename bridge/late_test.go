package bridge_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/storage"
)

// forgotten makes OpenCode forget a question that both chats show, and waits until
// nothing is owed to it any more.
func (w *world) forgotten() (question.RequestID, question.Thread) {
	w.t.Helper()
	id := w.agent.ask(oneItem())
	w.wait(2 * time.Second)
	w.agent.down()
	w.wait(time.Second)
	w.agent.comeBack(true)
	w.wait(time.Minute)
	w.shows(id, question.PhaseEnded, question.OutcomeRestarted)
	w.idle()
	return id, w.thread(id)
}

// idle fails the test if anything is owed to a thread.
func (w *world) idle() {
	w.t.Helper()
	if open, err := w.store.Threads(); err != nil || len(open) != 0 {
		w.t.Errorf("%d threads are owed something, %v", len(open), err)
	}
}

func (w *world) late(t question.Thread, prompt question.ID, state question.LateState) error {
	l := question.Late{Prompt: prompt, Answers: question.Answers{{"A"}}, By: question.Actor{Kind: question.Person, User: ada}, State: state, At: time.Now()}
	c := storage.Change{EndedPrompts: []question.ID{prompt}}
	if state == question.LateOwed {
		c = storage.Change{Prompts: []remote.QueuedPrompt{{ID: prompt}}, Entries: []storage.Entry{
			{At: l.At, Kind: storage.EntryPrompted, Thread: prompt, By: l.By, Answers: l.Answers},
		}}
	}
	return w.bridge.Late(context.Background(), t.ID, l, c)
}

func (w *world) queuedPrompts() int {
	w.t.Helper()
	d, err := w.store.SessionRecords()
	if err != nil {
		w.t.Fatal(err)
	}
	return len(d.Prompts)
}

// told fails the test unless both chats tell that of a late answer.
func (w *world) told(id question.RequestID, want question.LateState) {
	w.t.Helper()
	for _, chat := range []chat.ID{adaChat, bobChat} {
		if _, v, ok := w.chat.find(chat, id); !ok || v.Late == nil || v.Late.State != want {
			w.t.Errorf("chat %d shows %+v, want %q", chat, v.Late, want)
		}
	}
}

// A late answer is in the store together with its prompt, once, and then on every
// screen, though nothing was owed any more.
func TestLate_Answers(t *testing.T) {
	play(t, nil, func(w *world) {
		id, thread := w.forgotten()
		if err := w.late(thread, "first", question.LateOwed); err != nil || w.queuedPrompts() != 1 {
			t.Errorf("%v, %d prompts", err, w.queuedPrompts())
		}
		if err := w.late(thread, "second", question.LateOwed); !errors.Is(err, question.ErrLate) || w.queuedPrompts() != 1 {
			t.Errorf("a second one: %v, %d prompts", err, w.queuedPrompts())
		}
		w.wait(5 * time.Second)
		w.told(id, question.LateOwed)
		if err := w.late(thread, "first", question.LateSent); err != nil || w.queuedPrompts() != 0 {
			t.Errorf("%v, %d prompts", err, w.queuedPrompts())
		}
		w.wait(time.Minute)
		w.told(id, question.LateSent)
		w.idle()
		if err := w.late(question.Thread{ID: question.NewID()}, "third", question.LateOwed); !errors.Is(err, question.ErrNoThread) || w.queuedPrompts() != 0 {
			t.Errorf("without a question: %v, %d prompts", err, w.queuedPrompts())
		}
	})
}

// A question that waits takes its answers as ever.
func TestLate_OpenQuestionTakesNone(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(2 * time.Second)
		if err := w.late(w.thread(id), "first", question.LateOwed); !errors.Is(err, question.ErrLate) || w.queuedPrompts() != 0 {
			t.Errorf("%v, %d prompts", err, w.queuedPrompts())
		}
		w.shows(id, question.PhaseAsking, "")
	})
}

// What the store does not take is not there, and what it took in spite of its error is.
func TestLate_StoreThatFails(t *testing.T) {
	for name, kept := range map[string]bool{"failed": false, "failed, and kept": true} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				id, thread := w.forgotten()
				w.setFault(func(op string) fate {
					if op == "commit" {
						return fate{apply: kept, err: errFault}
					}
					return fine
				})
				err := w.late(thread, "first", question.LateOwed)
				w.setFault(func(string) fate { return fine })
				if (err == nil) != kept || (w.queuedPrompts() == 1) != kept {
					t.Errorf("%v, %d prompts", err, w.queuedPrompts())
				}
				w.wait(time.Minute)
				if _, v, _ := w.chat.find(adaChat, id); (v.Late != nil) != kept {
					t.Errorf("the chat shows %+v", v.Late)
				}
			})
		})
	}
}

// A crash right behind it leaves the screens to the next start.
func TestLate_OutlivesTheProcess(t *testing.T) {
	play(t, nil, func(w *world) {
		id, thread := w.forgotten()
		w.chat.slow = time.Second
		if err := w.late(thread, "first", question.LateSent); err != nil {
			t.Fatal(err)
		}
		w.restart()
		w.wait(time.Minute)
		w.told(id, question.LateSent)
		w.idle()
	})
}

// A request that is asked after all is a new question, as it was before.
func TestLate_WhatIsAskedAfterAllIsNews(t *testing.T) {
	play(t, nil, func(w *world) {
		id, thread := w.forgotten()
		w.chat.slow = 10 * time.Second // so that the old one is still being shown
		if err := w.late(thread, "first", question.LateSent); err != nil {
			t.Fatal(err)
		}
		w.agent.mu.Lock()
		w.agent.requests[id].found = event.FoundOpen
		w.agent.mu.Unlock()
		w.agent.list()
		w.wait(5 * time.Minute)
		if again := w.thread(id); again.ID == thread.ID || !again.Open() {
			t.Errorf("%+v", again)
		}
	})
}
