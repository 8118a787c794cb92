package daemon_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// drives are what people who drive sessions go through while hermes is killed. Each
// does everything once.
var drives = map[string]struct {
	live    func(*rig.Life, rig.Talk)
	prompts []string
	kinds   map[storage.EntryKind]int // that the journal has
}{
	"a prompt to the session in use": {func(l *rig.Life, c rig.Talk) {
		l.Write(c, "Now the tests, please.")
	}, []string{"Now the tests, please."}, map[storage.EntryKind]int{storage.EntryPrompted: 1, storage.EntryCarried: 1}},
	"a photo and an album": {func(l *rig.Life, c rig.Talk) {
		l.Send(telegram.WithFile(picture(l.T, 40)), "One photo.", 0)
		l.Pass(3 * time.Second)
		l.Send(telegram.WithFile(picture(l.T, 50)), "", 0, telegram.InAlbum("1"))
		l.Send(telegram.WithFile(picture(l.T, 60)), "An album.", 0, telegram.InAlbum("1"))
		l.Pass(3 * time.Second)
	}, []string{"One photo.", "An album."}, map[storage.EntryKind]int{storage.EntryPrompted: 2, storage.EntryCarried: 2}},
	"a voice message": {func(l *rig.Life, c rig.Talk) {
		l.Send(telegram.WithFile(spoken("Now the docs.")), "", 0)
		l.Pass(3 * time.Second)
	}, []string{"Now the docs."}, map[storage.EntryKind]int{storage.EntryPrompted: 1, storage.EntryHeard: 1, storage.EntryCarried: 1}},
	"two prompts": {func(l *rig.Life, c rig.Talk) {
		l.Write(c, "first")
		l.Write(c, "second")
	}, []string{"first", "second"}, map[storage.EntryKind]int{storage.EntryPrompted: 2, storage.EntryCarried: 2}},
	"noted": {func(l *rig.Life, c rig.Talk) {
		l.Write(c, "/noreply Mind the gap.")
	}, []string{"Mind the gap."}, map[storage.EntryKind]int{storage.EntryPrompted: 1, storage.EntryCarried: 1}},
}

// TestSessions_KilledWhileDriving kills hermes at each of its operations in turn, with and
// without the effect of that one, until a life ends before its turn comes.
func TestSessions_KilledWhileDriving(t *testing.T) {
	for name := range drives {
		everyKillOnEither(t, name, func(t *testing.T, version string, k *rig.Killer) string { return driveLife(t, name, version, k) })
	}
}

// driveLife plays one life and holds its end against the promise: every prompt in the
// session once and in its order, and its end told.
func driveLife(t *testing.T, name, version string, k *rig.Killer) string {
	c := rig.DrivingRig(t, version, dictates)
	c.UseSession()
	c.Halt()
	c.Voice = scribe(nil)
	l := &rig.Life{Rig: c.Rig, Killer: k}
	c.Wrap = k.Around
	c.Start()
	l.Pass(5 * time.Second)
	story := drives[name]
	story.live(l, c)
	l.Pass(3 * time.Minute)
	what := k.Killed()
	wantDriven(l, c, story.prompts, story.kinds)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.At, what, k.After, c.Log.String())
	}
	c.EndAfterKill(what)
	return what
}

// TestSessions_KilledWhileStopping kills hermes at each of its operations while it stops a
// session: the wish is carried out, or the button still is there to be tapped.
func TestSessions_KilledWhileStopping(t *testing.T) {
	everyKill(t, "stop", stopLife)
}

func stopLife(t *testing.T, k *rig.Killer) string {
	c := rig.DrivingRig(t, opencode.VersionNew, nil)
	c.UseSession()
	c.Opencode.Task(c.Dir, c.Session, "tester", "look at the tests")
	c.Say("/abort", 0)
	ask := c.Last().ID
	c.Halt()
	l := &rig.Life{Rig: c.Rig, Killer: k}
	c.Wrap = k.Around
	c.Start()
	l.Pass(5 * time.Second)
	l.PressOn(ask, "⏹ Stop")
	l.Pass(time.Minute)
	what := k.Killed()
	if c.Opencode.Busy(c.Session) || !strings.Contains(c.Telegram.Transcript(rig.Ada), "⏹ Stopped") && !strings.Contains(c.Telegram.Transcript(rig.Ada), "nothing to stop") {
		t.Errorf("killed at operation %d, %s, with its effect: %v:\n%s\nlog:\n%s", k.At, what, k.After, c.Telegram.Transcript(rig.Ada), c.Log.String())
	}
	if n := len(c.Journal(storage.EntryStopping)); n == 0 || n > 2 {
		t.Errorf("%d entries of the wish", n)
	}
	c.EndAfterKill(what)
	return what
}

// wantDriven fails the test unless the session got these prompts, and the journal has that many entries of each kind.
func wantDriven(l *rig.Life, c rig.Talk, prompts []string, kinds map[storage.EntryKind]int) {
	l.T.Helper()
	if got := c.Prompts(); !slices.Equal(got, prompts) {
		l.T.Errorf("the session was told %q, want %q\n%s", got, prompts, l.Telegram.History(rig.Ada))
	}
	for _, p := range c.Opencode.Prompts() {
		if want := map[string]int{"One photo.": 1, "An album.": 2}[p.Text]; len(p.Files) != want {
			l.T.Errorf("%q came with %d files, want %d", p.Text, len(p.Files), want)
		}
	}
	if kinds[storage.EntryHeard] > 0 && !strings.Contains(l.Telegram.Transcript(rig.Ada), "🎤 "+prompts[0]) {
		l.T.Errorf("it was not shown:\n%s", l.Telegram.Transcript(rig.Ada))
	}
	for kind, want := range kinds {
		if n := len(l.Journal(kind)); n != want {
			l.T.Errorf("%d entries %s, want %d", n, kind, want)
		}
	}
	last := prompts[len(prompts)-1]
	told := 0
	for _, m := range l.Telegram.Messages(rig.Ada) {
		if m.FromBot && strings.Contains(m.Text, "You said: "+last) {
			told++
		}
	}
	if begins := kinds[storage.EntryPrompted] > 0 && last != "Mind the gap."; begins && (told == 0 || told > 2) {
		l.T.Errorf("%d messages tell the end:\n%s", told, l.Telegram.Transcript(rig.Ada))
	}
	if err := l.Daemon.Store.Verify(); err != nil {
		l.T.Error("the journal:", err)
	}
}
