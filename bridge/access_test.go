package bridge_test

import (
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
	"hermes/telegram/ui"
)

const (
	dana     = chat.UserID(13)
	eve      = chat.UserID(14)
	teamChat = chat.ID(-5)
)

// team is Ada, who leads, Bob, who does not, and Dana, who reads along. Questions of
// the project go to the team's chat, and leads answer them.
func team(t *testing.T, rules string) *policy.Ruleset {
	t.Helper()
	b, err := policy.Parse("rules.toml", []byte(`
[[person]]
id = 11
name = "Ada"
roles = ["lead"]
[[person]]
id = 12
name = "Bob"
roles = ["dev"]
[[person]]
id = 13
name = "Dana"
`+rules))
	must(t, err)
	return b
}

const leads = `
[[rule]]
name = "shop"
directory = "*/shop-api"
roles = ["lead"]
chats = [-5, 1]
`

func playTeam(t *testing.T, story func(*world)) {
	t.Helper()
	play(t, func(c *bridge.Config) { c.Rules = team(t, leads) }, story)
}

func (w *world) lastAlert() string {
	w.t.Helper()
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	if len(w.chat.alerts) == 0 {
		w.t.Fatal("no tap was acknowledged")
	}
	return w.chat.alerts[len(w.chat.alerts)-1]
}

// lastRefusal is why the last input without an effect had none, as the journal has it.
func (w *world) lastRefusal() storage.Refusal {
	w.t.Helper()
	all := w.refusals()
	if len(all) == 0 {
		w.t.Fatal("nothing was refused")
	}
	return storage.Refusal(all[len(all)-1].Detail)
}

// refusals are what the journal has of input without an effect.
func (w *world) refusals() []storage.Entry {
	w.t.Helper()
	var list []storage.Entry
	err := w.store.Journal(1, func(l pending.Line) error {
		if l.Entry.Kind == storage.EntryRefused {
			list = append(list, l.Entry)
		}
		return nil
	})
	must(w.t, err)
	return list
}

func TestAccess_TapsWithoutARight(t *testing.T) {
	playTeam(t, func(w *world) {
		id := w.askOne()
		for user, want := range map[chat.UserID]ui.Line{
			bob: ui.WrongRole([]string{"lead"}), dana: ui.NoRole([]string{"lead"}), eve: ui.Stranger(),
		} {
			w.pick(teamChat, user, id, 0)
			w.wait(time.Second)
			if got := w.lastAlert(); got != told(want) {
				t.Errorf("user %d: %q, want %q", user, got, told(want))
			}
			w.shows(id, question.PhaseAsking, "")
		}
		for _, e := range w.refusals() {
			if e.Rule != "shop" && e.Detail != string(storage.RefusedStranger) {
				t.Errorf("%+v", e)
			}
		}
		if n := len(w.refusals()); n != 3 {
			t.Errorf("%d refusals in the journal, want 3", n)
		}
		w.answersWith(teamChat, ada, id, 0, "SQLite")
	})
}

// A directory that is a symbolic link to a protected one is protected, also after a
// restart.
func TestAccess_RightsBehindALink(t *testing.T) {
	rules := strings.Replace(leads, "*/shop-api", "/srv/production", 1)
	play(t, func(c *bridge.Config) { c.Rules = team(t, rules) }, func(w *world) {
		w.agent.resolved = "/srv/production"
		id := w.askOne()
		w.restart()
		w.wait(time.Second)
		w.pick(teamChat, bob, id, 0)
		w.wait(time.Second)
		if got := w.lastRefusal(); got != storage.RefusedWrongRole {
			t.Errorf("got %q", got)
		}
		w.answersWith(teamChat, ada, id, 0, "SQLite")
	})
}

// A text that does not count is answered once, however many there are.
func TestAccess_TextsWithoutARight(t *testing.T) {
	playTeam(t, func(w *world) {
		id := w.askOne()
		message, _, _ := w.chat.find(teamChat, id)
		for _, user := range []chat.UserID{bob, dana, bob, eve} {
			w.say(teamChat, user, message, "SQLite")
			w.wait(time.Second)
		}
		w.shows(id, question.PhaseAsking, "")
		if len(w.chat.notes) != 2 || w.wasNoted(ui.WrongRole([]string{"lead"})) != 1 || w.wasNoted(ui.NoRole([]string{"lead"})) != 1 {
			t.Errorf("notes %v", w.chat.notes)
		}
		if n := len(w.refusals()); n != 3 {
			t.Errorf("%d refusals in the journal, want 3", n)
		}
		if inbox, err := w.store.Inbox(); err != nil || len(inbox) != 0 {
			t.Errorf("%d updates wait, %v", len(inbox), err)
		}
	})
}
