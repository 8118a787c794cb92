package bridge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/internal/testlevel"
	"hermes/pending"
)

// change is one kind of change: what leads to it, what makes it, and the entry by which
// the journal tells of it. When the disk takes changes again and has no such entry, do is
// done once more, as people try again what was not saved.
type change struct {
	alter func(*testing.T) func(*bridge.Config)
	setup func(*world) question.RequestID
	do    func(*world, question.RequestID)
	told  storage.EntryKind
	at    bool // it happened when do was done, whenever it is stored
}

func askedOne(w *world) question.RequestID {
	id := w.agent.ask(oneItem())
	w.wait(time.Second)
	return id
}

func ruled(says string) func(*testing.T) func(*bridge.Config) {
	return func(t *testing.T) func(*bridge.Config) {
		return func(c *bridge.Config) { c.Rules = crew(t, says) }
	}
}

func ends(kind event.FindingKind, answers question.Answers) func(*world, question.RequestID) {
	return func(w *world, id question.RequestID) { w.agent.settle(id, kind, answers) }
}

func passes(d time.Duration) func(*world, question.RequestID) {
	return func(w *world, _ question.RequestID) { w.wait(d) }
}

// changes are the kinds of change that the journal tells of.
func changes() map[string]change {
	return map[string]change{
		"asked": {
			told:  storage.EntryAsked,
			setup: func(*world) question.RequestID { return "" },
			do:    func(w *world, _ question.RequestID) { firstTime(w, func() { w.agent.ask(oneItem()) }); w.agent.list() },
		},
		"answered in the chat": {told: storage.EntryAnswered, setup: askedOne, do: func(w *world, id question.RequestID) { w.pick(adaChat, ada, id, 1) }},
		"dismissed in the chat": {told: storage.EntryAnswered, setup: askedOne, do: func(w *world, id question.RequestID) {
			w.dismiss(adaChat, ada, id)
			w.wait(time.Second)
			w.press(adaChat, ada, id, question.WizardInput{Action: question.Send})
		}},
		"answered by a program": {told: storage.EntryAnswered, setup: askedOne, do: func(w *world, id question.RequestID) {
			if t, err := w.bridge.Request(w.context(), w.agent.origin(), id); err == nil {
				_ = w.bridge.Answer(w.context(), t.ID, question.Answers{{"SQLite"}})
			}
		}},
		"answered in the terminal":  {told: storage.EntryElsewhere, at: true, setup: askedOne, do: ends(event.FoundAnswered, question.Answers{{"Files"}})},
		"dismissed in the terminal": {told: storage.EntryElsewhere, at: true, setup: askedOne, do: ends(event.FoundDismissed, nil)},
		"stopped":                   {told: storage.EntryFailed, at: true, setup: askedOne, do: ends(event.FoundStopped, nil)},
		"deleted":                   {told: storage.EntryFailed, at: true, setup: askedOne, do: ends(event.FoundDeleted, nil)},
		"restarted":                 {told: storage.EntryFailed, at: true, setup: askedOne, do: func(w *world, _ question.RequestID) { w.agent.comeBack(true) }},
		"reminded":                  {told: storage.EntryReminded, setup: askedOne, do: passes(16 * time.Minute)},
		"expired":                   {told: storage.EntryExpired, setup: askedOne, do: passes(31 * time.Minute)},
		"by a rule": {
			told:  storage.EntryAnswered,
			alter: ruled("\n[[rule]]\nname = \"r\"\nheader = \"database\"\ndecide = \"accept-first\"\n"),
			setup: func(*world) question.RequestID { return "" },
			do:    func(w *world, _ question.RequestID) { firstTime(w, func() { w.agent.ask(oneItem()) }); w.agent.list() },
		},
		"escalated": {
			told:  storage.EntryEscalated,
			alter: ruled(widening(twice)), setup: askedOne, do: passes(6 * time.Minute),
		},
		"claimed": {told: storage.EntryClaimed, alter: ruled(claims), setup: askedOne, do: func(w *world, id question.RequestID) {
			w.press(teamChat, bob, id, question.WizardInput{Action: question.Take, On: true})
		}},
		"released by time": {told: storage.EntryReleased, alter: ruled(claims), setup: func(w *world) question.RequestID {
			id := askedOne(w)
			w.claims(bob, id, true)
			return id
		}, do: passes(11 * time.Minute)},
		"approved": {told: storage.EntryApproved, alter: ruled(needing(2)), setup: func(w *world) question.RequestID {
			id := w.agent.askLeave("ses_a", "make")
			w.wait(time.Second)
			return id
		}, do: func(w *world, id question.RequestID) {
			w.press(adaChat, ada, id, once)
		}},
		"lapsed": {told: storage.EntryLapsed, at: true, alter: ruled(needing(2)), setup: func(w *world) question.RequestID {
			id := w.agent.askLeave("ses_a", "make")
			w.wait(time.Second)
			w.press(adaChat, ada, id, once)
			w.wait(time.Second)
			return id
		}, do: func(w *world, _ question.RequestID) {
			if err := w.bridge.SetRules(w.context(), crew(w.t, needing(2, "dev", "ops"))); err != nil {
				w.t.Error(err)
			}
		}},
		"let in": {told: storage.EntryPaired, setup: func(w *world) question.RequestID {
			w.open(eve, eveChat, w.invitation(nil))
			list, _ := w.bridge.Admissions(w.context())
			return list[0].Request.ID
		}, do: func(w *world, id question.RequestID) {
			w.press(chat.ID(ada), ada, id, question.WizardInput{Action: question.Send})
		}},
	}
}

// firstTime does something the first time in a world.
func firstTime(w *world, do func()) {
	if len(w.agent.requests) == 0 {
		do()
	}
}

// With a disk that is full, or fails after it has written, in the middle of each kind of
// change, the journal has at the end just what it has on a sound disk, each entry once,
// and with the time at which it happened; its chain is whole, and the records agree.
func TestRecords_JournalOnAFullDisk(t *testing.T) {
	for name, c := range changes() {
		t.Run(name, func(t *testing.T) {
			want, _ := c.journal(t, nil)
			if !strings.Contains(want, string(c.told)) {
				t.Fatalf("nothing happens: %q", want)
			}
			for seed := range testlevel.Choose[uint64](10, 50) {
				dice := rand.New(rand.NewPCG(seed, 1))
				full := &outage{sound: dice.IntN(4), applied: dice.IntN(3) == 0, lasts: time.Duration(dice.Int64N(int64(8 * time.Minute)))}
				if got, late := c.journal(t, full); got != want || c.at && late > 3*time.Second {
					t.Fatalf("%+v: %v late, the journal says\n%s\nwant\n%s", *full, late, got, want)
				}
			}
		})
	}
}

// outage is a time in which the disk takes nothing, from some commit of a change on. The
// first that fails may be carried out all the same.
type outage struct {
	sound   int // commits before it
	applied bool
	lasts   time.Duration
}

func (o *outage) fate(n *atomic.Int64) func(string) fate {
	return func(op string) fate {
		if op != "commit" {
			return fine
		}
		switch i := int(n.Add(1)) - 1; {
		case i < o.sound:
			return fine
		default:
			return fate{apply: o.applied && i == o.sound, err: errFault}
		}
	}
}

// journal plays the change, with an outage or without, and gives the journal, sorted, and
// how much later than it happened its entry says it was.
func (c change) journal(t *testing.T, o *outage) (said string, late time.Duration) {
	t.Helper()
	var alter func(*bridge.Config)
	if c.alter != nil {
		alter = c.alter(t)
	}
	play(t, alter, func(w *world) {
		id := c.setup(w)
		w.wait(time.Second)
		if o != nil {
			w.setFault(o.fate(new(atomic.Int64)))
		}
		began := time.Now()
		c.do(w, id)
		if o != nil {
			w.wait(o.lasts)
		}
		w.setFault(func(string) fate { return fine })
		w.wait(10 * time.Second)
		if !c.at && w.lastAt(c.told).Before(began) {
			c.do(w, id)
		}
		w.wait(2 * time.Hour) // whatever is due by then
		said, late = w.recorded(), w.lastAt(c.told).Sub(began)
		w.agree()
	})
	return said, late
}

// recorded gives the journal but for what it says of taps that came to nothing.
func (w *world) recorded() string {
	w.t.Helper()
	var lines []string
	err := w.store.Journal(1, func(l pending.Line) error {
		switch e := l.Entry; e.Kind {
		case storage.EntryRefused, storage.EntryDelivered: // the latter is left out when the proof comes first
		default:
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %d %s", e.Kind, e.By.Kind, e.By.Name, e.By.Chat, e.Detail)))
		}
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
	if err := w.store.Verify(); err != nil {
		w.t.Error("the chain is broken:", err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// agree fails the test unless records and journal tell the same: each thread was asked
// once, has an end exactly if the journal has one, and a decision only with its entry.
func (w *world) agree() {
	w.t.Helper()
	count := map[question.ID]map[storage.EntryKind]int{}
	err := w.store.Journal(1, func(l pending.Line) error {
		if count[l.Entry.Thread] == nil {
			count[l.Entry.Thread] = map[storage.EntryKind]int{}
		}
		count[l.Entry.Thread][l.Entry.Kind]++
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	for id := range w.agent.requests {
		t, ok, err := w.store.Find(storage.Key{Request: id})
		if err != nil || !ok {
			w.t.Errorf("%s has no record: %v", id, err)
			continue
		}
		n := count[t.ID]
		ended := n[storage.EntryConfirmed] + n[storage.EntryElsewhere] + n[storage.EntryFailed]
		decided := n[storage.EntryAnswered] + n[storage.EntryExpired]
		switch {
		case n[storage.EntryAsked] != 1,
			ended > 1, (t.Outcome != nil) != (ended == 1),
			t.Decision != nil && decided == 0, t.Decision == nil && n[storage.EntryAnswered] > 0 && n[storage.EntryUndone] == 0:
			w.t.Errorf("%s: the record has decision %v, outcome %v, the journal %v", id, t.Decision, t.Outcome, n)
		}
	}
}

// While the disk is full, a thread is offered again once in five seconds, however many
// of its changes were not stored.
func TestRecords_OneRetryARecord(t *testing.T) {
	for _, changes := range []int{1, 20, 120} {
		play(t, nil, func(w *world) {
			askedOne(w)
			var n atomic.Int64
			w.setFault((&outage{}).fate(&n))
			for range changes {
				w.bridge.Offline(w.context(), time.Minute)
			}
			n.Store(0)
			w.wait(time.Minute)
			if got := n.Load(); got > 45 { // a try moves cards on, which are stored too
				t.Errorf("%d changes: %d commits in a minute", changes, got)
			}
			w.setFault(func(string) fate { return fine })
			w.wait(6 * time.Second)
			if err := w.bridge.Trouble(w.context()); err != nil {
				t.Error("the disk is well again:", err)
			}
		})
	}
}

// A store that takes changes again is well, also if all that it did not take were taps
// that came to nothing; they are in the journal then, once.
func TestRecords_StoreIsWellAgain(t *testing.T) {
	play(t, nil, func(w *world) {
		id := askedOne(w)
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Minute)
		w.setFault((&outage{}).fate(new(atomic.Int64)))
		w.pick(adaChat, ada, id, 2) // it has ended
		tapped := time.Now()
		w.wait(time.Hour)
		if err := w.bridge.Trouble(w.context()); err == nil {
			t.Error("a store that takes nothing is no trouble")
		}
		w.setFault(func(string) fate { return fine })
		w.wait(10 * time.Second)
		if err := w.bridge.Trouble(w.context()); err != nil {
			t.Error("the store is well again:", err)
		}
		w.restart() // what is still in the inbox is handled again
		w.wait(10 * time.Second)
		if got := w.entries(storage.EntryRefused); got != "refused person" {
			t.Errorf("the journal says %q", got)
		}
		at := w.lastAt(storage.EntryRefused)
		if d := at.Sub(tapped); d.Abs() > time.Second {
			t.Errorf("the tap is said to have been %v late", d)
		}
	})
}

// The store is well again as soon as it takes changes, though nothing else happens: when all
// that it refused was a tap that people make again, a chat's hint, or as many taps as are kept.
func TestRecords_StoreIsWellThoughNothingHappens(t *testing.T) {
	for name, do := range map[string]func(*world, question.RequestID){
		"a tap that is not saved": func(w *world, id question.RequestID) { w.pick(adaChat, ada, id, 1) },
		"a text to nothing":       func(w *world, _ question.RequestID) { w.say(bobChat, bob, 999, "hello") },
		"taps beyond the bound": func(w *world, id question.RequestID) {
			for range 1001 {
				w.press(adaChat, ada, id, question.WizardInput{Action: question.Pick, Option: 99})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(c *bridge.Config) { c.TTL = 0 }, func(w *world) {
				id := askedOne(w)
				w.setFault((&outage{}).fate(new(atomic.Int64)))
				do(w, id)
				w.wait(time.Second)
				if err := w.bridge.Trouble(w.context()); err == nil {
					t.Error("a store that takes nothing is no trouble")
				}
				w.setFault(func(string) fate { return fine })
				w.wait(time.Hour)
				if err := w.bridge.Trouble(w.context()); err != nil {
					t.Error("the disk has been well for an hour:", err)
				}
			})
		})
	}
}

// What a chat was meanwhile is not put back by what is stored late.
func TestRecords_ChatIsStoredAsItIsNow(t *testing.T) {
	play(t, nil, func(w *world) {
		askedOne(w)
		w.setFault((&outage{}).fate(new(atomic.Int64)))
		w.input(inbound.Input{Kind: inbound.Blocked, Chat: adaChat, Private: true, User: chat.User{ID: ada}})
		w.setFault(func(string) fate { return fine })
		w.input(inbound.Input{Kind: inbound.Unblocked, Chat: adaChat, Private: true, User: chat.User{ID: ada}})
		w.wait(time.Minute)
		chats, err := w.store.Chats()
		for _, c := range chats {
			if c.ID == adaChat && c.Blocked {
				t.Error("the chat is stored as blocked")
			}
		}
		if err != nil {
			t.Error(err)
		}
	})
}

func (w *world) lastAt(kind storage.EntryKind) (at time.Time) {
	_ = w.store.Journal(1, func(l pending.Line) error {
		if l.Entry.Kind == kind {
			at = l.Entry.At
		}
		return nil
	})
	return at
}

// An outage of a chat is over with what it did not take: with the end of the question
// that it never saw, with the chat that is lost, with new rules.
func TestDisplay_ChatThatTookNothingIsWellAgain(t *testing.T) {
	for name, over := range map[string]func(*world, question.RequestID){
		"answered in the terminal": func(w *world, id question.RequestID) {
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"Files"}})
		},
		"shown": func(w *world, _ question.RequestID) {
			w.chat.mu.Lock()
			defer w.chat.mu.Unlock()
			w.chat.refuses = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			one := func(c *bridge.Config) {
				c.Rules = policy.Everyone([]chat.UserID{ada}, []policy.Target{{Chat: adaChat}})
			}
			play(t, one, func(w *world) {
				w.chat.refuses = func(outbound.Post) (bool, string) { return true, "" }
				id := askedOne(w)
				w.wait(time.Minute)
				if err := w.bridge.Trouble(w.context()); err == nil {
					t.Error("a chat that takes nothing is no trouble")
				}
				over(w, id)
				w.wait(5 * time.Minute)
				if err := w.bridge.Trouble(w.context()); err != nil {
					t.Error("still:", err)
				}
			})
		})
	}
}
