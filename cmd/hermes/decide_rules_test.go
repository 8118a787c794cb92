package main

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/api"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// ruleTalks are what Ada sees of what her rules decide.
func ruleTalks() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"rule-answers": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Wait(3 * time.Second)
		},
		"rule-answers-quietly": func(c rig.Talk) {
			c.Ask(rig.LanguagesQuestion())
			c.Wait(3 * time.Second)
		},
		"rule-dismisses": func(c rig.Talk) {
			c.Ask(rig.ProjectNameQuestion())
			c.Wait(3 * time.Second)
		},
		"rule-does-not-fit-all": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion(), rig.LanguagesQuestion())
			c.Wait(3 * time.Second)
		},
		"rule-undone": func(c rig.Talk) {
			c.Opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
			c.Ask(rig.DatabaseQuestion())
			c.Opencode.Stop()
			c.Wait(5 * time.Second)
			c.Tap(c.InLanguage("↩️ Undo", "↩️ 撤销"))
			c.Wait(2 * time.Second)
			c.Opencode.SetFault(nil)
			c.Opencode.Start()
			c.Wait(time.Minute)
		},
		"rule-permissions": func(c rig.Talk) {
			c.Allow(rig.BashPermission("git status; make"))
			c.Press("🚫 Reject", "🚫 拒绝")
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Wait(3 * time.Second)
		},
		"rule-in-time": func(c rig.Talk) {
			c.Ask(rig.ColourQuestion())
			c.Wait(11 * time.Minute)
		},
	}
}

func TestDecideRules_RuleConversations(t *testing.T) {
	for name, play := range ruleTalks() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					rig.Converse(t, name, lang, func(c rig.Talk) { c.UseRules(rig.RulesThatDecide); play(c) })
				})
			})
		}
	}
}

// What a rule has decided reaches OpenCode of both kinds, and is nobody's in the
// journal, over HTTP and in the metrics.
func TestDecideRules_DecidedByRule(t *testing.T) {
	rig.PlayBoth(t, func(r *rig.Rig) {
		r.UseRules(rig.RulesThatDecide)
		_, call := r.Ask(rig.LanguagesQuestion())
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{"Go"})
		entries := append(r.Journal(storage.EntryAnswered), r.Journal(storage.EntryConfirmed)...)
		for _, e := range entries {
			if e.By != (question.Actor{Kind: question.RuleActor, Name: "languages"}) || e.Rule != "languages" {
				t.Errorf("the journal has %+v", e)
			}
		}
		if len(entries) != 2 {
			t.Errorf("the journal has %d entries, want 2", len(entries))
		}
		if _, q := r.CallQuestion(entries[0].Thread, ""); q.By != "rule" || q.Rule != "languages" || q.State != "answered" || q.Agent == "" || q.Root != q.Session {
			t.Errorf("over HTTP it is %+v", q)
		}
		if text := r.Metrics(); !strings.Contains(text, `hermes_answers_total{by="rule"} 1`) || strings.Contains(text, "languages") {
			t.Errorf("the metrics are\n%s", text)
		}
		if !strings.Contains(r.Log.String(), `msg="decided by a rule"`) {
			t.Error("the log does not tell of it")
		}
	})
}

func TestDecideRules_AuditNamesTheRule(t *testing.T) {
	rule := question.Actor{Kind: question.RuleActor, Name: "databases"}
	for _, c := range []struct {
		entry storage.Entry
		want  string
	}{
		{storage.Entry{Kind: storage.EntryAnswered, By: rule, Rule: "databases", Answers: question.Answers{{"SQLite"}}}, `a rule                -               "SQLite" by rule "databases"`},
		{storage.Entry{Kind: storage.EntryAnswered, By: rule, Rule: "databases"}, `a rule                -               dismissed by rule "databases"`},
		{storage.Entry{Kind: storage.EntryUndone, By: question.Actor{Kind: question.Person, User: rig.Ada, Name: "Ada"}, Detail: "rights"}, `Ada (42)              -               who may decide has changed, so nothing was sent`},
		{storage.Entry{Kind: storage.EntryUndone, By: question.Actor{Kind: question.Person, User: rig.Ada, Name: "Ada"}, Rule: "databases"}, `Ada (42)              -               took back what was decided by rule "databases"`},
	} {
		if got := entryText(api.EntryOf(rig.Line{Entry: c.entry})); !strings.HasSuffix(got, c.want+"\n") {
			t.Errorf("got %q, want %q at its end", got, c.want)
		}
	}
}
