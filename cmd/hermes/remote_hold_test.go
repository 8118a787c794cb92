package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// slow starts hermes anew with an OpenCode that thinks about sessions for a while.
func (c talk) slow(t time.Duration) {
	c.t.Helper()
	c.halt()
	c.wrap = func(out outside) outside {
		next := out.opencode
		out.opencode = roundTripper(func(req *http.Request) (*http.Response, error) {
			if strings.HasPrefix(req.URL.Path, "/session") {
				time.Sleep(t)
			}
			return next.RoundTrip(req)
		})
		return out
	}
	c.start()
	c.wait(10 * time.Second)
}

// where are the sessions that each text went to.
func (c talk) where() map[string]string {
	all := map[string]string{}
	for _, p := range c.opencode.Prompts() {
		all[p.Text] += p.Session
	}
	return all
}

// What is written right after a choice is for what was chosen, however long that takes.
func TestTextsWaitForTheChoice(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		driving(t, version, nil, func(c talk) {
			other := c.opencode.NewSession(c.dir, "add an index")
			c.slow(time.Second)
			for _, text := range []string{"/use add an index", "one", "/use fix checkout", "two", "/new", "three", "/use add", "/noreply four"} {
				c.hand(text, 0)
			}
			c.wait(5 * time.Minute)
			made := c.opencode.Sessions()[2].ID
			got := c.where()
			for text, want := range map[string]string{"one": other, "two": c.session, "three": made, "four": other} {
				if got[text] != want {
					t.Errorf("%s: %q went to %q, want %q\n%s", version, text, got[text], want, c.telegram.History(ada))
				}
			}
			c.wantPrompts("one", "two", "three", "four")
		})
	}
}

// A choice that comes to nothing sends what follows nowhere, and says so.
func TestTextsAfterAChoiceThatFails(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.useSession()
		c.opencode.NewSession(c.dir, "fix the docs")
		c.slow(time.Second)
		for i, command := range []string{"/use no such thing", "/use fix", "/new /etc"} {
			c.hand(command, 0)
			c.hand("go on", 0)
			c.hand("/noreply go on", 0)
			c.hand("/abort", 0)
			c.wait(time.Minute)
			if n := strings.Count(c.telegram.Transcript(ada), "Which session?"); n != 3*i+3 {
				t.Errorf("%s: it was said %d times that they went nowhere:\n%s", command, n-3*i, c.telegram.Transcript(ada))
			}
		}
		c.wantPrompts()
		c.say("go on", 0)
		c.wait(time.Minute)
		c.wantPrompts("go on")
	})
}

// So is a choice by button, and that of a model. What is written elsewhere does not wait.
func TestTextsWaitForButtonsAndModels(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		other := c.opencode.NewSession(c.dir, "add an index")
		c.sayIn(bob, bob, "/start", 0)
		c.sayIn(bob, bob, "/use fix checkout", 0)
		c.slow(time.Second)
		c.say("/sessions", 0)
		c.wait(10 * time.Second)
		if _, err := c.telegram.Tap(ada, ada, c.last().ID, "1. "); err != nil {
			t.Fatal(err)
		}
		c.hand("/model scripted/second", 0)
		c.hand("one", 0)
		c.sayIn(bob, bob, "two", 0)
		c.wait(5 * time.Minute)
		got := c.where()
		if got["one"] != other || got["two"] != c.session {
			t.Errorf("they went to %q, want %q and %q", got, other, c.session)
		}
		at := slices.IndexFunc(c.opencode.Prompts(), func(p opencode.Prompt) bool { return p.Text == "one" })
		if at < 0 || c.opencode.Prompts()[at].Model != "scripted/second" {
			t.Errorf("the prompts were %+v", c.opencode.Prompts())
		}
		if n := len(c.journal(question.EntryPrompted)); n != 2 {
			t.Errorf("%d prompts in the journal", n)
		}
	})
}
