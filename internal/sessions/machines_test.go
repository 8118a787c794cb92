package sessions_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/sessions"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// machines is a world in which Ada's chat uses the session, which was seen at home, and whose links belong to
// whom owners says by now.
func machines(home session.Origin, owners map[string]chat.UserID) *world {
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: home, Title: "fix", Follow: true}}})
	w.alter = func(c *sessions.Config) {
		c.Owner = func(link string) (chat.UserID, bool) {
			w.mu.Lock()
			defer w.mu.Unlock()
			owner, known := owners[link]
			return owner, known || link == ""
		}
	}
	return w
}

const (
	adasID chat.UserID = 1
	bobsID chat.UserID = 2
)

// A button of a message that was shown before the machine became another person's shows nothing of it any more.
func TestMachines_OldButtons(t *testing.T) {
	home := linkOf("a", "laptop")
	for name, b := range map[string]inbound.Button{
		"models":   {Kind: inbound.ButtonModels, Session: testSession},
		"a model":  button(inbound.ButtonModel, "acme/a"),
		"an agent": button(inbound.ButtonAgent, "plan"),
		"use":      {Kind: inbound.ButtonUse, Session: testSession},
		"keep":     {Kind: inbound.ButtonKeep, Session: testSession},
	} {
		for _, heard := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				owners := map[string]chat.UserID{"laptop": adasID}
				w := machines(home, owners)
				w.agent.diff, w.agent.agents = "--- a\n+++ a\n@@ -1 +1 @@\n-secret\n+hidden\n", []string{"build", "plan"}
				w.agent.models = []session.Model{{Provider: "acme", ID: "a"}}
				inThat(t, w, func(w *world) {
					w.Event(event.Event{Kind: event.Opened, Origin: home})
					if heard {
						w.Event(event.Event{Kind: event.Rested, Origin: home, Session: testSession})
					}
					pass(time.Minute)
					w.set(func() { owners["laptop"] = bobsID; w.told = nil })
					before := w.settings(adaChat)
					w.send(tapped(2, 1001, b))
					pass(time.Minute)
					for _, m := range w.told {
						if says(m.text, "fix") || len(m.rows) > 0 {
							t.Errorf("told %+v", m)
						}
					}
					if after := w.settings(adaChat); after.Agent != before.Agent || after.Model != before.Model {
						t.Errorf("settled on %+v", after)
					}
					w.wantAlerts(ui.NotYours())
					if len(w.inbox()) != 0 {
						t.Errorf("the inbox has %v", w.inbox())
					}
				})
			})
		}
	}
}

// A prompt that waits for a machine is not brought there when that belongs to another person by then, and who wrote it is told.
func TestMachines_PromptsThatWait(t *testing.T) {
	home := linkOf("a", "laptop")
	for name, c := range map[string]struct {
		owner chat.UserID
		sent  int
		end   remote.PromptStatus
	}{
		"theirs":           {adasID, 1, remote.PromptTaken},
		"nobody's":         {0, 1, remote.PromptTaken},
		"another person's": {bobsID, 0, remote.PromptNotYours},
	} {
		t.Run(name, func(t *testing.T) {
			owners := map[string]chat.UserID{"laptop": adasID}
			inThat(t, machines(home, owners), func(w *world) {
				w.Event(event.Event{Kind: event.Opened, Origin: home})
				w.set(func() { w.away = true })
				w.say(1, "remove the cache")
				pass(time.Minute)
				w.set(func() { owners["laptop"] = c.owner; w.away = false })
				w.Event(event.Event{Kind: event.Opened, Origin: home})
				pass(5 * time.Second)
				if len(w.sent) != c.sent {
					t.Errorf("sent %+v", w.sent)
				}
				if got := w.entries(storage.EntryCarried); len(got) != 1 || got[0].Detail != string(c.end) {
					t.Errorf("it ended as %+v, want %s", got, c.end)
				}
				if c.sent == 0 && !says(w.lastTold().text, en.Intake.NotYours) {
					t.Errorf("told at last %+v", w.lastTold())
				}
			})
		})
	}
}

// A session that was seen where the plugin had the API's token, and whose machine has an owned link by now, is the owner's:
// also before anything was heard of it there.
func TestMachines_TheLinkIsNew(t *testing.T) {
	for name, do := range map[string]func(*world){
		"a prompt": func(w *world) { w.say(1, "remove the cache") },
		"/last":    func(w *world) { w.say(1, "/last") },
		"/diff":    func(w *world) { w.say(1, "/diff") },
		"/status":  func(w *world) { w.say(1, "/status") },
		"/model":   func(w *world) { w.say(1, "/model") },
		"/abort":   func(w *world) { w.say(1, "/abort") },
		"follows":  func(*world) {},
	} {
		for owner, open := range map[chat.UserID]bool{adasID: true, bobsID: false} {
			t.Run(name, func(t *testing.T) {
				w := machines(linkOf("old", ""), map[string]chat.UserID{"laptop": owner})
				w.agent.diff, w.agent.busy, w.unreachable = "secret", true, "old"
				w.agent.models = []session.Model{{Provider: "acme", ID: "a"}}
				inThat(t, w, func(w *world) {
					w.Event(event.Event{Kind: event.Opened, Origin: linkOf("a", "laptop")})
					pass(10 * time.Second)
					do(w)
					pass(10 * time.Second)
					synctest.Wait()
					saw := len(w.sent) > 0 || len(w.live) > 0
					for _, m := range w.told {
						saw = saw || m.rows != nil || says(m.text, "fix tests") || says(m.text, "secret")
					}
					if !open && saw {
						t.Errorf("sent %+v, told %+v, live %+v", w.sent, w.told, w.live)
					}
					if open && !saw {
						t.Errorf("the owner was shown nothing: %+v", w.told)
					}
				})
			})
		}
	}
}

// The end of a turn of a session that was watched before its machine had a link of its own is the owner's to hear.
func TestMachines_WatchedBefore(t *testing.T) {
	for owner, told := range map[chat.UserID]bool{adasID: true, bobsID: false} {
		w := machines(linkOf("old", ""), map[string]chat.UserID{"laptop": owner})
		w.unreachable = "old"
		w.seed.ChatSettings = nil
		w.seed.TurnWatches = []remote.TurnWatch{{
			Session: testSession, Origin: linkOf("old", ""), Since: time.Now(), For: []remote.Listener{{Chat: adaChat, Message: 7, Prompt: "msg_800"}},
		}}
		w.turn = "msg_900"
		inThat(t, w, func(w *world) {
			w.Event(event.Event{Kind: event.Opened, Origin: linkOf("a", "laptop")})
			pass(time.Minute)
			if got := len(w.told) > 0; got != told {
				t.Errorf("a link of %d's: told %+v", owner, w.told)
			}
		})
	}
}

// The button for a late answer, where a rule has shown the ask in another chat than the owner's, says why it has no effect.
func TestMachines_LateAnswerElsewhere(t *testing.T) {
	for owner, want := range map[chat.UserID]ui.Line{adasID: nil, bobsID: ui.NotYours()} {
		w := machines(linkOf("a", "laptop"), map[string]chat.UserID{"laptop": owner})
		inThat(t, w, func(w *world) {
			w.Event(event.Event{Kind: event.Opened, Origin: linkOf("a", "laptop")})
			w.lost(func(t *question.Thread) { decided(t); t.Origins = []session.Origin{linkOf("a", "laptop")} })
			w.send(sendsLost(1))
			w.wantAlerts(want)
			pass(time.Second)
			if sent := len(w.sent) > 0; sent != (owner == adasID) {
				t.Errorf("a link of %d's: sent %+v", owner, w.sent)
			}
		})
	}
}
