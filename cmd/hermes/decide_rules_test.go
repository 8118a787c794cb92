package main

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
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
