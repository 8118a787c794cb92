package question

import (
	"testing"
	"time"
)

func TestThread_Stage(t *testing.T) {
	for _, c := range []struct {
		name   string
		thread Thread
		want   Stage
	}{
		{"no chat shows it", asked(), StageUnseen},
		{"every chat that should refuses", asked(card(0, refused(2*day)), card(1, refused(2*day))), StageUnseen},
		{"one chat shows it", shown(card(0, unshown)), StageShown},
		{"shown, and OpenCode cannot be reached", shown(away), StageShown},
		{"held", decided(heldTo(11 * minute)), StageHeld},
		{"decided", decided(), StageDeciding},
		{"sent, not proven", decided(sentAt(10 * minute)), StageDeciding},
		{"ended", settled(), StageEnded},
	} {
		if got := c.thread.Stage(); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// What is held is owed from the end of the hold on, and shown from the end of the notify delay on.
func TestThread_OwedAndDueSince(t *testing.T) {
	held := decided()
	held.Delivery.From = after(12 * minute)
	for _, c := range []struct {
		name      string
		got, want time.Time
	}{
		{"decided", decided().OwedSince(), after(10 * minute)},
		{"held before", held.OwedSince(), after(12 * minute)},
		{"due after the delay", asked().DueSince(), after(800 * ms)},
		{"due at once", asked(func(t *Thread) { t.ShowAt = time.Time{} }).DueSince(), noon},
	} {
		if !c.got.Equal(c.want) {
			t.Errorf("%s: %s, not %s", c.name, c.got, c.want)
		}
	}
}
