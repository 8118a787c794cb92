package rig

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// Kill ends the daemon now: nothing that it does from here on has an effect.
func (k *Killer) Kill() {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.what = "now"
}

// Copies are the messages of a chat that ask, or are a part of that, and that hermes does not know of: their sending had an unknown
// outcome, or was not noted before a kill.
func (r *Rig) Copies(in int64) []telegram.Message {
	r.T.Helper()
	return slices.DeleteFunc(r.Telegram.Messages(in), func(m telegram.Message) bool {
		asks := m.Document != nil || AskButton(m) != "" || slices.ContainsFunc([]string{"❓", "📋", "🔐"}, func(sign string) bool { return strings.HasPrefix(m.Text, sign) })
		if !m.FromBot || m.Deleted || !asks {
			return true
		}
		_, known, err := r.Daemon.Store.Find(storage.Key{Chat: chat.ID(in), Message: chat.MessageID(m.ID)})
		return known || err != nil
	})
}

// AskButton is the first button of a message that answers an ask; empty: none does.
func AskButton(m telegram.Message) string {
	for _, b := range slices.Concat(m.Rows...) {
		if strings.HasPrefix(b.Data, "1") { // the version, then the thread's id
			return b.Label
		}
	}
	return ""
}

// TapCopies taps each copy of an ask that has ended, and fails the test unless who taps is told so, and unless there are at most so many copies. From
// then on those with buttons are cards; the others, which are left, take no answer.
func (r *Rig) TapCopies(user, in int64, most int) (left []telegram.Message) {
	r.T.Helper()
	copies := r.Copies(in)
	if len(copies) > most {
		r.T.Errorf("%d messages in %d are copies, want %d at most:\n%s", len(copies), in, most, r.Telegram.History(in))
	}
	for _, m := range copies {
		label := AskButton(m)
		if label == "" {
			continue
		}
		callback, err := r.Telegram.Tap(user, in, m.ID, label)
		if err != nil {
			r.T.Error(err)
			continue
		}
		r.Wait(10 * time.Second)
		said := r.Alert(callback)
		same := said == "" && !slices.ContainsFunc(r.Telegram.Messages(in), func(now telegram.Message) bool { return now.ID == m.ID && len(now.Rows) > 0 }) // the tap that had decided, once more
		if !same && (said == "" || said == SaysUnknown || said == SaysStale) {
			r.T.Errorf("who tapped the copy %d in %d was told %q:\n%s", m.ID, in, said, r.Telegram.History(in))
		}
	}
	return r.Copies(in)
}

// Write is a text of Ada's, whether hermes is alive or not.
func (l *Life) Write(c Talk, text string) {
	l.T.Helper()
	if _, err := c.Telegram.Say(Ada, Ada, text); err != nil {
		l.T.Fatal(err)
	}
	l.Pass(3 * time.Second)
}
