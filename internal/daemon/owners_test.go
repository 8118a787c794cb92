package daemon_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/sessions"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// teamRules: Ada leads, Bob develops; what deploys is for two people of whom none is the owner of the agent.
const teamRules = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]
[[person]]
id    = 43
name  = "Bob"
roles = ["dev", "lead"]
[[person]]
id    = 345
name  = "Chen"
roles = ["lead"]
`

// playOwners plays a hermes with a link of Ada's and one of Bob's, whose OpenCodes are one stand-in.
func playOwners(t *testing.T, rules string, play func(r *rig.Rig)) {
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		r.UseRules(teamRules + rules)
		p := r.ConnectPluginTo("laptop-7", r.Opencode, r.Opencode.Directory())
		defer p.Disconnect()
		r.GiveLink("laptop-7", rig.Bob)
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		r.WantScreenIn(rig.Bob, "Questions from your agents come here")
		play(r)
	})
}

// What Bob's machine asks goes to Bob, who alone can answer it.
func TestOwners_TheOwnerIsAsked(t *testing.T) {
	playOwners(t, "", func(r *rig.Rig) {
		before := len(r.Telegram.Messages(rig.Ada))
		_, call := r.Ask(rig.DatabaseQuestion())
		r.WantScreenIn(rig.Bob, "Which database should this feature use?")
		if got := len(r.Telegram.Messages(rig.Ada)); got != before {
			t.Errorf("Ada has %d messages more:\n%s", got-before, r.Telegram.History(rig.Ada))
		}
		if status, q := r.CallQuestion(r.OpenQuestion().ID, `{"answers":[["SQLite"]]}`); status == http.StatusOK {
			t.Errorf("a program's answer was taken: %+v", q)
		}
		r.WantNoAnswer(call)
		r.TapIn(rig.Bob, rig.Bob, "1. SQLite")
		r.Wait(rig.WaitFor)
		r.WantAnswers(call, []string{"SQLite"})
		r.WantScreenIn(rig.Bob, "✅", "Bob")
	})
}

func messageIn(r *rig.Rig, chat int64, id int) telegram.Message {
	r.T.Helper()
	for _, m := range r.Telegram.Messages(chat) {
		if m.ID == id {
			return m
		}
	}
	r.T.Fatalf("no message %d in %d", id, chat)
	return telegram.Message{}
}

// Two owners, each with a machine, go through every command in their own chat and in the team's. Nothing of what is on one machine
// reaches the other's chat, or the team's.
func TestOwners_SeeNothingOfEachOther(t *testing.T) {
	rig.Play(t, func(c *config.Config) {
		c.OpenCodeURLs, c.TelegramChats = nil, []config.Chat{{ID: rig.Team}}
		c.TurnAfter = 0
	}, func(r *rig.Rig) {
		r.AddTeam(false)
		r.UseRules(teamRules + "[remote]\nroles = [\"lead\"]\n")
		machines := []struct {
			owner  int64
			canary string
		}{{rig.Ada, "aardvark"}, {rig.Bob, "bumblebee"}}
		for _, m := range machines {
			dir := "/src/" + m.canary
			p := r.ConnectPluginTo("laptop-"+m.canary, r.Opencode, dir)
			defer p.Disconnect()
			r.GiveLink("laptop-"+m.canary, chat.UserID(m.owner))
			r.SayIn(m.owner, m.owner, "/start", 0)
		}
		for _, m := range machines {
			dir := "/src/" + m.canary
			s := r.Opencode.NewSession(dir, "title "+m.canary)
			r.Opencode.AskBash(dir, s, "echo "+m.canary)
			r.Wait(3 * time.Second)
			r.TapIn(m.owner, m.owner, "✅")
			r.Wait(time.Minute)
		}
		for _, m := range machines {
			for _, place := range []int64{m.owner, rig.Team} {
				for _, command := range everyCommand(m.canary) {
					r.SayIn(m.owner, place, command, 0)
					r.Wait(20 * time.Second)
				}
			}
		}
		for i, m := range machines {
			other := machines[1-i]
			if own := r.Telegram.History(m.owner); !strings.Contains(own, m.canary) {
				t.Errorf("the owner of %s sees nothing of it:\n%s", m.canary, own)
			} else if strings.Contains(withoutOwnWords(own), other.canary) {
				t.Errorf("the owner of %s sees something of %s:\n%s", m.canary, other.canary, own)
			}
		}
		if team := withoutOwnWords(r.Telegram.History(rig.Team)); strings.Contains(team, "aardvark") || strings.Contains(team, "bumblebee") {
			t.Errorf("the team sees something of a machine that belongs to somebody:\n%s", team)
		}
		_, metrics := r.Request("GET", "/metrics", "")
		for _, text := range []string{metrics, r.Log.String()} {
			for line := range strings.Lines(text) {
				if !strings.Contains(line, "level=DEBUG") && (strings.Contains(line, "/src/") || strings.Contains(line, "title ") || strings.Contains(line, "echo ")) {
					t.Errorf("the log or a metric tells: %s", line)
				}
			}
		}
	})
}

// everyCommand is each command, with and without words.
func everyCommand(canary string) []string {
	var list []string
	for _, name := range sessions.Commands() {
		list = append(list, "/"+name)
	}
	return append(list, "/use "+canary, "/use aardvark", "/use bumblebee", "/new aardvark", "/new bumblebee", "/level all", "/follow on", "a plain text", "/status", "/last", "/sessions")
}

// withoutOwnWords is a history without what people wrote.
func withoutOwnWords(history string) string {
	var kept []string
	for line := range strings.Lines(history) {
		if !strings.HasPrefix(line, "Ada: ") && !strings.HasPrefix(line, "Bob: ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
