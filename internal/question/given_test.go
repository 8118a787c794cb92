package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/retry"
)

// noon is when the threads of these tests are asked. All times count from it.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return noon.Add(d) }

// asked is a thread that was heard of at noon, for two chats, and is not shown yet.
func asked(changes ...func(*Thread)) Thread {
	t := Thread{
		ID: "AAAAAAAAAAAA", Request: Request{ID: "que_1", Items: []Item{databases()}}, Rev: 1,
		Asked: noon, ShowAt: after(800 * time.Millisecond), TTL: 30 * time.Minute, OnExpiry: ExpireReject,
		Cards: []Card{{Chat: 1}, {Chat: 2}},
	}
	for _, change := range changes {
		change(&t)
	}
	return t
}

// shown is on screen in both chats, with half an hour to answer.
func shown(changes ...func(*Thread)) Thread {
	return asked(append([]func(*Thread){func(t *Thread) {
		t.Cards[0].Messages, t.Cards[0].Rev = []chat.MessageID{10}, 1
		t.Cards[1].Messages, t.Cards[1].Rev = []chat.MessageID{20, 21}, 1
		t.Deadline = after(30 * time.Minute)
		t.RemindAt = []time.Time{after(15 * time.Minute), after(25 * time.Minute)}
	}}, changes...)...)
}

// decided was answered after ten minutes.
func decided(changes ...func(*Thread)) Thread {
	return shown(append([]func(*Thread){func(t *Thread) {
		t.Decision = &Decision{Answers: Answers{{"SQLite"}}, At: after(10 * time.Minute)}
		t.Rev = 2
	}}, changes...)...)
}

// settled is proven to have ended, a second after that.
func settled(changes ...func(*Thread)) Thread {
	return decided(append([]func(*Thread){func(t *Thread) {
		t.Outcome = &Outcome{Kind: OutcomeAnswered, At: after(10*time.Minute + time.Second)}
		t.Rev = 3
	}}, changes...)...)
}

func away(t *Thread)     { t.Leave(noon) }
func captured(t *Thread) { t.Request.ID = "" }
func expired(t *Thread)  { t.Expired, t.OnExpiry = true, ExpireWait }

func check(d time.Duration) func(*Thread) {
	return func(t *Thread) { t.CheckAt = after(d) }
}

func resolveAt(d time.Duration) func(*Thread) {
	return func(t *Thread) { t.Resolving = retry.Attempts{Made: 1, Next: after(d)} }
}

func deliverAt(d time.Duration) func(*Thread) {
	return func(t *Thread) { t.Delivery.Attempts = retry.Attempts{Made: 1, Next: after(d)} }
}

func sentAt(d time.Duration) func(*Thread) {
	return func(t *Thread) {
		t.Delivery = Delivery{Attempts: retry.Attempts{Made: 1, Next: after(d + 150*time.Millisecond)}, SentAt: after(d)}
	}
}

// heldTo keeps the decision until then.
func heldTo(d time.Duration) func(*Thread) {
	return func(t *Thread) { t.Held = &Hold{Until: after(d)} }
}

func rev(n int) func(*Thread) {
	return func(t *Thread) { t.Rev = n }
}

// claimed is a claim that holds so long.
func claimed(d time.Duration) func(*Thread) {
	return func(t *Thread) {
		t.ClaimFor, t.Claim = d, &Claim{By: Actor{Kind: Person, User: 7, Name: "Ada"}, Until: after(d)}
	}
}

// widens is a thread that goes to a third chat at these times.
func widens(times ...time.Duration) func(*Thread) {
	return func(t *Thread) {
		for _, d := range times {
			t.Escalations = append(t.Escalations, Escalation{At: after(d), Cards: []Card{{Chat: 3}}})
		}
	}
}

func card(n int, change func(*Card)) func(*Thread) {
	return func(t *Thread) { change(&t.Cards[n]) }
}

// refused is a card that its chat did not take; its next try is due at d.
func refused(d time.Duration) func(*Card) {
	return func(c *Card) { c.Refused, c.Tries = "blocked", retry.Attempts{Made: 1, Next: after(d)} }
}

// follows is a thread that another one led.
func follows(t *Thread) { t.Leader = "BBBBBBBBBBBB" }

// copied is a thread of which the first chat has a copy.
func copied(t *Thread) {
	t.Cards = append(t.Cards, Card{Chat: t.Cards[0].Chat, Messages: []chat.MessageID{99}, Rev: t.Cards[0].Rev})
}

func unshown(c *Card) { c.Messages, c.Rev = nil, 0 }

func right(rev int) func(*Card) {
	return func(c *Card) { c.Rev = rev }
}

func tryAt(d time.Duration) func(*Card) {
	return func(c *Card) { c.Tries = retry.Attempts{Made: 1, Next: after(d)} }
}

// drawn writes steps as the tables do: "show 0, deliver".
func drawn(steps []Step) string {
	var words []string
	for _, s := range steps {
		word := string(s.Kind)
		if s.Card >= 0 {
			word += fmt.Sprintf(" %d", s.Card)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// never is the wake time of a thread that only an event can change.
const never = time.Duration(-1)

type moment struct {
	name   string
	thread Thread
	at     time.Duration // since noon
	steps  string
	wake   time.Duration // since noon, or never
}

func checkMoments(t *testing.T, moments []moment) {
	t.Helper()
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			steps, wake := m.thread.Next(after(m.at))
			if got := drawn(steps); got != m.steps {
				t.Errorf("after %v\n got %q\nwant %q", m.at, got, m.steps)
			}
			if want := m.wakeTime(); !wake.Equal(want) {
				t.Errorf("after %v: wakes %v after noon, want %v", m.at, wake.Sub(noon), m.wake)
			}
		})
	}
}

func (m moment) wakeTime() time.Time {
	if m.wake == never {
		return time.Time{}
	}
	return after(m.wake)
}
