package rig

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/storage"
)

// Write is a text of Ada's, whether hermes is alive or not.
func (l *Life) Write(c Talk, text string) {
	l.T.Helper()
	if _, err := c.Telegram.Say(Ada, Ada, text); err != nil {
		l.T.Fatal(err)
	}
	l.Pass(3 * time.Second)
}

// WantDriven fails the test unless the session got these prompts, and the journal has that many entries of each kind.
func (l *Life) WantDriven(c Talk, prompts []string, kinds map[storage.EntryKind]int) {
	l.T.Helper()
	if got := c.Prompts(); !slices.Equal(got, prompts) {
		l.T.Errorf("the session was told %q, want %q\n%s", got, prompts, l.Telegram.History(Ada))
	}
	for _, p := range c.Opencode.Prompts() {
		if want := map[string]int{"One photo.": 1, "An album.": 2}[p.Text]; len(p.Files) != want {
			l.T.Errorf("%q came with %d files, want %d", p.Text, len(p.Files), want)
		}
	}
	if kinds[storage.EntryHeard] > 0 && !strings.Contains(l.Telegram.Transcript(Ada), "🎤 "+prompts[0]) {
		l.T.Errorf("it was not shown:\n%s", l.Telegram.Transcript(Ada))
	}
	for kind, want := range kinds {
		if n := len(l.Journal(kind)); n != want {
			l.T.Errorf("%d entries %s, want %d", n, kind, want)
		}
	}
	last := prompts[len(prompts)-1]
	told := 0
	for _, m := range l.Telegram.Messages(Ada) {
		if m.FromBot && strings.Contains(m.Text, "You said: "+last) {
			told++
		}
	}
	if begins := kinds[storage.EntryPrompted] > 0 && last != "Mind the gap."; begins && (told == 0 || told > 2) {
		l.T.Errorf("%d messages tell the end:\n%s", told, l.Telegram.Transcript(Ada))
	}
	if err := l.Daemon.Store.Verify(); err != nil {
		l.T.Error("the journal:", err)
	}
}
