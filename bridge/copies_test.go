package bridge_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/telegram/ui"
)

// A chat that certainly got no message of a question is not told how it ended, whatever
// becomes of the same question in another chat.
func TestDisplay_ChatThatNeverGotTheQuestionIsNotToldItsEnd(t *testing.T) {
	for name, delay := range map[string]time.Duration{"at once": 0, "after a delay": 300 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			play(t, func(c *bridge.Config) { c.NotifyDelay = delay }, func(w *world) {
				refuse := true
				w.chat.waits = map[chat.ID]time.Duration{adaChat: time.Minute, bobChat: 5 * time.Second}
				w.chat.refuses = func(p outbound.Post) (bool, string) { return refuse, "" }
				id := w.agent.ask(oneItem())
				w.wait(3 * time.Second)
				w.chat.mu.Lock()
				w.chat.refuses = func(p outbound.Post) (bool, string) { return p.Chat == adaChat && len(p.Messages) == 0, "" }
				w.chat.mu.Unlock()
				w.wait(27 * time.Second)
				if _, _, ok := w.chat.find(bobChat, id); !ok {
					t.Fatal("the other chat does not show it")
				}
				w.chat.mu.Lock()
				w.chat.refuses = nil
				w.chat.mu.Unlock()
				w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
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

// adaAlone has Ada asked in her chat, and nobody else.
func adaAlone(c *bridge.Config) {
	c.Rules = policy.Everyone([]chat.UserID{ada}, []policy.Target{{Chat: adaChat}})
}

// copied is a question that Ada's chat, or another one alone, shows in one message that hermes knows of, below copies of it.
type copied struct {
	*world
	id     question.RequestID
	chat   chat.ID
	copies []chat.MessageID
}

// inCopies has a question asked whose first messages are sent without an answer, so many of them.
func inCopies(t *testing.T, n int, in chat.ID, ask []question.Item, story func(copied)) {
	t.Helper()
	play(t, func(c *bridge.Config) {
		c.Rules = policy.Everyone([]chat.UserID{ada, bob}, []policy.Target{{Chat: in}})
		c.TTL = 24 * time.Hour
	}, func(w *world) {
		lost := n
		w.setFault(func(op string) fate {
			if op == "show" && lost > 0 {
				lost--
				return fate{apply: true, err: errFault}
			}
			return fine
		})
		c := copied{world: w, id: w.agent.ask(ask...), chat: in}
		w.wait(time.Minute)
		for id, s := range w.chat.screens[in] {
			if w.isCopy(in, id, s) {
				c.copies = append(c.copies, id)
			}
		}
		slices.Sort(c.copies)
		if len(c.copies) != n || len(w.chat.screens[in]) != n+1 {
			t.Fatalf("%d messages, of them copies: %v", len(w.chat.screens[in]), c.copies)
		}
		story(c)
	})
}

// view is what a message shows.
func (c copied) view(id chat.MessageID) question.View { return c.chatViews()[id] }

func (c copied) chatViews() map[chat.MessageID]question.View {
	c.world.chat.mu.Lock()
	defer c.world.chat.mu.Unlock()
	views := map[chat.MessageID]question.View{}
	for id, s := range c.screens()[c.chat] {
		views[id] = s.view
	}
	return views
}

func (c copied) screens() map[chat.ID]map[chat.MessageID]*screen { return c.world.chat.screens }

// known is the message that hermes knows of.
func (c copied) known() chat.MessageID { return slices.Max(slices.Collect(maps.Keys(c.chatViews()))) }

// tap presses a button that a message shows.
func (c copied) tap(id chat.MessageID, m question.WizardInput) string {
	m.Rev = c.view(id).Step
	return c.forge(c.chat, id, c.view(id).Thread, m)
}

// forge is a tap with any data.
func (c copied) forge(in chat.ID, id chat.MessageID, thread question.ID, m question.WizardInput) string {
	c.t.Helper()
	before := len(c.world.chat.alerts)
	c.input(inbound.Input{
		Kind: inbound.Tapped, Chat: in, Private: in > 0, Message: id, Callback: "cb",
		User: chat.User{ID: ada, Name: "Ada"}, Thread: thread, Move: m,
	})
	c.wait(5 * time.Second)
	told := c.world.chat.alerts[before:]
	if len(told) != 1 {
		c.t.Fatalf("told: %+v", told)
	}
	return told[0]
}

// wantCopies fails the test unless of the copies just these are still unknown.
func (c copied) wantCopies(want ...chat.MessageID) {
	c.t.Helper()
	var got []chat.MessageID
	for _, id := range c.copies {
		if c.isCopy(c.chat, id, c.screens()[c.chat][id]) {
			got = append(got, id)
		}
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("unknown are %v, want %v", got, want)
	}
}

// wantEnd fails the test unless these messages tell that the question was answered.
func (c copied) wantEnd(messages ...chat.MessageID) {
	c.t.Helper()
	for _, id := range messages {
		if v := c.view(id); v.Outcome == nil || v.Outcome.Kind != question.OutcomeAnswered {
			c.t.Errorf("message %d says %s %+v", id, v.Phase, v.Outcome)
		}
	}
}

var sqlite = question.Answers{{"SQLite"}}

// A message whose sending had an unknown outcome is sent again, and its copies are left alone. A tap on one counts or is told the truth, and
// from then on that message is a card like any other.
func TestCopies_TapMakesACard(t *testing.T) {
	one, two := []question.Item{oneItem()}, []question.Item{oneItem(), oneItem()}
	for name, c := range map[string]struct {
		copies int
		ask    []question.Item
		story  func(copied)
	}{
		"it answers": {1, one, func(c copied) {
			if a := c.tap(c.copies[0], pickOne); a != "" {
				t.Errorf("told %+v", a)
			}
			c.got(c.id, sqlite)
			c.wantCopies()
			c.wantEnd(c.copies[0], c.known())
		}},
		"the other message answers, and the copy is told later": {1, one, func(c copied) {
			c.tap(c.known(), pickOne)
			c.wantEnd(c.known())
			c.wantCopies(c.copies...)
			c.wait(24 * time.Hour)
			if a := c.tap(c.copies[0], pickOne); a != told(ui.HowItStands(c.thread(c.id).View())) {
				t.Errorf("told %+v", a)
			}
			c.wantCopies()
			c.wantEnd(c.copies[0])
			if n := c.openThreads(); n != 0 {
				t.Errorf("%d questions are not let go of", n)
			}
		}},
		"several": {3, one, func(c copied) {
			c.tap(c.copies[1], question.WizardInput{Action: question.Type, On: true})
			c.wantCopies(c.copies[0], c.copies[2])
			if v := c.view(c.copies[1]); !v.Wizard.Typing {
				t.Errorf("the tapped one shows %+v", v.Wizard)
			}
			c.tap(c.copies[0], pickOne)
			c.got(c.id, sqlite)
			c.wantEnd(c.copies[0], c.copies[1], c.known())
			c.wantCopies(c.copies[2])
		}},
		"of an earlier step": {1, two, func(c copied) {
			c.tap(c.known(), pickOne)
			if a := c.tap(c.copies[0], pickTwo); a != told(ui.Stale()) {
				t.Errorf("told %+v", a)
			}
			c.wantCopies()
			if v := c.view(c.copies[0]); v.Wizard.Step != 1 {
				t.Errorf("it shows %+v", v.Wizard)
			}
			c.tap(c.copies[0], question.WizardInput{Action: question.Pick, Item: 1})
			c.tap(c.copies[0], question.WizardInput{Action: question.Send})
			c.got(c.id, question.Answers{{"SQLite"}, {"SQLite"}})
			c.wantEnd(c.copies[0], c.known())
		}},
		"it is a card after a restart, too": {1, one, func(c copied) {
			c.tap(c.copies[0], question.WizardInput{Action: question.Dismiss})
			c.restart()
			c.wait(time.Minute)
			c.agent.settle(c.id, event.FoundAnswered, sqlite)
			c.wait(time.Minute)
			c.wantEnd(c.copies[0], c.known())
		}},
		"a reply to it is one to nothing, until it was tapped": {1, two, func(c copied) {
			c.say(c.chat, ada, c.copies[0], "SQLite")
			c.wait(5 * time.Second)
			if n := c.world.chat.notes; len(n) != 1 || n[0].text != noted(ui.WhichAsk().Text()) || c.view(c.known()).Wizard.Step != 0 {
				t.Errorf("%+v", n)
			}
			c.tap(c.copies[0], question.WizardInput{Action: question.Type, On: true})
			c.say(c.chat, ada, c.copies[0], "SQLite")
			c.wait(5 * time.Second)
			if v := c.view(c.copies[0]); v.Wizard.Step != 1 {
				t.Errorf("it shows %+v", v.Wizard)
			}
		}},
		"of two cards in a chat one reminds": {1, one, func(c copied) {
			c.tap(c.copies[0], question.WizardInput{Action: question.Dismiss})
			c.wait(13 * time.Hour)
			if n := c.world.chat.notes; len(n) != 1 || !strings.HasPrefix(n[0].text, "⏰") || n[0].replyTo != c.known() {
				t.Errorf("%+v", n)
			}
		}},
		"forged taps make none": {1, one, func(c copied) {
			other := c.agent.ask(oneItem())
			c.wait(time.Minute)
			message, thread := c.copies[0], c.view(c.copies[0]).Thread
			for what, a := range map[string]string{
				"in another chat":       c.forge(bobChat, message, thread, pickOne),
				"of another random id":  c.forge(c.chat, message, question.NewID(), pickOne),
				"of no message":         c.forge(c.chat, 0, thread, pickOne),
				"on another's question": c.forge(c.chat, c.known(), thread, pickOne),
			} {
				if a != told(ui.NoSuchAsk()) {
					t.Errorf("%s: told %+v", what, a)
				}
			}
			c.wantCopies(message)
			for _, id := range []question.RequestID{c.id, other} {
				if cards := c.thread(id).Cards; len(cards) != 1 || len(cards[0].Messages) != 1 || c.agent.requests[id].found != event.FoundOpen {
					t.Errorf("%s: %+v, %s", id, cards, c.agent.requests[id].found)
				}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) { inCopies(t, c.copies, adaChat, c.ask, c.story) })
	}
}

// A group that became a supergroup has the old messages no more: copies there are refused, and the question is shown in the new one alone.
func TestCopies_StayBehindInAGroupThatMoved(t *testing.T) {
	const old, moved = -5, -100500
	inCopies(t, 2, old, []question.Item{oneItem()}, func(c copied) {
		c.tap(c.copies[0], question.WizardInput{Action: question.Type, On: true})
		c.migrate(old, moved)
		c.wait(time.Minute)
		if a := c.tap(c.copies[1], pickOne); a == "" || c.agent.requests[c.id].found != event.FoundOpen {
			t.Errorf("told %+v", a)
		}
		c.chat = moved
		if n := len(c.screens()[moved]); n != 1 {
			t.Fatalf("%d messages in the new group", n)
		}
		c.tap(c.known(), pickOne)
		c.got(c.id, sqlite)
		c.wantEnd(c.known())
	})
}

// Whoever is faster than what is sent again makes the card of the only message that is there.
func TestCopies_TapBeforeItIsSentAgain(t *testing.T) {
	play(t, adaAlone, func(w *world) {
		w.setFault(func(op string) fate { return fate{apply: true, err: map[string]error{"show": errFault}[op]} })
		id := w.agent.ask(oneItem())
		w.wait(100 * time.Millisecond)
		w.setFault(func(string) fate { return fine })
		w.press(adaChat, ada, id, question.WizardInput{Action: question.Dismiss})
		w.wait(time.Minute)
		if _, v, _ := w.chat.find(adaChat, id); len(w.chat.screens[adaChat]) != 1 || !v.Wizard.Dismissing {
			t.Errorf("%d messages, %+v", len(w.chat.screens[adaChat]), v.Wizard)
		}
	})
}

// A tap comes before Telegram's word that the message was sent, while that is under way: one message stays one card.
func TestCopies_TapBeforeTheMessageIsKnown(t *testing.T) {
	play(t, adaAlone, func(w *world) {
		w.chat.slowResult = 10 * time.Second
		id := w.askOne()
		w.press(adaChat, ada, id, question.WizardInput{Action: question.Dismiss})
		w.wait(time.Minute)
		shown := 0
		for _, c := range w.thread(id).Cards {
			shown += len(c.Messages)
		}
		if _, v, _ := w.chat.find(adaChat, id); shown != 1 || len(w.chat.screens[adaChat]) != 1 || !v.Wizard.Dismissing {
			t.Errorf("%d messages, %d on record, %+v", len(w.chat.screens[adaChat]), shown, v.Wizard)
		}
	})
}

// A kill between the sending of a message and the note of it: the question is sent again, and the copy tells the truth when it is tapped.
func TestCopies_KilledBeforeItIsNoted(t *testing.T) {
	for name, ends := range map[string]bool{"it waits": false, "it has ended": true} {
		t.Run(name, func(t *testing.T) {
			play(t, adaAlone, func(w *world) {
				w.chat.slowResult = 10 * time.Second
				id := w.askOne()
				w.kill()
				w.chat.slowResult = 0
				if ends {
					w.agent.settle(id, event.FoundAnswered, sqlite)
				}
				w.agent.up = false // so that the card is sent again before its end is heard
				w.start()
				w.wait(time.Second)
				w.agent.up = true
				w.agent.list()
				w.wait(10 * time.Minute)
				if n := len(w.chat.screens[adaChat]); n != 2 {
					t.Errorf("%d messages", n)
				}
				w.tapCopies()
				for message, s := range w.chat.screens[adaChat] {
					if ended := s.view.Outcome != nil; ended != ends {
						t.Errorf("message %d says %s", message, s.view.Phase)
					}
				}
			})
		})
	}
}
