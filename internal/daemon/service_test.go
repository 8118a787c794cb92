package daemon_test

import (
	"testing"
	"time"

	"hermes/internal/simulate/rig"
)

// An OpenCode 2 asks through its service, and gets the answer of a tap.
func TestService_TapReachesTheAgent(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
		_, call := s.Ask(rig.DatabaseQuestion())
		s.WantScreen("Which database should this feature use?", "shop-api")
		s.Tap("2.")
		s.Wait(2 * time.Second)
		s.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		s.WantScreen("PostgreSQL (Recommended)", "Ada")
	})
}
