package daemon_test

import (
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// TestVotes_KilledAtEveryStep kills hermes at each of its operations in turn while two
// must approve, and starts it again: no approval is lost, or counted twice.
func TestVotes_KilledAtEveryStep(t *testing.T) {
	path := testenv.WriteFile(t, "rules.toml", rig.RulesOfTeam)
	for name := range rig.Polls {
		everyKill(t, name, func(t *testing.T, k *rig.Killer) string { return pollLifetime(t, name, path, k) })
	}
}

func pollLifetime(t *testing.T, name, path string, k *rig.Killer) string {
	r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
		c.Lang, c.Rules, c.TelegramUsers, c.TelegramChats = "en", path, nil, []config.Chat{{ID: rig.Team}}
	})
	r.Telegram.AddUser(telegram.User{ID: rig.Chen, FirstName: "Chen", LanguageCode: "en"})
	r.Telegram.AddChat(telegram.Chat{ID: rig.Team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, rig.Eve, rig.Chen}, Admins: []int64{rig.Bob}})
	r.Wrap = k.Around
	l := &rig.Life{Rig: r, Killer: k}
	r.Start()
	l.Pass(5 * time.Second)
	dir := r.Opencode.Directory()
	l.Request, l.Call = r.Opencode.AskBash(dir, r.Opencode.NewSession(dir, "fix checkout flow"), "./deploy.sh production")
	l.Pass(10 * time.Second)
	story := rig.Polls[name]
	for _, tap := range story.Taps {
		l.PressAs(map[string]int64{"Ada": rig.Ada, "Chen": rig.Chen}[tap[0]], tap[1])
	}
	if story.End == "⌛" {
		l.Pass(35 * time.Minute)
	}
	l.Pass(2 * time.Minute)
	what := k.Killed()
	l.WantVotes(name)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.At, what, k.After)
	}
	r.Halt()
	r.Wrap = nil
	r.Close()
	return what
}
