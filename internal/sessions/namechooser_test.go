package sessions_test

import (
	"testing"
	"testing/synctest"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// hasModels is a world whose OpenCode has two agents and ten models.
func hasModels() *world {
	w := newWorld()
	w.agents = []string{"build", "plan"}
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		w.models = append(w.models, session.Model{Provider: "acme", ID: id})
	}
	return w
}

func button(kind inbound.ButtonKind, name string) inbound.Button {
	return inbound.Button{Kind: kind, Session: testSession, Tag: session.ShortTag(name)}
}

func (w *world) lastTold() telling {
	w.t.Helper()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.told) == 0 {
		w.t.Error("nothing was told")
		return telling{}
	}
	return w.told[len(w.told)-1]
}

// A tap settles what a command does, and its message tells so in place of the list.
func TestNames_AreTapped(t *testing.T) {
	inThat(t, hasModels(), func(w *world) {
		w.say(1, "/model")
		if m := w.lastTold(); !says(m.text, "1 of 2") || len(m.rows) != 9 || m.Edit != 0 {
			t.Errorf("offered %+v", m)
		}
		w.send(tapped(2, 1001, inbound.Button{Kind: inbound.ButtonModels, Session: testSession, Page: 1}))
		if m := w.lastTold(); !says(m.text, "2 of 2") || len(m.rows) != 3 || m.Edit != 1001 {
			t.Errorf("offered %+v", m)
		}
		w.send(tapped(3, 1001, button(inbound.ButtonModel, "acme/j")))
		if m, s := w.lastTold(), w.settings(adaChat); len(m.rows) != 0 || m.Edit != 1001 || s.Model != (session.Model{Provider: "acme", ID: "j"}) {
			t.Errorf("told %+v, settled on %+v", m, s)
		}
		w.send(tapped(4, 1001, button(inbound.ButtonAgent, "plan")))
		w.send(tapped(5, 1001, button(inbound.ButtonModel, "")))
		if s := w.settings(adaChat); s.Agent != "plan" || s.Model != (session.Model{}) {
			t.Errorf("settled on %+v", s)
		}
		if len(w.inbox()) > 0 {
			t.Errorf("the inbox has %v", w.inbox())
		}
	})
}

// What is written right behind a tap goes with what it settles on, however long OpenCode takes.
func TestNames_PromptBehindATapHasIt(t *testing.T) {
	inThat(t, hasModels(), func(w *world) {
		w.Take(tapped(1, 1001, button(inbound.ButtonAgent, "plan")), true)
		w.say(2, "go on")
		pass(0)
		if len(w.tries) != 1 || w.tries[0].Agent != "plan" {
			t.Errorf("sent %+v", w.tries)
		}
	})
}

// A button whose time has passed says so, and changes nothing.
func TestNames_OldButtons(t *testing.T) {
	for name, c := range map[string]struct {
		seed remote.ChatSettings
		tap  inbound.Button
		want string
	}{
		"another session is in use": {remote.ChatSettings{Session: "ses_2"}, button(inbound.ButtonModel, "acme/a"), en.Sessions.Past},
		"no session is in use":      {remote.ChatSettings{}, button(inbound.ButtonAgent, "plan"), en.Sessions.Which},
		"a page of another session": {remote.ChatSettings{Session: "ses_2"}, inbound.Button{Kind: inbound.ButtonAgents, Session: testSession}, en.Sessions.Past},
		"it is not there any more":  {remote.ChatSettings{Session: testSession}, button(inbound.ButtonModel, "acme/gone"), en.Sessions.NoMore},
	} {
		t.Run(name, func(t *testing.T) {
			w := hasModels()
			c.seed.Chat, c.seed.Origin = adaChat, origin()
			w.seed = storage.Change{ChatSettings: []remote.ChatSettings{c.seed}}
			inThat(t, w, func(w *world) {
				w.send(tapped(1, 1001, c.tap))
				if m := w.lastTold(); !says(m.text, c.want) || m.Edit != 1001 {
					t.Errorf("told %+v", m)
				}
				if s := w.settings(adaChat); s.Agent != "" || s.Model != (session.Model{}) {
					t.Errorf("settled on %+v", s)
				}
			})
		})
	}
}

func TestLevel_IsTapped(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/level")
		w.send(tapped(2, 1001, inbound.Button{Kind: inbound.ButtonLevel, Level: "questions"}))
		if m := w.lastTold(); !says(m.text, en.Sessions.Levels[remote.LevelQuestions]) || m.Edit != 1001 {
			t.Errorf("told %+v", m)
		}
		w.send(tapped(3, 1001, inbound.Button{Kind: inbound.ButtonLevel, Level: "whatever"}))
		if s := w.settings(adaChat); s.Level != remote.LevelQuestions {
			t.Errorf("settled on %+v", s)
		}
	})
}
