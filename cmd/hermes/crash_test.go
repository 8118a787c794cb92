package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// killer ends the daemon at one of its operations: every call that it makes and
// every write to its database is one. The operation fails, with or without its
// effect, and nothing that the daemon does later has any.
type killer struct {
	mu    sync.Mutex
	at    int  // the operation, counted from 1
	after bool // it has its effect
	count int
	what  string // the operation that killed; empty: alive
	over  bool   // it kills no more
}

var errKilled = errors.New("killed")

// do is one operation.
func (k *killer) do(what string, operation func() error) error {
	k.mu.Lock()
	if k.what != "" {
		k.mu.Unlock()
		return errKilled
	}
	if k.count > 0 || what != "write" { // before any call, the database is made
		k.count++
	}
	if k.count != k.at || k.over {
		k.mu.Unlock()
		return operation()
	}
	k.what = what
	k.mu.Unlock()
	if k.after {
		_ = operation()
	}
	return errKilled
}

func (k *killer) killed() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.what
}

// spent says the same, and that there is no more to kill.
func (k *killer) spent() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	return k.what
}

// around puts the killer between the daemon and the world.
func (k *killer) around(out outside) outside {
	out.telegram, out.opencode = k.transport(out.telegram), k.transport(out.opencode)
	if out.voice != nil {
		out.voice = k.transport(out.voice)
	}
	out.store.Write = func(write func() error) error { return k.do("write", write) }
	return out
}

func (k *killer) transport(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (res *http.Response, err error) {
		what := req.Method + " " + req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:]
		failed := k.do(what, func() error {
			res, err = next.RoundTrip(req)
			return nil
		})
		if failed != nil {
			if res != nil {
				res.Body.Close()
			}
			return nil, failed
		}
		return res, err
	})
}

// life is a story in which hermes may be killed and is started again.
type life struct {
	*rig
	*killer
	call, request string
}

// pass lets time go by. A daemon that was killed is started again then, alive
// for good.
func (l *life) pass(d time.Duration) {
	l.rig.wait(d)
	if l.killed() == "" || l.rig.wrap == nil {
		return
	}
	l.stop()
	<-l.ended
	l.rig.wrap = nil
	l.rig.start()
	l.rig.wait(d)
}

// press taps a button of the newest message, when hermes is alive.
func (l *life) press(label string) {
	l.t.Helper()
	l.pass(5 * time.Second)
	l.pressOn(l.keysIn(ada).ID, label)
}

func (l *life) pressOn(message int, label string) {
	l.t.Helper()
	if _, err := l.telegram.Tap(ada, ada, message, label); err != nil {
		l.t.Fatalf("%v\n%s", err, l.telegram.Transcript(ada))
	}
	l.pass(5 * time.Second)
}

// pressAtOnce taps the first message that asks, whether hermes is alive or not.
func (l *life) pressAtOnce(label string) {
	l.t.Helper()
	for range 2 {
		for _, m := range l.telegram.Messages(ada) {
			if len(m.Rows) > 0 {
				l.pressOn(m.ID, label)
				return
			}
		}
		l.pass(5 * time.Second)
	}
	l.t.Fatalf("nothing is asked:\n%s", l.telegram.Transcript(ada))
}

// lives are what people go through. Each does everything once: nothing has to be
// said or tapped twice because hermes was killed.
var lives = map[string]struct {
	questions []opencode.Question // none: leave to run a command
	live      func(*life)
	answers   [][]string // nil: none
	end       string
}{
	"tapped": {[]opencode.Question{database()}, func(l *life) {
		l.press("2.")
	}, [][]string{{"PostgreSQL (Recommended)"}}, "✅"},
	"tapped in the dark": {[]opencode.Question{database()}, func(l *life) {
		l.pressAtOnce("2.")
	}, [][]string{{"PostgreSQL (Recommended)"}}, "✅"},
	"typed": {[]opencode.Question{projectName()}, func(l *life) {
		l.pass(5 * time.Second)
		if _, err := l.telegram.Say(ada, ada, "The Bridge"); err != nil {
			l.t.Fatal(err)
		}
	}, [][]string{{"The Bridge"}}, "✅"},
	"three questions": {[]opencode.Question{closed(), languages(), closed()}, func(l *life) {
		for _, label := range []string{"1.", "☐ 2.", "☐ 3.", "Next", "2.", "✅ Send"} {
			l.press(label)
		}
	}, [][]string{{"SQLite"}, {"Rust", "Zig"}, {"PostgreSQL (Recommended)"}}, "✅"},
	"dismissed": {[]opencode.Question{database()}, func(l *life) { l.press("🚫") }, nil, "🚫"},
	"dismissed there": {[]opencode.Question{database()}, func(l *life) {
		l.pass(5 * time.Second)
		l.opencode.RejectAtTUI(l.request)
	}, nil, "🚫"},
	"answered there": {[]opencode.Question{database()}, func(l *life) {
		l.pass(5 * time.Second)
		l.opencode.AnswerAtTUI(l.request, [][]string{{"SQLite"}})
	}, [][]string{{"SQLite"}}, "✅"},
	"allowed": {nil, func(l *life) { l.press("✅ Allow once") }, [][]string{{"once"}}, "✅"},
	"rejected with a note": {nil, func(l *life) {
		l.press("💬")
		l.pass(5 * time.Second)
		if _, err := l.telegram.Say(ada, ada, "use make clean"); err != nil {
			l.t.Fatal(err)
		}
	}, [][]string{{"reject"}}, "💬"},
	"expired": {[]opencode.Question{database()}, func(l *life) { l.pass(31 * time.Minute) }, nil, "⌛"},
}

// TestKilledAtEveryStep kills hermes at each of its operations in turn, with and
// without the effect of that one, until a life ends before its turn comes.
func TestKilledAtEveryStep(t *testing.T) {
	for name := range lives {
		everyKill(t, name, func(t *testing.T, k *killer) string { return lifetime(t, name, k) })
	}
}

// everyKill plays a life again and again, in which hermes is killed at another
// operation each time, with and without the effect of that one, until a life ends
// before its turn comes. play says at what hermes was killed.
func everyKill(t *testing.T, name string, play func(*testing.T, *killer) string) {
	for _, after := range []bool{false, true} {
		kills(t, name, after, 1, killStride, play)
	}
}

// everyKillOnEither does so with two versions of OpenCode: each operation is killed at
// with its effect on the one, and without it on the other.
func everyKillOnEither(t *testing.T, name string, play func(t *testing.T, version string, k *killer) string) {
	for i, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		on := func(t *testing.T, k *killer) string { return play(t, version, k) }
		kills(t, name+"/"+version, false, 1+i, 2*killStride, on)
		kills(t, name+"/"+version, true, 2-i, 2*killStride, on)
	}
}

// kills plays a life with a kill at each operation from the first on, by a stride.
func kills(t *testing.T, name string, after bool, first, stride int, play func(*testing.T, *killer) string) {
	t.Run(fmt.Sprintf("%s/with its effect: %v", name, after), func(t *testing.T) {
		t.Parallel()
		for at := first; !t.Failed(); at += stride {
			var what string
			synctest.Test(t, func(t *testing.T) { what = play(t, &killer{at: at, after: after}) })
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
func lifetime(t *testing.T, name string, k *killer) string {
	r := makeRig(t, opencode.VersionNew, nil)
	r.wrap = k.around
	l := &life{rig: r, killer: k}
	if _, err := r.telegram.Say(ada, ada, "/start"); err != nil {
		t.Fatal(err)
	}
	r.start()
	l.pass(5 * time.Second)
	story := lives[name]
	dir := r.opencode.Directory()
	session := r.opencode.NewSession(dir, "fix checkout flow")
	if story.questions == nil {
		l.request, l.call = r.opencode.AskBash(dir, session, "rm -rf build")
	} else {
		l.request, l.call = r.opencode.Ask(dir, session, story.questions...)
	}
	l.rig.wait(5 * time.Second)
	story.live(l)
	l.pass(2 * time.Minute)
	what := k.killed()
	l.judge(story.answers, story.end)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.at, what, k.after)
	}
	r.bury(what)
	return what
}

// bury ends a life in which what was killed at, if anything was.
func (r *rig) bury(what string) {
	if r.wrap == nil || what == "" {
		r.halt()
		r.wrap = nil
	}
	r.close()
}

func (l *life) judge(answers [][]string, end string) {
	l.t.Helper()
	if answers != nil {
		l.got(l.call, answers...)
	} else {
		l.unanswered(l.call)
	}
	ends := 0
	for _, m := range l.telegram.Messages(ada) {
		if m.FromBot && (len(m.Rows) > 0 || strings.Contains(m.Text, "❓")) {
			l.t.Errorf("a message is left lying:\n%s", l.telegram.Transcript(ada))
		}
		if m.FromBot && strings.HasPrefix(m.Text, end) {
			ends++
		}
	}
	if ends == 0 || ends > 2 {
		l.t.Errorf("%d messages tell the end:\n%s", ends, l.telegram.Transcript(ada))
	}
	if err := l.daemon.store.Verify(); err != nil {
		l.t.Error("the journal:", err)
	}
	if n := len(l.journal(question.EntryAsked)); n != 1 {
		l.t.Errorf("asked %d times", n)
	}
}
