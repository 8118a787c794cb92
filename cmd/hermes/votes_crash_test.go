package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

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

// TestVotesKilledAtEveryStep kills hermes at each of its operations in turn while two
// must approve, and starts it again: no approval is lost, or counted twice.
func TestVotesKilledAtEveryStep(t *testing.T) {
	path := writeFile(t, "rules.toml", rulesOfTeam)
	for name := range polls {
		everyKill(t, name, func(t *testing.T, k *killer) string { return pollLifetime(t, name, path, k) })
	}
}

func pollLifetime(t *testing.T, name, path string, k *killer) string {
	r := makeRig(t, opencode.VersionNew, func(c *config) {
		c.Lang, c.Rules, c.TelegramUsers, c.TelegramChats = "en", path, nil, []chat{{ID: team}}
	})
	r.telegram.AddUser(telegram.User{ID: chen, FirstName: "Chen", LanguageCode: "en"})
	r.telegram.AddChat(telegram.Chat{ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{ada, eve, chen}, Admins: []int64{bob}})
	r.wrap = k.around
	l := &life{rig: r, killer: k}
	r.start()
	l.pass(5 * time.Second)
	dir := r.opencode.Directory()
	l.request, l.call = r.opencode.AskBash(dir, r.opencode.NewSession(dir, "fix checkout flow"), "./deploy.sh production")
	l.pass(10 * time.Second)
	story := polls[name]
	for _, tap := range story.taps {
		l.pressAs(map[string]int64{"Ada": ada, "Chen": chen}[tap[0]], tap[1])
	}
	if story.end == "⌛" {
		l.pass(35 * time.Minute)
	}
	l.pass(2 * time.Minute)
	what := k.killed()
	l.judgePoll(name)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.at, what, k.after)
	}
	r.halt()
	r.wrap = nil
	r.close()
	return what
}

// pressAs taps the newest message of the team's chat that has buttons.
func (l *life) pressAs(user int64, label string) {
	l.t.Helper()
	for _, m := range slices.Backward(l.telegram.Messages(team)) {
		if len(m.Rows) > 0 {
			if _, err := l.telegram.Tap(user, team, m.ID, label); err != nil {
				l.t.Fatalf("%v\n%s", err, l.telegram.History(team))
			}
			l.pass(10 * time.Second)
			return
		}
	}
	l.t.Fatalf("nothing is asked:\n%s", l.telegram.History(team))
}

func (l *life) judgePoll(name string) {
	l.t.Helper()
	story := polls[name]
	l.got(l.call, []string{story.reply})
	told := false
	for _, m := range l.telegram.Messages(team) {
		if m.FromBot && len(m.Rows) > 0 {
			l.t.Errorf("a message is left lying:\n%s", l.telegram.History(team))
		}
		if tellsEnd(m.Text, story.end, story.byName) {
			told = true
		}
	}
	if !told {
		l.t.Errorf("the end does not say %q:\n%s", story.byName, l.telegram.History(team))
	}
	approved := 0
	for _, e := range l.journal(question.EntryApproved) {
		if approved++; e.By.Name != "Ada" || approved > 1 {
			l.t.Errorf("approved %d times: %+v", approved, e)
		}
	}
	if err := l.daemon.store.Verify(); err != nil {
		l.t.Error("the journal:", err)
	}
}

// tellsEnd reports whether the card ends as it should. Killed after the decision was
// sent, hermes cannot prove whose it was, and says so.
func tellsEnd(text, sign, who string) bool {
	unproven := strings.Contains(text, "Allowed in OpenCode") && strings.Contains(text, "It is not known whether Chen's answer arrived")
	return strings.HasPrefix(text, sign) && (strings.Contains(text, who) || unproven)
}
