package daemon_test

import (
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// A session that was deleted meanwhile: whatever is wanted of it, the chat says so.
func TestSessions_SessionThatIsGone(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		synctest.Test(t, func(t *testing.T) {
			c := rig.DrivingRig(t, version, nil)
			defer c.End()
			c.UseSession()
			use := c.Last().ID
			c.Say("/sessions", 0)
			list := c.Last()
			c.Opencode.Delete(c.Session)
			c.Say("still there?", use)
			c.Wait(time.Minute)
			c.WantScreen("Not sent: the session was deleted")
			for _, command := range []string{"/last", "/diff", "/todo", "/abort", "/model scripted/second"} {
				c.Say(command, 0)
				c.WantScreen("There is no such session")
			}
			if _, err := c.Telegram.Tap(rig.Ada, rig.Ada, list.ID, "1."); err != nil {
				t.Fatal(err)
			}
			c.Wait(3 * time.Second)
			c.WantScreen("There is no such session")
			c.Say("and now?", 0)
			c.Wait(time.Minute)
			c.WantPrompts()
		})
	}
}
