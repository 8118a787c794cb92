package daemon_test

import (
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
)

// Keep the double honest: a question over a link is shown, answered and received.
func TestLinks_QuestionOverALink(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		p := r.ConnectPluginTo("a", r.Opencode, r.Opencode.Directory())
		defer p.Disconnect()
		_, call := r.Ask(rig.DatabaseQuestion())
		r.WantScreen("Which database should this feature use?")
		r.Tap("1. SQLite")
		r.Wait(rig.WaitFor)
		r.WantAnswers(call, []string{"SQLite"})
		r.WantScreen("✅", "Ada")
	})
}
