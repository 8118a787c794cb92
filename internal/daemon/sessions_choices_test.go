package daemon_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// What is written right after a choice is for what was chosen, however long that takes.
func TestSessions_TextsWaitForTheChoice(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		rig.Driving(t, version, nil, func(c rig.Talk) {
			other := c.Opencode.NewSession(c.Dir, "add an index")
			c.SlowOpenCode(time.Second)
			for _, text := range []string{"/use add an index", "one", "/use fix checkout", "two", "/new", "three", "/use add", "/noreply four"} {
				c.SayByHand(text, 0)
			}
			c.Wait(5 * time.Minute)
			made := c.Opencode.Sessions()[2].ID
			got := c.SessionsByPrompt()
			for text, want := range map[string]string{"one": other, "two": c.Session, "three": made, "four": other} {
				if got[text] != want {
					t.Errorf("%s: %q went to %q, want %q\n%s", version, text, got[text], want, c.Telegram.History(rig.Ada))
				}
			}
			c.WantPrompts("one", "two", "three", "four")
		})
	}
}

// A choice that comes to nothing sends what follows nowhere, and says so.
func TestSessions_TextsAfterAChoiceThatFails(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.UseSession()
		c.Opencode.NewSession(c.Dir, "fix the docs")
		c.SlowOpenCode(time.Second)
		for i, command := range []string{"/use no such thing", "/use fix", "/new /etc"} {
			c.SayByHand(command, 0)
			c.SayByHand("go on", 0)
			c.SayByHand("/noreply go on", 0)
			c.SayByHand("/abort", 0)
			c.Wait(time.Minute)
			if n := strings.Count(c.Telegram.Transcript(rig.Ada), "Which session?"); n != 3*i+3 {
				t.Errorf("%s: it was said %d times that they went nowhere:\n%s", command, n-3*i, c.Telegram.Transcript(rig.Ada))
			}
		}
		c.WantPrompts()
		c.Say("go on", 0)
		c.Wait(time.Minute)
		c.WantPrompts("go on")
	})
}

// So is a choice by button, and that of a model. What is written elsewhere does not wait.
func TestSessions_TextsWaitForButtonsAndModels(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		other := c.Opencode.NewSession(c.Dir, "add an index")
		c.SayIn(rig.Bob, rig.Bob, "/start", 0)
		c.SayIn(rig.Bob, rig.Bob, "/use fix checkout", 0)
		c.SlowOpenCode(time.Second)
		c.Say("/sessions", 0)
		c.Wait(10 * time.Second)
		if _, err := c.Telegram.Tap(rig.Ada, rig.Ada, c.Last().ID, "1. "); err != nil {
			t.Fatal(err)
		}
		c.SayByHand("/model scripted/second", 0)
		c.SayByHand("one", 0)
		c.SayIn(rig.Bob, rig.Bob, "two", 0)
		c.Wait(5 * time.Minute)
		got := c.SessionsByPrompt()
		if got["one"] != other || got["two"] != c.Session {
			t.Errorf("they went to %q, want %q and %q", got, other, c.Session)
		}
		at := slices.IndexFunc(c.Opencode.Prompts(), func(p opencode.Prompt) bool { return p.Text == "one" })
		if at < 0 || c.Opencode.Prompts()[at].Model != "scripted/second" {
			t.Errorf("the prompts were %+v", c.Opencode.Prompts())
		}
		if n := len(c.Journal(storage.EntryPrompted)); n != 2 {
			t.Errorf("%d prompts in the journal", n)
		}
	})
}
