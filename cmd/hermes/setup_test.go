package main

import (
	"os"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
)

// The whole wizard, on a machine where nothing is there yet.
func TestSetup(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	s := d.screen()
	s.await("Token:")
	s.enter("rubbish")
	s.await("This is not a bot token")
	s.await("Token:")
	s.enter("987654321:AAwrongWRONGwrongWRONGwrongWRONGwro")
	s.await("Telegram refuses this token")
	s.await("Token:")
	s.enter(rig.TestToken)
	s.open(rig.Ada)
	s.await("for you, now and at every login? [Y/n]")
	s.enter("")
	s.await("Waiting…")
	s.tap(rig.Ada, "2. Green")
	s.ended(0)
	s.golden("first")

	for file, mode := range map[string]os.FileMode{
		".config/hermes/hermes.env": 0o600, ".config/opencode/plugin/hermes.json": 0o600,
		".config/opencode/plugin/hermes.js": 0o644, ".config/systemd/user/hermes.service": 0o644,
	} {
		info, err := os.Stat(d.path(file))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: got %v, %v; want mode %v", file, info, err, mode)
		}
	}
	if got := d.read("systemctl.log"); !strings.HasSuffix(got, "--user daemon-reload\n--user enable --now hermes\n") {
		t.Errorf("systemctl was called with:\n%s", got)
	}
	if got := d.telegram.Transcript(rig.Ada); !strings.Contains(got, "Hello, Ada.") || !strings.Contains(got, "→ Green\n  Ada · ") {
		t.Errorf("the chat shows:\n%s", got)
	}
	if n := d.telegram.Pending(); n != 0 {
		t.Errorf("%d updates wait that were setup's own", n)
	}
	for _, v := range d.telegram.Violations() {
		if !strings.Contains(v, "Unauthorized") {
			t.Error("against Telegram's rules:", v)
		}
	}
	again(t, d)
}

// again runs setup on the machine that it has set up: nothing changes.
func again(t *testing.T, d *desk) {
	before := d.snapshot()
	s := d.screen("--no-test")
	s.await("Pair another person? [y/N]")
	s.enter("")
	s.await("[Y/n]")
	s.enter("")
	s.ended(0)
	s.golden("again")
	if after := d.snapshot(); after != before {
		t.Errorf("the second run changed something:\n%s\n%s", before, after)
	}
}
