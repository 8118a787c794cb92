package bridge_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/storage"
)

const (
	first  = chat.ID(-5)
	second = chat.ID(-6)
	third  = chat.ID(-7)
	super  = chat.ID(-100600) // what the second becomes
)

// widening is a rule that sends to the first chat, and to others in time.
func widening(escalate string) string {
	return "\n[[rule]]\nname = \"all\"\nchats = [-5]\nescalate = " + escalate + "\n"
}

const twice = `[{ after = "5m", chats = [-6] }, { after = "10m", chats = [-7, -6, -5] }]`

// showing are the chats that have a card of the request, each once for each card.
func (w *world) showing(id question.RequestID) []chat.ID {
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	var list []chat.ID
	for chat, screens := range w.chat.screens {
		for _, s := range screens {
			if s.view.Request.ID == id {
				list = append(list, chat)
			}
		}
	}
	slices.Sort(list)
	return list
}

func TestDeadlines_Escalation(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		do    func(*world, question.RequestID)
		want  []chat.ID
		said  bool // the cards say that further chats were asked
	}{
		"before its time":        {twice, func(w *world, _ question.RequestID) { w.wait(4 * time.Minute) }, []chat.ID{first}, false},
		"the first level":        {twice, func(w *world, _ question.RequestID) { w.wait(6 * time.Minute) }, []chat.ID{second, first}, true},
		"each chat once":         {twice, func(w *world, _ question.RequestID) { w.wait(11 * time.Minute) }, []chat.ID{third, second, first}, true},
		"to where it is already": {`[{ after = "5m", chats = [-5] }]`, func(w *world, _ question.RequestID) { w.wait(6 * time.Minute) }, []chat.ID{first}, false},
		"to another topic":       {`[{ after = "5m", chats = ["-5/7"] }]`, func(w *world, _ question.RequestID) { w.wait(6 * time.Minute) }, []chat.ID{first, first}, true},
		"decided before": {twice, func(w *world, id question.RequestID) {
			w.agent.down()
			w.wait(time.Second)
			w.pick(first, ada, id, 0)
			w.wait(11 * time.Minute)
		}, []chat.ID{first}, false},
		"ended before": {twice, func(w *world, id question.RequestID) {
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
			w.wait(11 * time.Minute)
		}, []chat.ID{first}, false},
		"OpenCode is away": {twice, func(w *world, _ question.RequestID) { w.agent.down(); w.wait(6 * time.Minute) }, []chat.ID{second, first}, true},
		"a restart before": {twice, func(w *world, _ question.RequestID) { w.restart(); w.wait(6 * time.Minute) }, []chat.ID{second, first}, true},
		"a restart between": {twice, func(w *world, _ question.RequestID) {
			w.wait(6 * time.Minute)
			w.restart()
			w.wait(5 * time.Minute)
		}, []chat.ID{third, second, first}, true},
		"a restart after": {twice, func(w *world, _ question.RequestID) {
			w.wait(11 * time.Minute)
			w.restart()
			w.wait(11 * time.Minute)
		}, []chat.ID{third, second, first}, true},
		"a second chat that became a supergroup": {twice, func(w *world, _ question.RequestID) {
			w.input(inbound.Input{Kind: inbound.Moved, Chat: second, NewChat: super})
			w.wait(11 * time.Minute)
		}, []chat.ID{super, third, first}, true},
		"a second chat that becomes one afterwards": {twice, func(w *world, _ question.RequestID) {
			w.wait(6 * time.Minute)
			w.input(inbound.Input{Kind: inbound.Moved, Chat: second, NewChat: super})
			w.wait(5 * time.Minute)
		}, []chat.ID{super, third, second, first}, true}, // the old message stays behind
		"a first chat that becomes one": {twice, func(w *world, _ question.RequestID) {
			w.wait(4 * time.Minute)
			w.input(inbound.Input{Kind: inbound.Moved, Chat: first, NewChat: super})
			w.wait(2 * time.Minute)
		}, []chat.ID{super, second, first}, true},
		"old and new id of a group": {`[{ after = "5m", chats = [-6, -100600] }]`, func(w *world, _ question.RequestID) {
			w.input(inbound.Input{Kind: inbound.Moved, Chat: second, NewChat: super})
			w.wait(6 * time.Minute)
		}, []chat.ID{super, first}, true},
		"both ids shown when it becomes one": {`[{ after = "5m", chats = [-6, -100600] }]`, func(w *world, _ question.RequestID) {
			w.wait(6 * time.Minute)
			w.input(inbound.Input{Kind: inbound.Moved, Chat: second, NewChat: super})
			w.wait(time.Minute)
		}, []chat.ID{super, second, first}, true},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(b *bridge.Config) { b.Rules = crew(t, widening(c.rules)) }, func(w *world) {
				id := w.askOne()
				c.do(w, id)
				w.wait(time.Second)
				if got := w.showing(id); !slices.Equal(got, c.want) {
					w.t.Errorf("shown in %v, want %v", got, c.want)
				}
				if said := w.thread(id).Escalated; said != c.said {
					w.t.Errorf("says that further chats were asked: %v", said)
				}
			})
		})
	}
}

// The chat that should get it takes nothing: hermes was removed from it, or cannot
// write there. The further chats get it at their time all the same.
func TestDeadlines_EscalationWhereNobodySawIt(t *testing.T) {
	for name, broken := range map[string]string{"removed": "kicked", "failing": ""} {
		play(t, func(b *bridge.Config) { b.Rules = crew(t, widening(twice)) }, func(w *world) {
			w.chat.refuses = func(p outbound.Post) (bool, string) { return p.Chat == first, broken }
			id := w.agent.ask(oneItem())
			w.wait(5*time.Minute + 10*time.Second)
			if got := w.showing(id); !slices.Equal(got, []chat.ID{second}) {
				t.Fatalf("%s: shown in %v", name, got)
			}
			w.answersWith(second, ada, id, 0, "SQLite")
		})
	}
}

// hermes was down at the time of an escalation: what people have said meanwhile is
// heard first.
func TestDeadlines_EscalationAfterAStop(t *testing.T) {
	play(t, func(b *bridge.Config) { b.Rules = crew(t, widening(twice)) }, func(w *world) {
		id := w.askOne()
		w.kill()
		time.Sleep(7 * time.Minute)
		w.start()
		w.wait(time.Minute)
		if got := w.showing(id); !slices.Equal(got, []chat.ID{first}) {
			t.Errorf("at once shown in %v", got)
		}
		w.wait(90 * time.Second)
		if got := w.showing(id); !slices.Equal(got, []chat.ID{second, first}) {
			t.Errorf("then shown in %v", got)
		}
	})
}

// A group that became a supergroup is named by both ids in the rules: it gets one card.
func TestPlaces_BothIdsOfAGroup(t *testing.T) {
	const rules = "\n[[rule]]\nname = \"all\"\nchats = [-6, -100600]\n"
	play(t, func(b *bridge.Config) { b.Rules = crew(t, rules) }, func(w *world) {
		w.input(inbound.Input{Kind: inbound.Moved, Chat: second, NewChat: super})
		id := w.askOne()
		if got := w.showing(id); !slices.Equal(got, []chat.ID{super}) {
			t.Errorf("shown in %v", got)
		}
	})
}

// At night a card makes no sound, reminders wait for the morning, and the deadline
// does not. The clock of Berlin is put back at three that night, to two.
func TestDeadlines_QuietHours(t *testing.T) {
	const hours = "quiet = \"22:00-07:00\"\nquiet_zone = \"Europe/Berlin\"\n"
	zone, err := time.LoadLocation("Europe/Berlin")
	must(t, err)
	night := time.Date(2026, 10, 24, 23, 0, 0, 0, zone)
	for _, c := range []struct {
		name    string
		at      time.Time
		ttl     time.Duration
		silent  bool
		remind  []time.Duration // after the ask
		restart bool
	}{
		{"by day", night.Add(-3 * time.Hour), time.Hour, false, []time.Duration{30 * time.Minute, 55 * time.Minute}, false},
		{"at night, over by the morning", night, time.Hour, true, nil, false},
		{"at night, until after the clock was put back", night, 12 * time.Hour, true, []time.Duration{9 * time.Hour, 12*time.Hour - 5*time.Minute}, false},
		{"the same over a restart", night, 12 * time.Hour, true, []time.Duration{9 * time.Hour, 12*time.Hour - 5*time.Minute}, true},
		{"two reminders in the night are one", night, 9*time.Hour + 2*time.Minute, true, []time.Duration{9 * time.Hour}, false},
		{"from the evening into the night", night.Add(-2 * time.Hour), 3 * time.Hour, false, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := "\n[[rule]]\nname = \"all\"\n" + hours
			play(t, func(b *bridge.Config) { b.Rules, b.TTL = crew(t, rules), c.ttl }, func(w *world) {
				time.Sleep(time.Until(c.at))
				asked := time.Now()
				id := w.askOne()
				if got := w.chat.silent; !slices.Equal(got, []bool{c.silent}) {
					w.t.Errorf("silent: %v, want %v", got, c.silent)
				}
				if c.restart {
					w.wait(7 * time.Hour)
					w.restart()
				}
				w.wait(c.ttl + time.Hour)
				if _, v, _ := w.chat.find(adaChat, id); v.Outcome == nil || v.Outcome.By.Kind != question.Deadline {
					w.t.Errorf("it did not end at its deadline: %+v", v.Outcome)
				}
				if got, want := fmt.Sprint(w.reminded(id, asked)), fmt.Sprint(c.remind); got != want {
					w.t.Errorf("reminded after %v, want %v", got, want)
				}
			})
		})
	}
}

// reminded is when reminders were sent, in whole minutes after the ask.
func (w *world) reminded(id question.RequestID, asked time.Time) (list []time.Duration) {
	w.journalOf(id, func(e storage.Entry) {
		if e.Kind == storage.EntryReminded {
			list = append(list, e.At.Sub(asked).Round(time.Minute))
		}
	})
	return list
}
