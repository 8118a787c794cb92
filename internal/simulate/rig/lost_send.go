package rig

import (
	"slices"
	"strings"

	telegram "hermes/internal/simulate/telegramsim"
)

// Kill ends the daemon now: nothing that it does from here on has an effect.
func (k *Killer) Kill() {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.what = "now"
}

// WantOpen: each ask has one message with buttons.
func (l *Life) WantOpen() {
	l.T.Helper()
	seen := map[string]int{}
	for _, m := range l.Telegram.Messages(Ada) {
		if len(m.Rows) > 0 {
			seen[m.Rows[0][0].Data[:13]]++ // the version and the thread's id
		}
	}
	for _, n := range seen {
		if n != 1 {
			l.T.Errorf("an ask has buttons %d times:\n%s", n, l.Telegram.Transcript(Ada))
		}
	}
	if len(seen) == 0 {
		l.T.Errorf("nothing is asked:\n%s", l.Telegram.Transcript(Ada))
	}
}

// WantStoryEnd: no message has buttons that answer, and every one that begins as an ask
// says how it ended, or where the rest is.
func (l *Life) WantStoryEnd() {
	l.T.Helper()
	for _, m := range l.Telegram.Messages(Ada) {
		late := slices.ContainsFunc(m.Rows, func(row []telegram.Button) bool {
			return slices.ContainsFunc(row, func(b telegram.Button) bool { return strings.HasPrefix(b.Data, "1") })
		})
		if m.FromBot && (late || strings.HasPrefix(m.Text, "❓") || strings.HasPrefix(m.Text, "🔐")) {
			l.T.Errorf("message %d is left lying:\n%s", m.ID, l.Telegram.Transcript(Ada))
		}
	}
	files := 0
	for _, m := range l.Telegram.Messages(Ada) {
		if m.Document != nil && !strings.HasPrefix(m.Text, "↪") {
			files++
		}
	}
	if files > 1 {
		l.T.Errorf("%d files stand for one:\n%s", files, l.Telegram.Transcript(Ada))
	}
}
