package daemon_test

import (
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
)

// Keep the double honest: a question over a link is shown, answered and received.
func TestAQuestionOverALink(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		p := r.PlugSimulator("a", r.Opencode, r.Opencode.Directory())
		defer p.Unplug()
		_, call := r.Ask(rig.Database())
		r.Screen("Which database should this feature use?")
		r.Tap("1. SQLite")
		r.Wait(rig.WaitFor)
		r.Got(call, []string{"SQLite"})
		r.Screen("✅", "Ada")
	})
}
