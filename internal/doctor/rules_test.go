package doctor

import (
	"context"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

func TestDoctor_OnRules(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{strings.Replace(rig.TeamRules, "-1001234567890", "42", 1), []string{"ok rules.toml: people 2, rules 1, chats 1"}},
		{
			"[[person]]\nid = 42\nname = \"Ada\"\nroles = [\"lead\"]\n[[rule]]\nname = \"apart\"\nask = \"permission\"\napprover_not_owner = true\n",
			[]string{"ok rules.toml", "warn link laptop has no owner, and a rule has approver_not_owner"},
		},
		{rig.WrongRules, []string{"fail rules.toml:9: roles is empty; write something or leave it out", "fail rules.toml:14: chats must name"}},
	} {
		playDoctor(t, false, func(k *doctorRig) {
			k.patient.TelegramChats = nil
			k.patient.Rules = testenv.WriteFile(t, "rules.toml", c.text)
			list, _ := k.examineFor(context.Background())
			var got []string
			for _, d := range list {
				if d.Name == "rules" {
					got = append(got, string(d.Status)+" "+d.Detail)
				}
			}
			for i, want := range c.want {
				if i >= len(got) || !strings.HasPrefix(got[i], want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}
