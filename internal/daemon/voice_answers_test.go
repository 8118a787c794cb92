package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// spokenAnswers are what people live through who answer by voice.
func spokenAnswers() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"typed-instead": func(c rig.Talk) {
			_, call := c.Ask(rig.ProjectNameQuestion())
			card := c.Last().ID
			c.Sends(telegram.WithFile(spoken("The Brig")), "", card)
			c.Tap(c.InLanguage("✏️ Type instead", "✏️ 改为输入"))
			c.Wait(2 * time.Second)
			c.WantNoAnswer(call)
			c.Say("The Bridge", card)
			c.Wait(2 * time.Second)
			c.WantAnswers(call, []string{"The Bridge"})
		},
		"nothing-heard": func(c rig.Talk) {
			_, call := c.Ask(rig.ProjectNameQuestion())
			card := c.Last().ID
			c.Sends(telegram.WithFile(spoken(" ")), "", card)
			c.Sends(telegram.WithFile(spoken("mumble")), "", card)
			c.WantNoAnswer(call)
		},
	}
}

func TestVoiceAnswers(t *testing.T) {
	inLanguages(t, "voice-answer-", spokenAnswers(), dictates, func(c rig.Talk, play func(rig.Talk)) string {
		c.Halt()
		c.Voice = scribe(nil)
		c.Start()
		return c.TranscriptOf(play)
	})
}

// speaking is a talk in which voices are written down.
func speaking(t *testing.T, test func(rig.Talk)) {
	t.Helper()
	rig.Driving(t, opencode.VersionNew, dictates, func(c rig.Talk) {
		c.Halt()
		c.Voice = scribe(nil)
		c.Start()
		test(c)
	})
}

// What was said at one question is no answer to the next one, when somebody has answered the first meanwhile.
func TestVoiceAnswers_AnotherStep(t *testing.T) {
	speaking(t, func(c rig.Talk) {
		_, call := c.Ask(rig.DatabaseQuestion(), rig.ProjectNameQuestion())
		card := c.Last().ID
		c.Sends(telegram.WithFile(spoken("Oracle")), "", card)
		heard := c.Last()
		if _, err := c.Telegram.Tap(rig.Ada, rig.Ada, card, "1. SQLite"); err != nil {
			t.Fatal(err)
		}
		c.Wait(2 * time.Second)
		if _, err := c.Telegram.Tap(rig.Ada, rig.Ada, heard.ID, "✅ Send"); err != nil {
			t.Fatal(err)
		}
		c.Wait(2 * time.Second)
		c.WantNoAnswer(call)
		if n := len(c.Journal(storage.EntryRefused)); n != 1 {
			t.Errorf("%d refusals are in the journal:\n%s", n, c.Telegram.History(rig.Ada))
		}
		if strings.Contains(c.Telegram.History(rig.Ada), "→ Oracle") || strings.Contains(c.Telegram.History(rig.Ada), "“Oracle”") {
			t.Error("the name is what was said of the database:\n" + c.Telegram.History(rig.Ada))
		}
	})
}

// What was heard is sent, once who spoke has seen it. Two messages change then, in either order.
func TestVoiceAnswers_Sent(t *testing.T) {
	speaking(t, func(c rig.Talk) {
		_, call := c.Ask(rig.DatabaseQuestion())
		c.Sends(telegram.WithFile(spoken("post")), "", c.Last().ID)
		c.WantNoAnswer(call)
		c.Wait(10 * time.Second) // so that nothing waits in the chat's queue
		c.Tap(c.InLanguage("✅ Send", "✅ 发送"))
		c.Wait(2 * time.Second)
		c.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		c.WantPrompts()
		for _, text := range []string{"🎤 post", "→ PostgreSQL (Recommended)"} {
			if !strings.Contains(c.Telegram.History(rig.Ada), text) {
				t.Errorf("the chat lacks %q:\n%s", text, c.Telegram.History(rig.Ada))
			}
		}
	})
}

// What is said allows nothing: as words that are typed, it may become a rejection.
func TestVoiceAnswers_AllowNothing(t *testing.T) {
	speaking(t, func(c rig.Talk) {
		c.Allow(rig.BashPermission("rm -rf build"))
		card := c.Last().ID
		c.Sends(telegram.WithFile(spoken("Yes, allow it.")), "", card)
		c.Tap("✅ Send")
		c.Wait(2 * time.Second)
		if len(c.Journal(storage.EntryAnswered)) != 0 {
			t.Error("it was allowed")
		}
		if text := c.CardWith("Run a command").Text; !strings.Contains(text, `Reject it, and tell the agent "Yes, allow it."?`) {
			t.Error(text)
		}
		c.TapOn(card, "💬 Reject with a note")
		c.Wait(2 * time.Second)
		if a := c.Journal(storage.EntryAnswered); len(a) != 1 || a[0].Note != "Yes, allow it." {
			t.Errorf("the journal has %+v", a)
		}
	})
}

// What has ended meanwhile gets no answer, and its session no prompt.
func TestVoiceAnswers_ToWhatHasEndedMeanwhile(t *testing.T) {
	speaking(t, func(c rig.Talk) {
		request, _ := c.Ask(rig.DatabaseQuestion())
		c.Sends(telegram.WithFile(spoken("post")), "", c.Last().ID)
		c.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
		c.Wait(time.Minute)
		c.Tap("✅ Send")
		c.Wait(time.Minute)
		c.WantScreen("Already answered in OpenCode: SQLite")
		c.WantPrompts()
	})
}

// What was heard is sent once.
func TestVoiceAnswers_AreSentOnce(t *testing.T) {
	speaking(t, func(c rig.Talk) {
		_, call := c.Ask(rig.ProjectNameQuestion())
		c.Sends(telegram.WithFile(spoken("The Bridge")), "", c.Last().ID)
		said := c.Last()
		data := c.Data(said, "✅ Send")
		if got := c.ForgeTap(rig.Ada, rig.Ada, said.ID, data); got != "" {
			t.Errorf("Ada got %q", got)
		}
		if got := c.ForgeTap(rig.Ada, rig.Ada, said.ID, data); got != "This text was already sent." {
			t.Errorf("the second tap got %q", got)
		}
		c.Wait(time.Minute)
		c.WantAnswers(call, []string{"The Bridge"})
		c.WantPrompts()
	})
}

// TestVoiceAnswers_Killed kills hermes at each of its operations while somebody answers by voice.
func TestVoiceAnswers_Killed(t *testing.T) {
	everyKill(t, "voice answer", func(t *testing.T, k *rig.Killer) string {
		c := rig.DrivingRig(t, opencode.VersionNew, dictates)
		_, call := c.Ask(rig.ProjectNameQuestion())
		card := c.Last().ID
		c.Halt()
		c.Voice = scribe(nil)
		l := &rig.Life{Rig: c.Rig, Killer: k}
		c.Wrap = k.Around
		c.Start()
		l.Pass(5 * time.Second)
		l.Send(telegram.WithFile(spoken("The Bridge")), "", card)
		l.Pass(5 * time.Second)
		l.PressWherever("✅ Send")
		l.Pass(3 * time.Minute)
		what := k.Killed()
		c.WantAnswers(call, []string{"The Bridge"})
		c.WantPrompts()
		if n := len(c.Journal(storage.EntryAnswered)); n != 1 {
			t.Errorf("%d answers are in the journal", n)
		}
		if t.Failed() {
			t.Logf("killed at operation %d, %s, with its effect: %v\n%s\nlog:\n%s", k.At, what, k.After, c.Telegram.Transcript(rig.Ada), c.Log.String())
		}
		c.EndAfterKill(what)
		return what
	})
}
