package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
)

// TestVotes_KilledAtEveryStep kills hermes at each of its operations in turn while two
// must approve, and starts it again: no approval is lost, or counted twice.
func TestVotes_KilledAtEveryStep(t *testing.T) {
	path := testenv.WriteFile(t, "rules.toml", rig.RulesOfTeam)
	for name := range polls {
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
	story := polls[name]
	for _, tap := range story.taps {
		pressAs(l, map[string]int64{"Ada": rig.Ada, "Chen": rig.Chen}[tap[0]], tap[1])
	}
	if story.end == "⌛" {
		l.Pass(35 * time.Minute)
	}
	l.Pass(2 * time.Minute)
	what := k.Killed()
	wantVotes(l, name)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.At, what, k.After)
	}
	r.Halt()
	r.Wrap = nil
	r.Close()
	return what
}

// polls are what two who must both approve go through; nobody taps twice because
// hermes was killed.
var polls = map[string]struct {
	taps   [][2]string // who, and the button
	reply  string
	end    string // of the card
	byName string
}{
	"two approve":        {[][2]string{{"Ada", "✅ Allow once"}, {"Chen", "✅ Allow once"}}, "once", "✅", "Ada and Chen"},
	"one rejects":        {[][2]string{{"Ada", "✅ Allow once"}, {"Chen", "🚫 Reject"}}, "reject", "🚫", "Rejected by Chen"},
	"the same one twice": {[][2]string{{"Ada", "✅ Allow once"}, {"Ada", "✅ Allow once"}}, "reject", "⌛", "1 of 2 approved"},
}

// pressAs taps the newest message of the team's chat that has buttons.
func pressAs(l *rig.Life, user int64, label string) {
	l.T.Helper()
	l.TapIn(user, rig.Team, label)
	l.Pass(10 * time.Second)
}

// wantVotes fails the test unless the poll of that name ended as it should, and was told once.
func wantVotes(l *rig.Life, name string) {
	l.T.Helper()
	story := polls[name]
	l.WantAnswers(l.Call, []string{story.reply})
	l.TapCopies(rig.Ada, rig.Team, l.MayCopy())
	told := false
	for _, m := range l.Telegram.Messages(rig.Team) {
		if m.FromBot && len(m.Rows) > 0 {
			l.T.Errorf("a message is left lying:\n%s", l.Telegram.History(rig.Team))
		}
		if tellsEnd(m.Text, story.end, story.byName) {
			told = true
		}
	}
	if !told {
		l.T.Errorf("the end does not say %q:\n%s", story.byName, l.Telegram.History(rig.Team))
	}
	approved := 0
	for _, e := range l.Journal(storage.EntryApproved) {
		if approved++; e.By.Name != "Ada" || approved > 1 {
			l.T.Errorf("approved %d times: %+v", approved, e)
		}
	}
	if err := l.Daemon.Store.Verify(); err != nil {
		l.T.Error("the journal:", err)
	}
}

// tellsEnd reports whether the card ends as it should. Killed after the decision was
// sent, hermes cannot prove whose it was, and says so.
func tellsEnd(text, sign, who string) bool {
	unproven := strings.Contains(text, "Allowed in OpenCode") && strings.Contains(text, "It is unclear whether Chen's answer arrived")
	return strings.HasPrefix(text, sign) && (strings.Contains(text, who) || unproven)
}
