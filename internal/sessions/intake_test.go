package sessions

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// asks is a text or command of Ada's, in a chat.
func asksIn(chat question.ChatID, update int, text, command string) question.Input {
	return question.Input{
		Kind: question.Typed, Update: question.UpdateID(update), Chat: chat, Private: chat > 0, Message: question.PostedID(update), Text: text,
		Command: command, User: question.User{ID: 1, Name: "Ada"}, Sent: time.Now(),
	}
}

// consumed reports whether the update was let go of.
func (w *world) consumed(update int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.changes, func(c question.Change) bool {
		return slices.Contains(c.Consumed, question.UpdateID(update))
	})
}

// Whatever is commanded or tapped in a chat that is none of hermes', nothing of a session
// is told there, nothing is stored, and nothing is sent to a session.
func TestNothingIsDrivenInForeignChats(t *testing.T) {
	const foreign = -9
	in(t, func(w *world) {
		w.foreign = map[question.ChatID]bool{foreign: true}
		for i, command := range append(Commands(), "nonsense") {
			for _, args := range []string{"", " fix", " off", " all"} {
				update := 100 + i*10 + len(args)
				taken := w.Take(asksIn(foreign, update, "/"+command+args, command), true)
				pass(10 * time.Second)
				if taken != known(command) || taken && !w.consumed(update) {
					t.Errorf("/%s%s: taken %v, let go of %v", command, args, taken, w.consumed(update))
				}
			}
		}
		for i, o := range []question.Order{
			{Kind: question.OrderUse, Session: session},
			{Kind: question.OrderNew, Folder: question.Tag("/src/shop")},
			{Kind: question.OrderPage},
			{Kind: question.OrderStop, Session: session, At: time.Now()},
			{Kind: question.OrderLate, Thread: "abcdefghijkl"},
		} {
			w.alerts = nil
			tap := asksIn(foreign, 900+i, "", "")
			tap.Kind, tap.Order, tap.Callback = question.Tapped, o, "cb"
			w.send(tap)
			if len(w.alerts) != 1 || w.alerts[0].Kind != question.AlertNotHere || !w.consumed(900+i) {
				t.Errorf("%s: the tap was acknowledged with %+v", o.Kind, w.alerts)
			}
		}
		for _, told := range w.told {
			if told.Kind != question.TellNotHere || told.Session.ID != "" || told.Chat != foreign {
				t.Errorf("told %+v", told)
			}
		}
		if n, minutes := len(w.told), len(Commands())*40/60; n < minutes-1 || n > minutes+2 {
			t.Errorf("told so %d times in %d minutes", n, minutes)
		}
		if len(w.tries) != 0 || w.seat(foreign).Session != "" || w.seat(foreign).Level != "" {
			t.Errorf("%d prompts, the chat has %+v", len(w.tries), w.seat(foreign))
		}
	})
}

// What a chat settled on before counts no more where hermes is not set up for it by now:
// neither ends of turns, nor what a session does, nor what became of a prompt.
func TestForeignChatsHearNothing(t *testing.T) {
	w := &world{
		foreign: map[question.ChatID]bool{-9: true},
	}
	w.seated = []question.Seat{
		{Chat: -9, Level: question.LevelAll, Session: session, Origin: origin(), Title: "secret", Follow: true, Live: 44},
		{Chat: -8, Level: question.LevelTurns},
	}
	w.watching = []question.Watch{{Session: session, Origin: origin(), For: []question.Listener{{Chat: -9, Message: 4}, {Chat: -8, Message: 5}}}}
	inThat(t, w, func(w *world) {
		w.event(question.Opened, "")
		w.turnBegins()
		w.rests()
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
		w.turnBegins()
		w.rests()
		if !slices.ContainsFunc(w.told, func(t question.Telling) bool { return t.Chat == -9 && t.Kind == question.TellTurn }) {
			t.Error("the chat is not told of ends any more")
		}
	})
}

// turnBegins lets the session work for some seconds.
func (w *world) turnBegins() {
	w.set(func() { w.busy, w.since = true, time.Now() })
	w.event(question.Worked, "")
	pass(3 * time.Second)
}

// Who asks for much is told so once, and all prompts are sent.
func TestRepliesArePaced(t *testing.T) {
	in(t, func(w *world) {
		for i := range 100 {
			if !w.Take(asksIn(1, 1000+i, "/nonsense", "nonsense"), true) || !w.Take(asksIn(1, 2000+i, "/help", "help"), true) {
				t.Error("not taken")
			}
		}
		w.say(10, "one")
		w.say(11, "two")
		w.wantWords("one\ntwo")
		kinds := map[question.TellingKind]int{}
		for _, k := range w.kinds() {
			kinds[k]++
		}
		if n := kinds[question.TellUnknown] + kinds[question.TellHelp]; n != replyBurst || kinds[question.TellPaced] != 1 {
			t.Errorf("told %v", kinds)
		}
		for i := range 100 {
			if !w.consumed(1000+i) || !w.consumed(2000+i) {
				t.Fatalf("update %d is kept", i)
			}
		}
		pass(2 * time.Minute)
		before := len(w.told)
		w.command(3000, "/help")
		if len(w.told) != before+1 {
			t.Error("nothing is told after a rest")
		}
	})
}

// A person without the right is told so once a minute. Each time is in the journal.
func TestRefusalsArePaced(t *testing.T) {
	in(t, func(w *world) {
		for i := range 40 {
			w.Take(asksIn(1, 1000+i, "/sessions", "sessions"), false)
			pass(3 * time.Second)
		}
		if got := w.kinds(); len(got) != 2 || got[0] != question.TellNoRight {
			t.Errorf("told %q in two minutes", got)
		}
	})
}

// What is passed on from elsewhere is no prompt and no command, also as a reply.
func TestForwardedIsNoPrompt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "one")
		w.wantWords("one")
		for i, text := range []string{"two", "/abort", "/new"} {
			in := asksIn(1, 10+i, text, "")
			in.Forwarded, in.ReplyTo = true, 1
			if i > 0 {
				in.Command = text[1:]
			}
			pass(time.Minute)
			before := len(w.told)
			w.send(in)
			if got := w.told[before:]; len(got) != 1 || got[0].Kind != question.TellForward || !w.consumed(10+i) {
				t.Errorf("%q: told %+v", text, got)
			}
		}
		w.wantWords("one")
		synctest.Wait()
	})
}

func TestAsksOnly(t *testing.T) {
	for text, want := range map[string]bool{
		"/sessions": true, "/use": true, "/use x": false, "/new": false, "/new shop": false, "/last": true, "/diff": true, "/todo": true,
		"/status": true, "/pending": true, "/abort": false, "/noreply": true, "/noreply x": false, "/run": true, "/run init": false,
		"/agent": true, "/agent plan": false, "/model": true, "/model a/b": false, "/follow": false, "/follow off": false,
		"/level": true, "/level all": false, "/mute": true, "/mute 2h": false, "/help": true, "/nonsense x": true,
	} {
		in := asksIn(1, 1, text, "")
		_, _ = fmt.Sscanf(text, "/%s", &in.Command)
		if got := asksOnly(in); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
		if asksOnly(in) && chooses(in) {
			t.Errorf("%s changes what the chat uses", text)
		}
	}
}
