package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// driving plays a test in which Ada may drive sessions, with a version of OpenCode.
func driving(t *testing.T, version string, alter func(*config), test func(talk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := drivingRig(t, version, alter)
		defer c.end()
		test(c)
	})
}

func TestTwoPeoplePromptAtOnce(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		driving(t, version, nil, func(c talk) {
			c.sayIn(bob, bob, "/start", 0)
			c.useSession()
			c.sayIn(bob, bob, "/use fix checkout", 0)
			for range 5 {
				for _, who := range []int64{ada, bob} {
					if _, err := c.telegram.Say(who, who, "from one of us"); err != nil {
						t.Fatal(err)
					}
				}
			}
			c.wait(2 * time.Minute)
			if got := c.prompts(); len(got) != 10 {
				t.Errorf("%s: %d prompts: %q", version, len(got), got)
			}
			ids := map[string]bool{}
			for _, p := range c.opencode.Prompts() {
				ids[p.MessageID] = true
			}
			if len(ids) != 10 {
				t.Errorf("%s: the ids are %v", version, ids)
			}
			for _, who := range []int64{ada, bob} {
				if !strings.Contains(c.telegram.Transcript(who), "You said: from one of us") {
					t.Errorf("%s: %d was not told of the end:\n%s", version, who, c.telegram.Transcript(who))
				}
			}
			if n := len(c.journal(question.EntryPrompted)); n != 10 {
				t.Errorf("%s: %d entries", version, n)
			}
		})
	}
}

func TestOnlyThoseWithTheRoleDrive(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.toml")
	text := "[remote]\nroles = \"lead\"\n[[person]]\nid = 42\nname = \"Ada\"\nroles = \"lead\"\n[[person]]\nid = 43\nname = \"Bob\"\nroles = \"dev\"\n"
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	driving(t, opencode.VersionNew, func(c *config) { c.Rules = rules }, func(c talk) {
		c.sayIn(bob, bob, "/start", 0)
		for _, command := range []string{"/sessions", "/use fix checkout", "/abort", "/new", "/diff"} {
			c.sayIn(bob, bob, command, 0)
			c.screenIn(bob, "Only people with this role can steer sessions: lead")
		}
		c.say("/sessions", 0)
		mine := c.last()
		c.sayIn(bob, bob, "hello", 0)
		c.wait(time.Minute)
		c.wantPrompts()
		alert := c.forge(bob, bob, c.lastIn(bob).ID, c.data(mine, "1."))
		if !strings.Contains(alert, "lead") {
			t.Errorf("the tap was answered with %q", alert)
		}
		if n := len(c.journal(question.EntryRefused)); n != 6 {
			t.Errorf("%d entries of refusals, want 6", n)
		}
		c.sayIn(eve, eve, "/sessions", 0)
		c.sayIn(eve, eve, "/abort", 0)
		if n := len(c.telegram.Messages(eve)); n != 2 {
			t.Errorf("a stranger was answered:\n%s", c.telegram.Transcript(eve))
		}
	})
}

func TestWithoutRemoteNothingDrives(t *testing.T) {
	driving(t, opencode.VersionNew, func(c *config) { c.Remote = false }, func(c talk) {
		c.say("/sessions", 0)
		c.screen("Nothing is asked here now.")
		c.finish()
		c.say("/abort", 0)
		c.say("do it", 0)
		c.wait(time.Minute)
		c.wantPrompts()
		if n := len(c.telegram.Messages(ada)); n != 7 {
			t.Errorf("something was said:\n%s", c.telegram.Transcript(ada))
		}
	})
}

// Whatever an agent calls a session or says in the end is shown whole, as text.
func TestSaidTextsAreShownAsTheyAre(t *testing.T) {
	all := texts()
	all["long"] = "begin " + strings.Repeat("na ", 60_000) + "end"
	for name, text := range all {
		t.Run(name, func(t *testing.T) {
			driving(t, opencode.VersionNew, nil, func(c talk) {
				c.say("/level turns", 0)
				child := c.opencode.Task(c.dir, c.session, "tester", "look")
				c.wait(2 * time.Second)
				c.opencode.Say(child, text)
				c.wait(time.Minute)
				if shown := c.shown(ada); !strings.Contains(shown, flat(visible.Replace(strings.TrimSpace(text)))) {
					t.Errorf("the text is not shown whole:\n%.3000s", c.telegram.Transcript(ada))
				}
			})
		})
	}
}

func TestFiftySessionsOnPages(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		var titles []string
		for n := range 49 {
			title := "session " + strings.Repeat("i", n+1) + "."
			titles = append(titles, title)
			c.opencode.NewSession(c.dir, title)
			c.wait(time.Second)
		}
		c.say("/sessions", 0)
		shown := c.last().Text
		for range 6 {
			c.tap("Next")
			c.wait(2 * time.Second)
			shown += c.last().Text
		}
		if missing := slices.DeleteFunc(titles, func(title string) bool { return strings.Contains(shown, title) }); len(missing) > 0 {
			t.Errorf("missing: %q\n%s", missing, shown)
		}
		c.tap("50.")
		c.wait(2 * time.Second)
		c.screen("fix checkout flow", "What you write here goes to this session.")
	})
}

// A prompt is sent to the session that was meant when it was written.
func TestPromptsGoWhereTheyWereMeant(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.useSession()
		first := c.last()
		other := c.opencode.NewSession(c.dir, "add an index")
		c.say("/use add an index", 0)
		c.say("to the other", 0)
		c.say("to the first", first.ID)
		c.wait(time.Minute)
		for _, p := range c.opencode.Prompts() {
			want := map[string]string{"to the other": other, "to the first": c.session}[p.Text]
			if p.Session != want {
				t.Errorf("%q went to %s, want %s", p.Text, p.Session, want)
			}
		}
		c.wantPrompts("to the other", "to the first")
	})
}

// What is asked goes before what is driven.
func TestAnswersAreNoPrompts(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.useSession()
		_, call := c.ask(database())
		c.say("PostgreSQL on the old machine", 0)
		c.wait(10 * time.Second)
		c.got(call, []string{"PostgreSQL on the old machine"})
		c.wantPrompts()
		_, closedCall := c.ask(closed())
		c.say("/status", 0)
		c.screen("Works.", "Waiting for you: ")
		c.say("MySQL", 0)
		c.screen("That is none of the choices.")
		c.unanswered(closedCall)
		c.wantPrompts()
	})
}

// Telegram's clients cut what is longer than one message. It is one prompt all the same.
func TestLongPromptsAreJoined(t *testing.T) {
	long, rest := strings.Repeat("a", 4000), "and the rest"
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.say("/level turns", 0)
		c.finish()
		turn := c.last().ID
		c.hand(long, turn)
		c.hand(rest, 0)
		c.wait(time.Minute)
		c.wantPrompts(long + "\n" + rest)
		c.hand(long, turn)
		c.wait(time.Minute)
		c.wantPrompts(long+"\n"+rest, long)
		c.say("not for it", 0)
		c.wait(time.Minute)
		c.wantPrompts(long+"\n"+rest, long)
	})
}

// hand is a text of Ada's that is not waited for.
func (c talk) hand(text string, replyTo int) {
	c.t.Helper()
	var how []telegram.SayOption
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	if _, err := c.rig.telegram.Say(ada, ada, text, how...); err != nil {
		c.t.Fatal(err)
	}
}
