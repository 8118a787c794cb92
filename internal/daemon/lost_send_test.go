package daemon_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/testlevel"
)

// copied are asks of every shape that a card can have, and which call of theirs gets
// no answer: the first one of its method.
var copied = map[string]struct {
	ask  func(r *rig.Rig, dir, session string)
	lost string
}{
	"a question":  {func(r *rig.Rig, dir, session string) { r.Opencode.Ask(dir, session, rig.DatabaseQuestion()) }, "sendMessage"},
	"two at once": {askTwo, "sendMessage"},
	"leave":       {func(r *rig.Rig, dir, session string) { r.Opencode.AskBash(dir, session, "rm -rf build") }, "sendMessage"},
	"of two messages": {func(r *rig.Rig, dir, session string) {
		r.Opencode.Ask(dir, session, longQuestion(6000))
	}, "sendMessage"},
	"with a file, which comes twice": {func(r *rig.Rig, dir, session string) {
		r.Opencode.Ask(dir, session, longQuestion(60000))
	}, "sendDocument"},
	"with a file, and the card comes twice": {func(r *rig.Rig, dir, session string) {
		r.Opencode.Ask(dir, session, longQuestion(60000))
	}, "sendMessage"},
}

func askTwo(r *rig.Rig, dir, session string) {
	r.Opencode.Ask(dir, session, rig.DatabaseQuestion())
	r.Opencode.Ask(dir, r.Opencode.NewSession(dir, "another"), rig.LanguagesQuestion())
}

func longQuestion(runes int) opencode.Question {
	q := rig.DatabaseQuestion()
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
func TestCopies_AreFoundAfterALostAnswerARefusedEditAndAKill(t *testing.T) {
	for name := range copied {
		if !testlevel.Full() && name != "two at once" {
			continue
		}
		for edit := range refusedEdits {
			for _, killed := range testlevel.Choose([]bool{true}, []bool{true, false}) {
				t.Run(name+"/"+edit+"/"+map[bool]string{true: "killed", false: "alive"}[killed], func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { copyIsFound(t, name, edit, killed) })
				})
			}
		}
	}
}

func copyIsFound(t *testing.T, name, edit string, killed bool) {
	r := rig.NewStopped(t, opencode.VersionNew, nil)
	l := &rig.Life{Rig: r, Killer: &rig.Killer{At: -1}}
	r.Wrap = l.Around
	if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	r.Start()
	l.Pass(5 * time.Second)
	var refused sync.Once
	r.Telegram.SetFault(func(c telegram.Call) (f telegram.Fault) {
		if strings.HasPrefix(c.Method, "editMessage") {
			refused.Do(func() {
				f = refusedEdits[edit]
				if killed {
					time.AfterFunc(500*time.Millisecond, l.Kill)
				}
			})
		}
		return f
	})
	r.Telegram.FailNext(copied[name].lost, telegram.Fault{Kind: telegram.ResetAfter})
	dir := r.Opencode.Directory()
	session := r.Opencode.NewSession(dir, "fix checkout flow")
	copied[name].ask(r, dir, session)
	l.Pass(20 * time.Second)
	if killed && r.Wrap != nil {
		t.Errorf("nothing was edited:\n%s", r.Telegram.Transcript(rig.Ada))
	}
	greeting := r.Telegram.Messages(rig.Ada)[1]
	l.Pass(2 * time.Minute)
	l.WantOpen()
	l.Pass(31 * time.Minute) // nobody answers
	l.WantStoryEnd()
	if g := r.Telegram.Messages(rig.Ada)[1]; g.Text != greeting.Text || g.Edits > 0 {
		t.Errorf("another message was changed: %q", g.Text)
	}
	if r.Wrap != nil {
		r.Halt()
	} else {
		r.Stop()
		<-r.Ended
	}
	r.Close()
}

// Messages of other private chats count with those of this one (Telegram numbers them together), and may lie between
// the last one that was known here and the copy.
func TestCopies_AreFoundBelowManyMessages(t *testing.T) {
	for _, others := range []int{10, 250} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rig.NewStopped(t, opencode.VersionNew, nil)
				l := &rig.Life{Rig: r, Killer: &rig.Killer{At: -1}}
				r.Wrap = l.Around
				if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
					t.Fatal(err)
				}
				r.Start()
				l.Pass(5 * time.Second)
				for range others {
					if _, err := r.Telegram.Say(rig.Bob, rig.Bob, "hello"); err != nil {
						t.Fatal(err)
					}
				}
				l.Pass(time.Minute)
				r.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
				dir := r.Opencode.Directory()
				session := r.Opencode.NewSession(dir, "fix checkout flow")
				r.Opencode.Ask(dir, session, rig.DatabaseQuestion())
				l.Pass(10 * time.Minute)
				l.WantOpen()
				l.Pass(31 * time.Minute)
				l.WantStoryEnd()
				r.Stop()
				<-r.Ended
				r.Close()
			})
		})
	}
}
