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

// What is said allows nothing: as words that are typed, it may become a rejection.
func TestVoiceAnswers_AllowNothing(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, dictates, func(c rig.Talk) {
		c.Halt()
		c.Voice = scribe(nil)
		c.Start()
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
		c.TapOn(card, "💬 Reject, say why")
		c.Wait(2 * time.Second)
		if a := c.Journal(storage.EntryAnswered); len(a) != 1 || a[0].Note != "Yes, allow it." {
			t.Errorf("the journal has %+v", a)
		}
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
