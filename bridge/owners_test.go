package bridge_test

import (
	"cmp"
	"sync"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// links says whose the link of the agent is.
type links struct {
	mu    sync.Mutex
	owner chat.UserID
	known bool
	name  string // empty: as it was made

	byMachine bool
}

func (l *links) OwnerOf(string) (chat.UserID, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.owner, l.known
}

func (l *links) Owns(id chat.UserID) bool {
	owner, known := l.OwnerOf("")
	return known && owner == id
}

func (l *links) NamedByMachine(string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byMachine
}

func (l *links) NameOf(id string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.name, session.FirstName(id))
}

// The private chats of Ada and Bob have their ids.
const (
	adasOwn = chat.ID(ada)
	bobsOwn = chat.ID(bob)
)

// A machine that has chosen the name of its link gets around no rule by it, as long as nobody else has given it one.
func TestOwners_LinkNamedByItsMachine(t *testing.T) {
	l := &links{owner: ada, known: true, byMachine: true}
	set := func(c *bridge.Config) {
		c.Rules, c.Owners = crew(t, "\n[[rule]]\nname = \"production\"\nlink = \"prod-*\"\nask = \"permission\"\napprovals = 2\n"), l
	}
	play(t, set, func(w *world) {
		w.agent.at = session.Origin{Way: session.Link, Process: "p", Directory: "/home/ada/shop-api", Token: "laptop"}
		w.agent.list()
		w.wait(time.Second)
		id := w.agent.askLeave("ses_1", "make")
		w.wait(2 * time.Second)
		if n := w.thread(id).Needs; n != 2 {
			t.Errorf("it needs %d, and may be of production", n)
		}
		l.mu.Lock()
		l.byMachine = false
		l.mu.Unlock()
		must(t, w.bridge.LinksChanged(w.t.Context()))
		w.wait(time.Second)
		if n := w.thread(id).Needs; n != 1 {
			t.Errorf("renamed, it needs %d", n)
		}
	})
}

// playOwners plays a bridge whose agent asks over a link of Ada's, where people may take back what they decide.
func playOwners(t *testing.T, rules string, story func(w *world, give func(chat.UserID))) {
	t.Helper()
	l := &links{owner: ada, known: true}
	set := func(c *bridge.Config) {
		c.Rules, c.Owners, c.Undo, c.NotifyDelay = team(t, rules), l, 10*time.Second, 800*time.Millisecond
	}
	play(t, set, func(w *world) {
		w.agent.at = session.Origin{Way: session.Link, Process: "p", Directory: "/home/ada/shop-api", Token: "laptop"}
		w.agent.list()
		w.wait(time.Second)
		story(w, func(id chat.UserID) {
			l.mu.Lock()
			l.owner = id
			l.mu.Unlock()
			if err := w.bridge.LinksChanged(w.t.Context()); err != nil {
				t.Error(err)
			}
		})
	})
}

// wantShownTo fails the test unless a request is shown just to these, of Ada and Bob.
func (w *world) wantShownTo(id question.RequestID, adas, bobs bool) {
	w.t.Helper()
	w.wait(3 * time.Second)
	if _, _, ok := w.chat.find(adasOwn, id); ok != adas {
		w.t.Errorf("%s shown to Ada: %v, want %v", id, ok, adas)
	}
	if _, _, ok := w.chat.find(bobsOwn, id); ok != bobs {
		w.t.Errorf("%s shown to Bob: %v, want %v", id, ok, bobs)
	}
}

// What was not shown yet when its link became another person's is shown to them alone.
func TestOwners_MovedBeforeItIsShown(t *testing.T) {
	playOwners(t, "", func(w *world, give func(chat.UserID)) {
		id := w.agent.ask(oneItem())
		w.wait(100 * time.Millisecond)
		give(bob)
		w.wantShownTo(id, false, true)
	})
}

// Who else is asked later is asked as the rule says for whom the link belongs to by then.
func TestOwners_MovedBeforeMoreAreAsked(t *testing.T) {
	const rules = "\n[[rule]]\nname = \"later\"\nchats = [-5]\nescalate = [{ after = \"5m\", chats = [\"owner\"] }]\n"
	playOwners(t, rules, func(w *world, give func(chat.UserID)) {
		id := w.agent.ask(oneItem())
		w.wantShownTo(id, false, false)
		give(bob)
		w.wait(6 * time.Minute)
		w.wantShownTo(id, false, true)
	})
}

// What is asked again is asked of whom the link belongs to by then: also of each of several equal asks.
func TestOwners_MovedWhileItIsHeld(t *testing.T) {
	const decides = "\n[[rule]]\nname = \"databases\"\nheader = \"database\"\ndecide = \"auto\"\nanswers = [{ header = \"database\", answer = \"sqlite\" }]\nnotify = true\nundo = \"20s\"\n"
	t.Run("by a rule", func(t *testing.T) {
		playOwners(t, decides, func(w *world, give func(chat.UserID)) {
			id := w.agent.ask(oneItem())
			w.wait(3 * time.Second)
			give(bob)
			w.press(adasOwn, ada, id, tapUndo)
			w.wantShownTo(id, true, true)
			w.press(adasOwn, ada, id, pickOne)
			w.wait(time.Minute)
			if n := len(w.agent.requests[id].sentAt); n != 0 {
				t.Error("Ada's answer was sent")
			}
			w.press(bobsOwn, bob, id, pickOne)
			w.wait(time.Minute)
			if n := len(w.agent.requests[id].sentAt); n != 1 {
				t.Errorf("Bob's answer was sent %d times", n)
			}
		})
	})
	for name, undo := range map[string]bool{"taken back": true, "one has ended": false} {
		t.Run(name, func(t *testing.T) {
			playOwners(t, "", func(w *world, give func(chat.UserID)) {
				first, second := w.agent.askLeave("ses_1", "make"), w.agent.askLeave("ses_1", "make")
				w.wait(3 * time.Second)
				leader, other := first, second
				if w.thread(first).Leader != "" {
					leader, other = second, first
				}
				w.pressAndWait(adasOwn, ada, leader, once)
				give(bob)
				if undo {
					w.pressAndWait(adasOwn, ada, leader, tapUndo)
				}
				if o := w.thread(other).Owner.ID; undo && o != bob {
					t.Errorf("the other ask is %d's", o)
				}
				w.agent.settle(leader, "answered", question.Answers{{question.Once}})
				w.wantShownTo(other, false, true)
				w.press(bobsOwn, bob, other, once)
				w.wait(time.Minute)
				w.decided(other, question.Once)
			})
		})
	}
}

// What somebody writes in their chat is for no ask that became another person's: it would be lost to their own agents.
func TestOwners_PlainTextOfWhoHadIt(t *testing.T) {
	playOwners(t, "", func(w *world, give func(chat.UserID)) {
		moved := w.agent.ask(oneItem())
		w.wait(3 * time.Second)
		give(bob)
		w.say(adasOwn, ada, 0, "remove the cache")
		w.wait(3 * time.Second)
		if got := w.journaled(moved, storage.EntryRefused); len(got) != 0 {
			t.Errorf("the text is taken for the ask: %v", got)
		}
		message, _, _ := w.chat.find(adasOwn, moved)
		w.say(adasOwn, ada, message, "1")
		w.wait(time.Minute)
		if got := w.journaled(moved, storage.EntryRefused); len(got) != 1 || len(w.agent.requests[moved].sentAt) != 0 {
			t.Errorf("of a reply to it the journal has %v", got)
		}
		give(ada)
		w.say(adasOwn, ada, 0, "1")
		w.wait(time.Minute)
		if n := len(w.agent.requests[moved].sentAt); n != 1 {
			t.Errorf("the owner's answer was sent %d times", n)
		}
	})
}
