package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
	"hermes/internal/testlevel"
)

// lives are what people go through. Each does everything once: nothing has to be
// said or tapped twice because hermes was killed.
var lives = map[string]struct {
	questions []opencode.Question // none: leave to run a command
	live      func(*rig.Life)
	answers   [][]string // nil: none
	end       string
}{
	"tapped": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) {
		l.Press("2.")
	}, [][]string{{"PostgreSQL (Recommended)"}}, "✅"},
	"tapped in the dark": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) {
		pressAtOnce(l, "2.")
	}, [][]string{{"PostgreSQL (Recommended)"}}, "✅"},
	"typed": {[]opencode.Question{rig.ProjectNameQuestion()}, func(l *rig.Life) {
		l.Pass(5 * time.Second)
		if _, err := l.Telegram.Say(rig.Ada, rig.Ada, "The Bridge"); err != nil {
			l.T.Fatal(err)
		}
	}, [][]string{{"The Bridge"}}, "✅"},
	"three questions": {[]opencode.Question{rig.ClosedQuestion(), rig.LanguagesQuestion(), rig.ClosedQuestion()}, func(l *rig.Life) {
		for _, label := range []string{"1.", "☐ 2.", "☐ 3.", "Next", "2.", "✅ Send"} {
			l.Press(label)
		}
	}, [][]string{{"SQLite"}, {"Rust", "Zig"}, {"PostgreSQL (Recommended)"}}, "✅"},
	"dismissed": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) { l.Press("🚫"); l.Press("🚫") }, nil, "🚫"},
	"not dismissed after all": {[]opencode.Question{rig.ClosedQuestion(), rig.ClosedQuestion()}, func(l *rig.Life) {
		for _, label := range []string{"1.", "🚫", "◀ Back", "2.", "🚫", "◀ Back", "✅ Send"} {
			l.Press(label)
		}
	}, [][]string{{"SQLite"}, {"PostgreSQL (Recommended)"}}, "✅"},
	"dismissed there": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) {
		l.Pass(5 * time.Second)
		l.Opencode.RejectAtTUI(l.Request)
	}, nil, "🚫"},
	"answered there": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) {
		l.Pass(5 * time.Second)
		l.Opencode.AnswerAtTUI(l.Request, [][]string{{"SQLite"}})
	}, [][]string{{"SQLite"}}, "✅"},
	"held": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) {
		l.Press("2.")
		l.Pass(30 * time.Second)
	}, [][]string{{"PostgreSQL (Recommended)"}}, "✅"},
	"held and taken back": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) {
		l.Press("2.")
		l.Press("↩️ Undo")
		l.Press("1.")
		l.Pass(2 * time.Minute)
	}, [][]string{{"SQLite"}}, "✅"},
	"leave, held and taken back": {nil, func(l *rig.Life) {
		l.Press("✅ Allow once")
		l.Press("↩️ Undo")
		l.Press("🚫 Reject")
		l.Pass(2 * time.Minute)
	}, [][]string{{"reject"}}, "🚫"},
	"allowed": {nil, func(l *rig.Life) { l.Press("✅ Allow once") }, [][]string{{"once"}}, "✅"},
	"rejected with a note": {nil, func(l *rig.Life) {
		l.Press("💬")
		l.Pass(5 * time.Second)
		if _, err := l.Telegram.Say(rig.Ada, rig.Ada, "use make clean"); err != nil {
			l.T.Fatal(err)
		}
	}, [][]string{{"reject"}}, "💬"},
	"expired": {[]opencode.Question{rig.DatabaseQuestion()}, func(l *rig.Life) { l.Pass(31 * time.Minute) }, nil, "⌛"},
}

// undoIn is how long decisions are held in a life.
var undoIn = map[string]time.Duration{"held": 20 * time.Second, "held and taken back": 90 * time.Second, "leave, held and taken back": 90 * time.Second}

// TestCrash_KilledAtEveryStep kills hermes at each of its operations in turn, with and
// without the effect of that one, until a life ends before its turn comes.
func TestCrash_KilledAtEveryStep(t *testing.T) {
	for name := range lives {
		everyKill(t, name, func(t *testing.T, k *rig.Killer) string { return lifetime(t, name, k) })
	}
}

// killStride: hermes is killed at every operation, and by the quick tests only here and
// there.
func killStride() int { return testlevel.Choose(37, 1) }

// everyKill plays a life again and again, in which hermes is killed at another
// operation each time, with and without the effect of that one, until a life ends
// before its turn comes. play says at what hermes was killed.
func everyKill(t *testing.T, name string, play func(*testing.T, *rig.Killer) string) {
	for _, after := range []bool{false, true} {
		kills(t, name, after, 1, killStride(), play)
	}
}

// everyKillOnEither does so with two versions of OpenCode: each operation is killed at
// with its effect on the one, and without it on the other.
func everyKillOnEither(t *testing.T, name string, play func(t *testing.T, version string, k *rig.Killer) string) {
	for i, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		on := func(t *testing.T, k *rig.Killer) string { return play(t, version, k) }
		kills(t, name+"/"+version, false, 1+i, 2*killStride(), on)
		kills(t, name+"/"+version, true, 2-i, 2*killStride(), on)
	}
}

// kills plays a life with a kill at each operation from the first on, by a stride.
func kills(t *testing.T, name string, after bool, first, stride int, play func(*testing.T, *rig.Killer) string) {
	t.Run(fmt.Sprintf("%s/with its effect: %v", name, after), func(t *testing.T) {
		t.Parallel()
		for at := first; !t.Failed(); at += stride {
			var what string
			synctest.Test(t, func(t *testing.T) { what = play(t, &rig.Killer{At: at, After: after}) })
			if what == "" && at == first {
				t.Error("hermes was killed at nothing")
			}
			if what == "" {
				break
			}
		}
	})
}

// lifetime plays one life and holds its end against the promise: one answer, just
// as it was given, and no message that is left lying. It says at what hermes was
// killed.
func lifetime(t *testing.T, name string, k *rig.Killer) string {
	story := lives[name]
	r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) { c.Undo = undoIn[name] })
	r.Wrap = k.Around
	l := &rig.Life{Rig: r, Killer: k}
	if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	r.Start()
	l.Pass(5 * time.Second)
	dir := r.Opencode.Directory()
	session := r.Opencode.NewSession(dir, "fix checkout flow")
	if story.questions == nil {
		l.Request, l.Call = r.Opencode.AskBash(dir, session, "rm -rf build")
	} else {
		l.Request, l.Call = r.Opencode.Ask(dir, session, story.questions...)
	}
	l.Rig.Wait(5 * time.Second)
	story.live(l)
	l.Pass(2 * time.Minute)
	what := k.Killed()
	wantEnd(l, story.answers, story.end)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.At, what, k.After)
	}
	r.EndAfterKill(what)
	return what
}

// pressAtOnce taps the first message that asks, whether hermes is alive or not.
func pressAtOnce(l *rig.Life, label string) {
	l.T.Helper()
	for range 2 {
		for _, m := range l.Telegram.Messages(rig.Ada) {
			if len(m.Rows) > 0 {
				l.PressOn(m.ID, label)
				return
			}
		}
		l.Pass(5 * time.Second)
	}
	l.T.Fatalf("nothing is asked:\n%s", l.Telegram.Transcript(rig.Ada))
}

// wantEnd fails the test unless OpenCode got these answers once, nil for none, and the phone and the journal tell the end.
func wantEnd(l *rig.Life, answers [][]string, end string) {
	l.T.Helper()
	if answers != nil {
		l.WantAnswers(l.Call, answers...)
	} else {
		l.WantNoAnswer(l.Call)
	}
	l.TapCopies(rig.Ada, rig.Ada, l.MayCopy())
	ends := 0
	for _, m := range l.Telegram.Messages(rig.Ada) {
		if m.FromBot && (len(m.Rows) > 0 && !slices.Equal(m.Labels(), []string{rig.LateButton}) || strings.Contains(m.Text, "❓")) { // an end may offer to send a late answer
			l.T.Errorf("a message is left lying:\n%s", l.Telegram.Transcript(rig.Ada))
		}
		if m.FromBot && strings.HasPrefix(m.Text, end) {
			ends++
		}
	}
	if ends == 0 || ends > 2 {
		l.T.Errorf("%d messages tell the end:\n%s", ends, l.Telegram.Transcript(rig.Ada))
	}
	if err := l.Daemon.Store.Verify(); err != nil {
		l.T.Error("the journal:", err)
	}
	if n := len(l.Journal(storage.EntryAsked)); n != 1 {
		l.T.Errorf("asked %d times", n)
	}
}
