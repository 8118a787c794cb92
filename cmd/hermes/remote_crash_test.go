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

// drives are what people who drive sessions go through while hermes is killed. Each
// does everything once.
var drives = map[string]struct {
	live    func(*life, talk)
	prompts []string
	kinds   map[question.EntryKind]int // that the journal has
}{
	"a prompt to the session in use": {func(l *life, c talk) {
		l.write(c, "Now the tests, please.")
	}, []string{"Now the tests, please."}, map[question.EntryKind]int{question.EntryPrompted: 1, question.EntryCarried: 1}},
	"a photo and an album": {func(l *life, c talk) {
		l.send(telegram.WithFile(picture(l.t, 40)), "One photo.", 0)
		l.pass(3 * time.Second)
		l.send(telegram.WithFile(picture(l.t, 50)), "", 0, telegram.InAlbum("1"))
		l.send(telegram.WithFile(picture(l.t, 60)), "An album.", 0, telegram.InAlbum("1"))
		l.pass(3 * time.Second)
	}, []string{"One photo.", "An album."}, map[question.EntryKind]int{question.EntryPrompted: 2, question.EntryCarried: 2}},
	"a voice message": {func(l *life, c talk) {
		l.send(telegram.WithFile(spoken("Now the docs.")), "", 0)
		l.pass(3 * time.Second)
	}, []string{"Now the docs."}, map[question.EntryKind]int{question.EntryPrompted: 1, question.EntryHeard: 1, question.EntryCarried: 1}},
	"two prompts": {func(l *life, c talk) {
		l.write(c, "first")
		l.write(c, "second")
	}, []string{"first", "second"}, map[question.EntryKind]int{question.EntryPrompted: 2, question.EntryCarried: 2}},
	"noted": {func(l *life, c talk) {
		l.write(c, "/noreply Mind the gap.")
	}, []string{"Mind the gap."}, map[question.EntryKind]int{question.EntryPrompted: 1, question.EntryCarried: 1}},
}

// write is a text of Ada's, whether hermes is alive or not.
func (l *life) write(c talk, text string) {
	l.t.Helper()
	if _, err := c.telegram.Say(ada, ada, text); err != nil {
		l.t.Fatal(err)
	}
	l.pass(3 * time.Second)
}

// TestKilledWhileDriving kills hermes at each of its operations in turn, with and
// without the effect of that one, until a life ends before its turn comes.
func TestKilledWhileDriving(t *testing.T) {
	for name := range drives {
		everyKillOnEither(t, name, func(t *testing.T, version string, k *killer) string { return driveLife(t, name, version, k) })
	}
}

// driveLife plays one life and holds its end against the promise: every prompt in the
// session once and in its order, and its end told.
func driveLife(t *testing.T, name, version string, k *killer) string {
	c := drivingRig(t, version, dictates)
	c.useSession()
	c.halt()
	c.voice = scribe(nil)
	l := &life{rig: c.rig, killer: k}
	c.wrap = k.around
	c.start()
	l.pass(5 * time.Second)
	story := drives[name]
	story.live(l, c)
	l.pass(3 * time.Minute)
	what := k.killed()
	l.judgeDrive(c, story.prompts, story.kinds)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.at, what, k.after, c.log.String())
	}
	c.bury(what)
	return what
}

func (l *life) judgeDrive(c talk, prompts []string, kinds map[question.EntryKind]int) {
	l.t.Helper()
	if got := c.prompts(); !slices.Equal(got, prompts) {
		l.t.Errorf("the session was told %q, want %q\n%s", got, prompts, l.telegram.History(ada))
	}
	for _, p := range c.opencode.Prompts() {
		if want := map[string]int{"One photo.": 1, "An album.": 2}[p.Text]; len(p.Files) != want {
			l.t.Errorf("%q came with %d files, want %d", p.Text, len(p.Files), want)
		}
	}
	if kinds[question.EntryHeard] > 0 && !strings.Contains(l.telegram.Transcript(ada), "🎤 "+prompts[0]) {
		l.t.Errorf("it was not shown:\n%s", l.telegram.Transcript(ada))
	}
	for kind, want := range kinds {
		if n := len(l.journal(kind)); n != want {
			l.t.Errorf("%d entries %s, want %d", n, kind, want)
		}
	}
	last := prompts[len(prompts)-1]
	told := 0
	for _, m := range l.telegram.Messages(ada) {
		if m.FromBot && strings.Contains(m.Text, "You said: "+last) {
			told++
		}
	}
	if begins := kinds[question.EntryPrompted] > 0 && last != "Mind the gap."; begins && (told == 0 || told > 2) {
		l.t.Errorf("%d messages tell the end:\n%s", told, l.telegram.Transcript(ada))
	}
	if err := l.daemon.store.Verify(); err != nil {
		l.t.Error("the journal:", err)
	}
}

// TestKilledWhileStopping kills hermes at each of its operations while it stops a
// session: the wish is carried out, or the button still is there to be tapped.
func TestKilledWhileStopping(t *testing.T) {
	everyKill(t, "stop", stopLife)
}

func stopLife(t *testing.T, k *killer) string {
	c := drivingRig(t, opencode.VersionNew, nil)
	c.useSession()
	c.opencode.Task(c.dir, c.session, "tester", "look at the tests")
	c.say("/abort", 0)
	ask := c.last().ID
	c.halt()
	l := &life{rig: c.rig, killer: k}
	c.wrap = k.around
	c.start()
	l.pass(5 * time.Second)
	l.pressOn(ask, "⏹ Stop")
	l.pass(time.Minute)
	what := k.killed()
	if c.opencode.Busy(c.session) || !strings.Contains(c.telegram.Transcript(ada), "⏹ Stopped") && !strings.Contains(c.telegram.Transcript(ada), "does not work now") {
		t.Errorf("killed at operation %d, %s, with its effect: %v:\n%s\nlog:\n%s", k.at, what, k.after, c.telegram.Transcript(ada), c.log.String())
	}
	if n := len(c.journal(question.EntryStopping)); n == 0 || n > 2 {
		t.Errorf("%d entries of the wish", n)
	}
	c.bury(what)
	return what
}
