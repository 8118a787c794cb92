package daemon_test

import (
	"slices"
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

// refusals of the first edit behind the tap.
var refusedEdits = map[string]telegram.Fault{
	"reset before":         {Kind: telegram.ResetBefore},
	"reset after":          {Kind: telegram.ResetAfter},
	"unreachable":          {Kind: telegram.Unreachable},
	"bad gateway":          {Kind: telegram.BadGateway},
	"internal error":       {Kind: telegram.Refuse},
	"too many requests":    {Kind: telegram.Refuse, RetryAfter: 7},
	"unauthorized, passed": {Kind: telegram.Refuse, Code: 401},
}

// A message takes effect and its answer is lost; it is sent again. Somebody taps the first one; the edit that follows
// fails; hermes is killed within the second. Both messages tell the end all the same.
func TestCopies_TellTheEndAfterATapARefusedEditAndAKill(t *testing.T) {
	for name := range copied {
		if !testlevel.Full() && name != "two at once" {
			continue
		}
		for edit := range refusedEdits {
			for _, killed := range testlevel.Choose([]bool{true}, []bool{true, false}) {
				t.Run(name+"/"+edit+"/"+map[bool]string{true: "killed", false: "alive"}[killed], func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { copyIsTapped(t, name, edit, killed) })
				})
			}
		}
	}
}

// A copy is tapped after the question has ended, with a choice that its session can still be sent as a prompt: that is
// offered, and the copy says how the question ended.
func TestCopies_AnsweredTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := askedTwice(t, "a question")
		l.Pass(31 * time.Minute) // nobody answers
		wantStoryEnd(l, 1)
		offers := func(m telegram.Message) bool {
			return strings.Contains(m.Text, "My answer: “SQLite”") && len(m.Rows) > 0
		}
		if !slices.ContainsFunc(l.Telegram.Messages(rig.Ada), offers) {
			t.Errorf("the answer is not offered as a prompt:\n%s", l.Telegram.Transcript(rig.Ada))
		}
		endCopied(l)
	})
}

// askedTwice is a hermes that has asked, and asked again as Telegram's answer was lost.
func askedTwice(t *testing.T, name string) *rig.Life {
	t.Helper()
	r := rig.NewStopped(t, opencode.VersionNew, nil)
	l := &rig.Life{Rig: r, Killer: &rig.Killer{At: -1}}
	r.Wrap = l.Around
	if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	r.Start()
	l.Pass(5 * time.Second)
	r.Telegram.FailNext(copied[name].lost, telegram.Fault{Kind: telegram.ResetAfter})
	dir := r.Opencode.Directory()
	copied[name].ask(r, dir, r.Opencode.NewSession(dir, "fix checkout flow"))
	l.Pass(20 * time.Second)
	wantOpen(l, 1)
	return l
}

func endCopied(l *rig.Life) {
	if l.Wrap != nil {
		l.Halt()
	} else {
		l.Stop()
		<-l.Ended
	}
	l.Close()
}

func copyIsTapped(t *testing.T, name, edit string, killed bool) {
	l := askedTwice(t, name)
	r := l.Rig
	greeting := r.Telegram.Messages(rig.Ada)[1]
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
	first := slices.IndexFunc(r.Telegram.Messages(rig.Ada), func(m telegram.Message) bool { return len(m.Rows) > 0 })
	l.PressOn(r.Telegram.Messages(rig.Ada)[first].ID, "🚫") // dismisses a question at the second tap, and rejects a permission
	l.Pass(20 * time.Second)
	if killed && r.Wrap != nil {
		t.Errorf("nothing was edited:\n%s", r.Telegram.Transcript(rig.Ada))
	}
	l.Pass(31 * time.Minute) // nobody answers
	wantStoryEnd(l, 1)
	if g := r.Telegram.Messages(rig.Ada)[1]; g.Text != greeting.Text || g.Edits > 0 {
		t.Errorf("another message was changed: %q", g.Text)
	}
	endCopied(l)
}

// wantOpen: each ask has one message with buttons that hermes knows of, and all together so many copies at most.
func wantOpen(l *rig.Life, most int) {
	l.T.Helper()
	copies, seen := l.Copies(rig.Ada), map[string]int{}
	for _, m := range l.Telegram.Messages(rig.Ada) {
		if len(m.Rows) > 0 {
			seen[m.Rows[0][0].Data[:13]]++ // the version and the thread's id
		}
	}
	for _, m := range copies {
		if len(m.Rows) > 0 {
			seen[m.Rows[0][0].Data[:13]]--
		}
	}
	for _, n := range seen {
		if n != 1 || len(copies) > most {
			l.T.Errorf("an ask has buttons %d times, beside %d copies:\n%s", n, len(copies), l.Telegram.Transcript(rig.Ada))
		}
	}
	if len(seen) == 0 {
		l.T.Errorf("nothing is asked:\n%s", l.Telegram.Transcript(rig.Ada))
	}
}

// wantStoryEnd: no message has buttons that answer, and every one that begins as an ask
// says how it ended, or where the rest is. Of copies there are so many at most; they are tapped.
func wantStoryEnd(l *rig.Life, most int) {
	l.T.Helper()
	left, files := map[int]bool{}, 0
	for _, m := range l.TapCopies(rig.Ada, rig.Ada, most) { // parts without buttons
		left[m.ID] = true
	}
	for _, m := range l.Telegram.Messages(rig.Ada) {
		asks := strings.HasPrefix(m.Text, "❓") || strings.HasPrefix(m.Text, "🔐")
		if m.FromBot && (rig.AskButton(m) != "" || asks && !left[m.ID]) {
			l.T.Errorf("message %d is left lying:\n%s", m.ID, l.Telegram.Transcript(rig.Ada))
		}
		if m.Document != nil && !left[m.ID] {
			files++
		}
	}
	if files > 1 {
		l.T.Errorf("%d files stand for one:\n%s", files, l.Telegram.Transcript(rig.Ada))
	}
}
