package sessions_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/sessions"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// typedIn is a text or command of Ada's, in a chat.
func typedIn(chat chat.ID, update int, text string) inbound.Input {
	in := typed(update, text)
	in.Chat, in.Private = chat, chat > 0
	return in
}

// Whatever is commanded or tapped in a chat that is none of hermes', nothing of a session
// is told there, nothing is stored, and nothing is sent to a session.
func TestForeignChat_DrivesNothing(t *testing.T) {
	const foreign = -9
	in(t, func(w *world) {
		w.foreign = map[chat.ID]bool{foreign: true}
		for i, command := range append(sessions.Commands(), "nonsense") {
			for _, args := range []string{"", " fix", " off", " all"} {
				update := 100 + i*10 + len(args)
				taken := w.Take(typedIn(foreign, update, "/"+command+args), true)
				pass(10 * time.Second)
				if taken != slices.Contains(sessions.Commands(), command) || taken && !w.consumed(update) {
					t.Errorf("/%s%s: taken %v, let go of %v", command, args, taken, w.consumed(update))
				}
			}
		}
		for i, o := range []inbound.Button{
			{Kind: inbound.ButtonUse, Session: testSession},
			{Kind: inbound.ButtonNew, Folder: session.Tag("/src/shop")},
			{Kind: inbound.ButtonPage},
			{Kind: inbound.ButtonStop, Session: testSession, At: time.Now()},
			{Kind: inbound.ButtonLate, Thread: "abcdefghijkl"},
		} {
			w.alerts = nil
			tap := tapped(900+i, chat.MessageID(900+i), o)
			tap.Chat, tap.Private = foreign, false
			w.send(tap)
			if len(w.alerts) != 1 || w.alerts[0] != ui.NotHere().Alert(english()) || !w.consumed(900+i) {
				t.Errorf("%s: the tap was acknowledged with %+v", o.Kind, w.alerts)
			}
		}
		for _, told := range w.told {
			if told.text != "🔒 "+en.Intake.NotHere || told.Chat != foreign {
				t.Errorf("told %+v", told)
			}
		}
		if n, minutes := len(w.told), len(sessions.Commands())*40/60; n < minutes-1 || n > minutes+2 {
			t.Errorf("told so %d times in %d minutes", n, minutes)
		}
		if len(w.tries) != 0 || w.settings(foreign).Session != "" || w.settings(foreign).Level != "" {
			t.Errorf("%d prompts, the chat has %+v", len(w.tries), w.settings(foreign))
		}
	})
}

// What a chat settled on before counts no more where hermes is not set up for it by now:
// neither ends of turns, nor what a session does, nor what became of a prompt.
func TestForeignChat_IsToldNothing(t *testing.T) {
	w := seededWorld(storage.Change{
		ChatSettings: []remote.ChatSettings{
			{Chat: -9, Level: remote.LevelAll, Session: testSession, Origin: origin(), Title: "secret", Follow: true, Live: 44},
			{Chat: -8, Level: remote.LevelTurns},
		},
		TurnWatches: []remote.TurnWatch{{Session: testSession, Origin: origin(), For: []remote.Listener{{Chat: -9, Message: 4}, {Chat: -8, Message: 5}}}},
	})
	w.foreign = map[chat.ID]bool{-9: true}
	inThat(t, w, func(w *world) {
		w.event(event.Opened, "")
		w.begin()
		w.rest()
		pass(2 * time.Minute)
		if len(w.told) == 0 {
			t.Error("nobody was told of the end")
		}
		for _, told := range w.told {
			if told.Chat == -9 {
				t.Errorf("told %+v", told)
			}
		}
		if len(w.live) != 0 {
			t.Errorf("followed: %+v", w.live)
		}
		w.set(func() { w.foreign = nil }) // it is configured again
		w.begin()
		w.rest()
		if !slices.ContainsFunc(w.told, func(t telling) bool { return t.Chat == -9 && says(t.text, en.Sessions.GoOn) }) {
			t.Error("the chat is not told of ends any more")
		}
	})
}

// Who asks for much is told so once, and all prompts are sent.
func TestReply_Paced(t *testing.T) {
	in(t, func(w *world) {
		for i := range 100 {
			if !w.Take(typed(1000+i, "/nonsense"), true) || !w.Take(typed(2000+i, "/help"), true) {
				t.Error("not taken")
			}
		}
		w.say(10, "one")
		w.say(11, "two")
		w.wantPrompts("one\ntwo")
		answered, paced := 0, 0
		for _, text := range w.texts() {
			switch {
			case says(text, en.Sessions.Unknown), says(text, en.Sessions.Help):
				answered++
			case says(text, en.Intake.Paced):
				paced++
			}
		}
		if answered != 10 || paced != 1 {
			t.Errorf("told %q", w.texts())
		}
		for i := range 100 {
			if !w.consumed(1000+i) || !w.consumed(2000+i) {
				t.Fatalf("update %d is kept", i)
			}
		}
		pass(2 * time.Minute)
		before := len(w.told)
		w.say(3000, "/help")
		if len(w.told) != before+1 {
			t.Error("nothing is told after a rest")
		}
	})
}

// A person without the right is told so once a minute. Each time is in the journal.
func TestRefusal_Paced(t *testing.T) {
	in(t, func(w *world) {
		for i := range 40 {
			w.Take(typed(1000+i, "/sessions"), false)
			pass(3 * time.Second)
		}
		if got := w.texts(); len(got) != 2 || !says(got[0], en.Sessions.NoRight) {
			t.Errorf("told %q in two minutes", got)
		}
	})
}

// What is passed on from elsewhere is no prompt and no command, also as a reply.
func TestForwarded_IsNoPrompt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "one")
		w.wantPrompts("one")
		for i, text := range []string{"two", "/abort", "/new"} {
			in := typed(10+i, text)
			in.Forwarded, in.ReplyTo, in.Private = true, 1, false // the intake answers those of a private chat
			pass(time.Minute)
			before := len(w.told)
			w.send(in)
			if got := w.told[before:]; len(got) != 1 || !says(got[0].text, en.Intake.Forwarded) || !w.consumed(10+i) {
				t.Errorf("%q: told %+v", text, got)
			}
		}
		w.wantPrompts("one")
		synctest.Wait()
	})
}
