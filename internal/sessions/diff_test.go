package sessions_test

import (
	"testing"
	"testing/synctest"

	"hermes/internal/inbound"
	"hermes/internal/patch"
	"hermes/internal/remote"
)

// A button shows its file as it is changed by then, in a reply: the list stays, and can be tapped again.
func TestDiff_OneFile(t *testing.T) {
	const a, b = "--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n", "--- b\n+++ b\n@@ -1 +1 @@\n-3\n+4\n"
	in(t, func(w *world) {
		w.set(func() { w.diff = a + b })
		w.say(1, "/diff")
		tap := inbound.Button{Kind: inbound.ButtonDiff, Session: testSession, Tag: (patch.File{Name: "b"}).Tag()}
		w.send(tapped(2, 1001, tap))
		w.send(tapped(3, 1001, tap))
		w.set(func() { w.diff = a })
		w.send(tapped(4, 1001, tap))
		synctest.Wait()
		w.wantTold(remote.TellDiff, remote.TellChanges, remote.TellChanges, remote.TellChanges)
		for i, want := range []string{a + b, b, b, ""} {
			if m := w.told[i]; m.Text != want || m.Edit != 0 || m.ReplyTo == 0 || m.Session.ID != testSession {
				t.Errorf("message %d is %+v", i, m)
			}
		}
		if len(w.inbox()) > 0 {
			t.Errorf("the inbox has %v", w.inbox())
		}
	})
}
