package rig

import (
	"slices"
	"strings"
	"time"

	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// MessageWith is the newest message with such a button.
func (l *Life) MessageWith(label string) int {
	l.T.Helper()
	for range 3 {
		all := l.Telegram.Messages(Ada)
		for _, m := range slices.Backward(all) {
			if slices.ContainsFunc(m.Labels(), func(l string) bool { return strings.HasPrefix(l, label) }) {
				return m.ID
			}
		}
		l.Pass(5 * time.Second)
	}
	l.T.Fatalf("there is no button %q:\n%s", label, l.Telegram.Transcript(Ada))
	return 0
}

// PressWherever taps the newest button with the label.
func (l *Life) PressWherever(label string) {
	l.T.Helper()
	l.PressOn(l.MessageWith(label), label)
}

// WantLateAnswer fails the test unless the late answer was prompted once, and the card tells so.
func (l *Life) WantLateAnswer(c Talk, prompt string) {
	l.T.Helper()
	c.WantPrompts(prompt)
	for kind, want := range map[storage.EntryKind]int{storage.EntryPrompted: 1, storage.EntryCarried: 1} {
		if n := len(l.Journal(kind)); n != want {
			l.T.Errorf("%d entries %s, want %d", n, kind, want)
		}
	}
	ends := 0
	for _, m := range l.Telegram.Messages(Ada) {
		if m.FromBot && strings.Contains(m.Text, "sent as a prompt by Ada") && len(m.Rows) == 0 {
			ends++
		}
	}
	if ends != 1 {
		l.T.Errorf("%d cards tell the end:\n%s", ends, l.Telegram.Transcript(Ada))
	}
	if err := l.Daemon.Store.Verify(); err != nil {
		l.T.Error("the journal:", err)
	}
}

// ReplyToCard is a reply of Ada's to the first card, whether hermes is alive or not.
func (l *Life) ReplyToCard(text string) {
	l.T.Helper()
	for _, m := range l.Telegram.Messages(Ada) {
		if m.FromBot && strings.Contains(m.Text, "Database") {
			if _, err := l.Telegram.Say(Ada, Ada, text, telegram.ReplyTo(m.ID)); err != nil {
				l.T.Fatal(err)
			}
			break
		}
	}
	l.Pass(5 * time.Second)
}
