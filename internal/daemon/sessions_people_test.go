package daemon_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

func TestSessions_TwoPeoplePromptAtOnce(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		rig.Driving(t, version, nil, func(c rig.Talk) {
			c.SayIn(rig.Bob, rig.Bob, "/start", 0)
			c.UseSession()
			c.SayIn(rig.Bob, rig.Bob, "/use fix checkout", 0)
			for range 5 {
				for _, who := range []int64{rig.Ada, rig.Bob} {
					if _, err := c.Telegram.Say(who, who, "from one of us"); err != nil {
						t.Fatal(err)
					}
				}
			}
			c.Wait(2 * time.Minute)
			if got := c.Prompts(); len(got) != 10 {
				t.Errorf("%s: %d prompts: %q", version, len(got), got)
			}
			ids := map[string]bool{}
			for _, p := range c.Opencode.Prompts() {
				ids[p.MessageID] = true
			}
			if len(ids) != 10 {
				t.Errorf("%s: the ids are %v", version, ids)
			}
			for _, who := range []int64{rig.Ada, rig.Bob} {
				if !strings.Contains(c.Telegram.Transcript(who), "You said: from one of us") {
					t.Errorf("%s: %d was not told of the end:\n%s", version, who, c.Telegram.Transcript(who))
				}
			}
			if n := len(c.Journal(storage.EntryPrompted)); n != 10 {
				t.Errorf("%s: %d entries", version, n)
			}
		})
	}
}

func TestSessions_OnlyThoseWithTheRoleDrive(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.toml")
	text := "[remote]\nroles = \"lead\"\n[[person]]\nid = 42\nname = \"Ada\"\nroles = \"lead\"\n[[person]]\nid = 43\nname = \"Bob\"\nroles = \"dev\"\n"
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rig.Driving(t, opencode.VersionNew, func(c *config.Config) { c.Rules = rules }, func(c rig.Talk) {
		c.SayIn(rig.Bob, rig.Bob, "/start", 0)
		for _, command := range []string{"/sessions", "/use fix checkout", "/abort", "/new", "/diff"} {
			c.SayIn(rig.Bob, rig.Bob, command, 0)
			c.WantScreenIn(rig.Bob, "You need one of these roles to control sessions: lead")
		}
		c.Say("/sessions", 0)
		mine := c.Last()
		c.SayIn(rig.Bob, rig.Bob, "hello", 0)
		c.Wait(time.Minute)
		c.WantPrompts()
		alert := c.ForgeTap(rig.Bob, rig.Bob, c.LastIn(rig.Bob).ID, c.Data(mine, "1."))
		if !strings.Contains(alert, "lead") {
			t.Errorf("the tap was answered with %q", alert)
		}
		if n := len(c.Journal(storage.EntryRefused)); n != 6 {
			t.Errorf("%d entries of refusals, want 6", n)
		}
		c.SayIn(rig.Eve, rig.Eve, "/sessions", 0)
		c.SayIn(rig.Eve, rig.Eve, "/abort", 0)
		if n := len(c.Telegram.Messages(rig.Eve)); n != 2 {
			t.Errorf("a stranger was answered:\n%s", c.Telegram.Transcript(rig.Eve))
		}
	})
}

func TestSessions_WithoutRemoteNothingDrives(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, func(c *config.Config) { c.Remote = false }, func(c rig.Talk) {
		c.Say("/sessions", 0)
		c.WantScreen("Nothing here is waiting for an answer.")
		c.Finish()
		c.Say("/abort", 0)
		c.Say("do it", 0)
		c.Wait(time.Minute)
		c.WantPrompts()
		if n := len(c.Telegram.Messages(rig.Ada)); n != 7 {
			t.Errorf("something was said:\n%s", c.Telegram.Transcript(rig.Ada))
		}
	})
}

// Whatever an agent calls a session or says in the end is shown whole, as text.
func TestSessions_SaidTextsAreShownAsTheyAre(t *testing.T) {
	all := texts()
	all["long"] = "begin " + strings.Repeat("na ", 60_000) + "end"
	for name, text := range all {
		t.Run(name, func(t *testing.T) {
			rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
				c.Say("/level all", 0)
				child := c.Opencode.Task(c.Dir, c.Session, "tester", "look")
				c.Wait(2 * time.Second)
				c.Opencode.Say(child, text)
				c.Wait(time.Minute)
				if shown := c.ShownIn(rig.Ada); !strings.Contains(shown, rig.WithoutSpaces(visible.Replace(strings.TrimSpace(text)))) {
					t.Errorf("the text is not shown whole:\n%.3000s", c.Telegram.Transcript(rig.Ada))
				}
			})
		})
	}
}

func TestSessions_FiftySessionsOnPages(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		var titles []string
		for n := range 49 {
			title := "session " + strings.Repeat("i", n+1) + "."
			titles = append(titles, title)
			c.Opencode.NewSession(c.Dir, title)
			c.Wait(time.Second)
		}
		c.Say("/sessions", 0)
		shown := c.Last().Text
		for range 6 {
			c.Tap("Next")
			c.Wait(2 * time.Second)
			shown += c.Last().Text
		}
		if missing := slices.DeleteFunc(titles, func(title string) bool { return strings.Contains(shown, title) }); len(missing) > 0 {
			t.Errorf("missing: %q\n%s", missing, shown)
		}
		c.Tap("50.")
		c.Wait(2 * time.Second)
		c.WantScreen("fix checkout flow", "What you write here goes to this session.")
	})
}

// A prompt is sent to the session that was meant when it was written.
func TestSessions_PromptsGoWhereTheyWereMeant(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.UseSession()
		first := c.Last()
		other := c.Opencode.NewSession(c.Dir, "add an index")
		c.Say("/use add an index", 0)
		c.Say("to the other", 0)
		c.Say("to the first", first.ID)
		c.Wait(time.Minute)
		for _, p := range c.Opencode.Prompts() {
			want := map[string]string{"to the other": other, "to the first": c.Session}[p.Text]
			if p.Session != want {
				t.Errorf("%q went to %s, want %s", p.Text, p.Session, want)
			}
		}
		c.WantPrompts("to the other", "to the first")
	})
}

// What is asked goes before what is driven.
func TestSessions_AnswersAreNoPrompts(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.UseSession()
		_, call := c.Ask(rig.DatabaseQuestion())
		c.Say("PostgreSQL on the old machine", 0)
		c.Wait(10 * time.Second)
		c.WantAnswers(call, []string{"PostgreSQL on the old machine"})
		c.WantPrompts()
		_, closedCall := c.Ask(rig.ClosedQuestion())
		c.Say("/status", 0)
		c.WantScreen("Working", "Waiting for you: ")
		c.Say("MySQL", 0)
		c.WantScreen("That is not one of the choices.")
		c.WantNoAnswer(closedCall)
		c.WantPrompts()
	})
}

// Telegram's clients cut what is longer than one message. It is one prompt all the same.
func TestSessions_LongPromptsAreJoined(t *testing.T) {
	long, rest := strings.Repeat("a", 4000), "and the rest"
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.Say("/level all", 0)
		c.Finish()
		turn := c.Last().ID
		c.SayByHand(long, turn)
		c.SayByHand(rest, 0)
		c.Wait(time.Minute)
		c.WantPrompts(long + "\n" + rest)
		c.SayByHand(long, turn)
		c.Wait(time.Minute)
		c.WantPrompts(long+"\n"+rest, long)
		c.Say("not for it", 0)
		c.Wait(time.Minute)
		c.WantPrompts(long+"\n"+rest, long)
	})
}
