package bridge_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/bridge"
	"hermes/question"
)

// A chat that certainly got no message of a question is not told how it ended, whatever
// becomes of the same question in another chat.
func TestAChatThatNeverGotTheQuestionIsNotToldItsEnd(t *testing.T) {
	for name, delay := range map[string]time.Duration{"at once": 0, "after a delay": 300 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, func(c *bridge.Config) { c.NotifyDelay = delay })
				w.start()
				defer w.kill()
				refuse := true
				w.chat.waits = map[question.ChatID]time.Duration{adaChat: time.Minute, bobChat: 5 * time.Second}
				w.chat.refuses = func(p question.Post) (bool, string) { return refuse, "" }
				id := w.agent.ask(oneItem())
				w.wait(3 * time.Second)
				w.chat.mu.Lock()
				w.chat.refuses = func(p question.Post) (bool, string) { return p.Chat == adaChat && len(p.Messages) == 0, "" }
				w.chat.mu.Unlock()
				w.wait(27 * time.Second)
				if _, _, ok := w.chat.find(bobChat, id); !ok {
					t.Fatal("the other chat does not show it")
				}
				w.chat.mu.Lock()
				w.chat.refuses = nil
				w.chat.mu.Unlock()
				w.agent.settle(id, question.FoundAnswered, question.Answers{{"SQLite"}})
				w.wait(2 * time.Minute)
				if _, v, ok := w.chat.find(adaChat, id); ok {
					t.Errorf("the chat is told of what it never saw: %s", v.Phase)
				}
				if _, v, ok := w.chat.find(bobChat, id); !ok || v.Outcome == nil {
					t.Error("the other chat is not told")
				}
			})
		})
	}
}
