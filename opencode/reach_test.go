package opencode

import (
	"testing"
	"time"

	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
)

// A server can be asked for any directory while it answers; what waits there is then
// listed, and nothing before.
func TestReach(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(shop, "", colour)
		w := watchServer(t, s)
		at := w.Servers()
		if len(at) != 1 || at[0] != directOrigin("") {
			t.Fatalf("the servers are %+v", at)
		}
		w.told()
		if _, ok := w.Reach(session.Origin{Way: session.Link, Process: serverURL, Directory: "/srv/new"}); ok {
			t.Error("a link was reached through a server")
		}
		c, ok := w.Reach(directOrigin("/srv/new"))
		if !ok || c.Endpoint.Directory != "/srv/new" {
			t.Fatalf("reached %v, %v", c, ok)
		}
		wait(time.Minute)
		if _, ok := w.Agent(directOrigin("/srv/new")); !ok {
			t.Error("what was reached is not looked after")
		}
		s.Stop()
		wait(time.Minute)
		if _, ok := w.Reach(directOrigin("/srv/new")); ok || len(w.Servers()) != 0 {
			t.Error("a server that does not answer was reached")
		}
		if len(w.Origins()) != 0 {
			t.Errorf("left: %+v", w.Origins())
		}
	})
}
