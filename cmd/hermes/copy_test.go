package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// kill ends the daemon now: nothing that it does from here on has an effect.
func (k *killer) kill() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.what = "now"
}

// copied are asks of every shape that a card can have, and which call of theirs gets
// no answer: the first one of its method.
var copied = map[string]struct {
	ask  func(r *rig, dir, session string)
	lost string
}{
	"a question":  {func(r *rig, dir, session string) { r.opencode.Ask(dir, session, database()) }, "sendMessage"},
	"two at once": {askTwo, "sendMessage"},
	"leave":       {func(r *rig, dir, session string) { r.opencode.AskBash(dir, session, "rm -rf build") }, "sendMessage"},
	"of two messages": {func(r *rig, dir, session string) {
		r.opencode.Ask(dir, session, longQuestion(6000))
	}, "sendMessage"},
	"with a file, which comes twice": {func(r *rig, dir, session string) {
		r.opencode.Ask(dir, session, longQuestion(60000))
	}, "sendDocument"},
	"with a file, and the card comes twice": {func(r *rig, dir, session string) {
		r.opencode.Ask(dir, session, longQuestion(60000))
	}, "sendMessage"},
}

func askTwo(r *rig, dir, session string) {
	r.opencode.Ask(dir, session, database())
	r.opencode.Ask(dir, r.opencode.NewSession(dir, "another"), languages())
}

func longQuestion(runes int) opencode.Question {
	q := database()
	q.Question = strings.Repeat("Which database should it use, and why? ", runes/39)
	return q
}

// refusals of the edit that says that a message was sent twice.
var refusedEdits = map[string]telegram.Fault{
	"reset before":         {Kind: telegram.ResetBefore},
	"reset after":          {Kind: telegram.ResetAfter},
	"unreachable":          {Kind: telegram.Unreachable},
	"bad gateway":          {Kind: telegram.BadGateway},
	"internal error":       {Kind: telegram.Refuse},
	"too many requests":    {Kind: telegram.Refuse, RetryAfter: 7},
	"unauthorized, passed": {Kind: telegram.Refuse, Code: 401},
}

// A message takes effect and its answer is lost; it is sent again; the edit of the first
// one fails; hermes is killed within the second. The first one is found all the same: no
// message keeps buttons when its ask has ended, and none asks what is not asked any more.
func TestACopyIsFoundAfterALostAnswerARefusedEditAndAKill(t *testing.T) {
	for name := range copied {
		if killStride > 1 && name != "two at once" {
			continue
		}
		for edit := range refusedEdits {
			for _, killed := range []bool{true, false} {
				t.Run(name+"/"+edit+"/"+map[bool]string{true: "killed", false: "alive"}[killed], func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { copyIsFound(t, name, edit, killed) })
				})
			}
		}
	}
}

func copyIsFound(t *testing.T, name, edit string, killed bool) {
	r := makeRig(t, opencode.VersionNew, nil)
	l := &life{rig: r, killer: &killer{at: -1}}
	r.wrap = l.around
	if _, err := r.telegram.Say(ada, ada, "/start"); err != nil {
		t.Fatal(err)
	}
	r.start()
	l.pass(5 * time.Second)
	var refused sync.Once
	r.telegram.SetFault(func(c telegram.Call) (f telegram.Fault) {
		if strings.HasPrefix(c.Method, "editMessage") {
			refused.Do(func() {
				f = refusedEdits[edit]
				if killed {
					time.AfterFunc(500*time.Millisecond, l.kill)
				}
			})
		}
		return f
	})
	r.telegram.FailNext(copied[name].lost, telegram.Fault{Kind: telegram.ResetAfter})
	dir := r.opencode.Directory()
	session := r.opencode.NewSession(dir, "fix checkout flow")
	copied[name].ask(r, dir, session)
	l.pass(20 * time.Second)
	if killed && r.wrap != nil {
		t.Errorf("nothing was edited:\n%s", r.telegram.Transcript(ada))
	}
	greeting := r.telegram.Messages(ada)[1]
	l.pass(2 * time.Minute)
	l.judgeOpen()
	l.pass(31 * time.Minute) // nobody answers
	l.judgeEnd()
	if g := r.telegram.Messages(ada)[1]; g.Text != greeting.Text || g.Edits > 0 {
		t.Errorf("another message was changed: %q", g.Text)
	}
	if r.wrap != nil {
		r.halt()
	} else {
		r.stop()
		<-r.ended
	}
	r.close()
}

// judgeOpen: each ask has one message with buttons.
func (l *life) judgeOpen() {
	l.t.Helper()
	seen := map[string]int{}
	for _, m := range l.telegram.Messages(ada) {
		if len(m.Rows) > 0 {
			seen[m.Rows[0][0].Data[:13]]++ // the version and the thread's id
		}
	}
	for _, n := range seen {
		if n != 1 {
			l.t.Errorf("an ask has buttons %d times:\n%s", n, l.telegram.Transcript(ada))
		}
	}
	if len(seen) == 0 {
		l.t.Errorf("nothing is asked:\n%s", l.telegram.Transcript(ada))
	}
}

// judgeEnd: no message has buttons that answer, and every one that begins as an ask
// says how it ended, or where the rest is.
func (l *life) judgeEnd() {
	l.t.Helper()
	for _, m := range l.telegram.Messages(ada) {
		late := slices.ContainsFunc(m.Rows, func(row []telegram.Button) bool {
			return slices.ContainsFunc(row, func(b telegram.Button) bool { return strings.HasPrefix(b.Data, "1") })
		})
		if m.FromBot && (late || strings.HasPrefix(m.Text, "❓") || strings.HasPrefix(m.Text, "🔐")) {
			l.t.Errorf("message %d is left lying:\n%s", m.ID, l.telegram.Transcript(ada))
		}
	}
	files := 0
	for _, m := range l.telegram.Messages(ada) {
		if m.Document != nil && !strings.HasPrefix(m.Text, "↪") {
			files++
		}
	}
	if files > 1 {
		l.t.Errorf("%d files stand for one:\n%s", files, l.telegram.Transcript(ada))
	}
}

// Messages of other private chats count with those of this one (Telegram numbers them together), and may lie between
// the last one that was known here and the copy.
func TestACopyIsFoundBelowManyMessages(t *testing.T) {
	for _, others := range []int{10, 250} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := makeRig(t, opencode.VersionNew, nil)
				l := &life{rig: r, killer: &killer{at: -1}}
				r.wrap = l.around
				if _, err := r.telegram.Say(ada, ada, "/start"); err != nil {
					t.Fatal(err)
				}
				r.start()
				l.pass(5 * time.Second)
				for range others {
					if _, err := r.telegram.Say(bob, bob, "hello"); err != nil {
						t.Fatal(err)
					}
				}
				l.pass(time.Minute)
				r.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
				dir := r.opencode.Directory()
				session := r.opencode.NewSession(dir, "fix checkout flow")
				r.opencode.Ask(dir, session, database())
				l.pass(10 * time.Minute)
				l.judgeOpen()
				l.pass(31 * time.Minute)
				l.judgeEnd()
				r.stop()
				<-r.ended
				r.close()
			})
		})
	}
}
