package main

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// rulesThatDecide are Ada's, for what she does not want to be asked.
const rulesThatDecide = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]

[[rule]]
name       = "no deleting"
permission = "bash"
pattern    = "*rm *"
decide     = "reject"
notify     = true
[[rule]]
name       = "looking around"
permission = "bash"
pattern    = "git *"
decide     = "allow-once"
notify     = true
[[rule]]
name     = "databases"
header   = "Database"
decide   = "auto"
answers  = [{ header = "Database", answer = "postgresql" }]
notify   = true
[[rule]]
name   = "languages"
header = "Languages"
decide = "accept-first"
[[rule]]
name   = "names"
header = "Name"
decide = "reject"
notify = true
[[rule]]
name               = "colours"
header             = "Colour"
timeout            = "10m"
on_timeout         = "accept-first"
prefer_recommended = true
remind             = ["4m"]
`

func colour() opencode.Question {
	return opencode.Question{
		Question: "Which colour?", Header: "Colour",
		Options: []opencode.Option{{Label: "Red"}, {Label: "Blue (Recommended)"}},
	}
}

// ruleTalks are what Ada sees of what her rules decide.
func ruleTalks() map[string]func(talk) {
	return map[string]func(talk){
		"rule-answers": func(c talk) {
			c.ask(database())
			c.wait(3 * time.Second)
		},
		"rule-answers-quietly": func(c talk) {
			c.ask(languages())
			c.wait(3 * time.Second)
		},
		"rule-dismisses": func(c talk) {
			c.ask(projectName())
			c.wait(3 * time.Second)
		},
		"rule-does-not-fit-all": func(c talk) {
			c.ask(database(), languages())
			c.wait(3 * time.Second)
		},
		"rule-undone": func(c talk) {
			c.opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
			c.ask(database())
			c.opencode.Stop()
			c.wait(5 * time.Second)
			c.tap(c.word("↩️ Undo", "↩️ 撤销"))
			c.wait(2 * time.Second)
			c.opencode.SetFault(nil)
			c.opencode.Start()
			c.wait(time.Minute)
		},
		"rule-permissions": func(c talk) {
			c.allow(leave("git status"))
			c.allow(leave("git status; make"))
			c.press("🚫 Reject", "🚫 拒绝")
			c.allow(leave("rm -rf build"))
			c.wait(3 * time.Second)
		},
		"rule-in-time": func(c talk) {
			c.ask(colour())
			c.wait(11 * time.Minute)
		},
	}
}

func TestRuleConversations(t *testing.T) {
	for name, play := range ruleTalks() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					converse(t, name, lang, func(c talk) { c.follow(rulesThatDecide); play(c) })
				})
			})
		}
	}
}

// What a rule has decided reaches OpenCode of both kinds, and is nobody's in the
// journal, over HTTP and in the metrics.
func TestDecidedByRule(t *testing.T) {
	playBoth(t, func(r *rig) {
		r.follow(rulesThatDecide)
		_, call := r.ask(languages())
		r.wait(5 * time.Second)
		r.got(call, []string{"Go"})
		entries := append(r.journal(question.EntryAnswered), r.journal(question.EntryConfirmed)...)
		for _, e := range entries {
			if e.By != (question.Actor{Kind: question.RuleActor, Name: "languages"}) || e.Rule != "languages" {
				t.Errorf("the journal has %+v", e)
			}
		}
		if len(entries) != 2 {
			t.Errorf("the journal has %d entries, want 2", len(entries))
		}
		if _, q := r.status(entries[0].Thread, ""); q.By != "rule" || q.Rule != "languages" || q.State != "answered" || q.Agent == "" || q.Root != q.Session {
			t.Errorf("over HTTP it is %+v", q)
		}
		if text := r.measured(); !strings.Contains(text, `hermes_answers_total{by="rule"} 1`) || strings.Contains(text, "languages") {
			t.Errorf("the metrics are\n%s", text)
		}
		if !strings.Contains(r.log.String(), `msg="decided by a rule"`) {
			t.Error("the log does not tell of it")
		}
	})
}

func TestAuditNamesTheRule(t *testing.T) {
	rule := question.Actor{Kind: question.RuleActor, Name: "databases"}
	for _, c := range []struct {
		entry question.Entry
		want  string
	}{
		{question.Entry{Kind: question.EntryAnswered, By: rule, Rule: "databases", Answers: question.Answers{{"SQLite"}}}, `a rule                -               "SQLite" by rule "databases"`},
		{question.Entry{Kind: question.EntryAnswered, By: rule, Rule: "databases"}, `a rule                -               dismissed by rule "databases"`},
		{question.Entry{Kind: question.EntryUndone, By: question.Actor{Kind: question.Person, User: ada, Name: "Ada"}, Rule: "databases"}, `Ada (42)              -               took back what was decided by rule "databases"`},
	} {
		if got := entryText(entryToAPI(line{Entry: c.entry})); !strings.HasSuffix(got, c.want+"\n") {
			t.Errorf("got %q, want %q at its end", got, c.want)
		}
	}
}
