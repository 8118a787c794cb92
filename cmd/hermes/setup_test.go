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
	s.tap(rig.Ada, "Green")
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

// Setup stopped at each step keeps what is done, and the next run goes on.
func TestSetup_Stopped(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	stop := func(at string, before ...string) {
		t.Helper()
		s := d.screen()
		for _, text := range before {
			s.await(text)
			s.enter("")
		}
		s.await(at)
		s.press("\x03")
		s.await("hermes: setup was stopped")
		s.ended(1)
	}
	stop("Token:")
	s := d.screen()
	s.await("Token:")
	s.press("\x04") // the end of the input is a stop too
	s.await("hermes: setup was stopped")
	s.ended(1)
	if got := d.read(".config", "hermes", "hermes.env"); got != "" {
		t.Errorf("something was written: %q", got)
	}

	s = d.screen()
	s.await("Token:")
	s.enter(rig.TestToken)
	s.await("Looking whether another program")
	s.press("\x03")
	if text := s.await("hermes: setup was stopped"); strings.Contains(text, "!") {
		t.Errorf("the stop is told as something else: %s", text)
	}
	s.ended(1)

	s = d.screen()
	s.await("Token:")
	s.enter(rig.TestToken)
	s.await("Waiting…")
	s.press("\x03")
	s.ended(1)
	stop("Waiting…") // the token is known, and not asked for

	s = d.screen()
	s.open(rig.Ada)
	s.await("at every login? [Y/n]")
	s.press("\x04")
	s.ended(1)

	stop("7/8  Test\n     A question is on its way", "another person? [y/N]", "[Y/n]")
	if got := d.telegram.Transcript(rig.Ada); !strings.Contains(got, "No longer waiting.") {
		t.Errorf("the question that nobody waits for does not say so:\n%s", got)
	}
	if log := d.read("systemctl.log"); strings.Contains(log, "enable") {
		t.Errorf("the service was started before the end: %s", log)
	}
	for line := range strings.Lines(d.snapshot()) {
		if strings.Contains(line, ".hermes-") || strings.Contains(line, ".tmp") {
			t.Errorf("something half-written is left: %s", line)
		}
	}
}

// What others wrote to the bot waits for hermes serve, and a link that was opened
// with another code pairs nobody.
func TestSetup_LeavesOthersUpdates(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if _, err := d.telegram.Say(rig.Eve, rig.Eve, "/start "+strings.Repeat("A", 32)); err != nil {
		t.Fatal(err)
	}
	s := d.screen("--service=none", "--no-test")
	s.await("Token:")
	s.enter(rig.TestToken)
	s.open(rig.Ada)
	s.ended(0)
	if got := d.read(".config", "hermes", "hermes.env"); !strings.Contains(got, "HERMES_TELEGRAM_USERS=42\n") {
		t.Errorf("got %q", got)
	}
	if n := d.telegram.Pending(); n < 2 {
		t.Errorf("%d updates wait; Eve's and what came after it must", n)
	}
}
