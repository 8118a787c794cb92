//go:build !race

// Not under the race detector: so many events in one bubble crash it now and then (Go 1.26).

package daemon_test

import (
	"testing"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// Ten minutes in which a session says 200 kB, followed in a private chat and a group at
// once: no limit of Telegram is met (the stand-in is strict), half of what a chat may have
// is left to others, and what is asked meanwhile is shown as soon as ever.
func TestSessions_TenMinutesAreFollowed(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, in(config.Chat{ID: rig.Ada}, config.Chat{ID: rig.Team}), func(c rig.Talk) { c.TenMinutes(5) })
}
