package main

import (
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
)

// A doctor in a terminal, who asks for a tap and gets it.
func TestDoctor_InATerminal(t *testing.T) {
	d := newDesk(t)
	d.runs = "doctor"
	if _, err := d.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	d.write("HERMES_TELEGRAM_TOKEN="+rig.TestToken+"\nHERMES_TELEGRAM_USERS=42\n", ".config", "hermes", "hermes.env")
	s := d.screen("--round-trip", "--wait", "50s")
	s.tap(rig.Ada, "Yes")
	for _, line := range []string{"✓  configuration", "✓  token", "✗  hermes", "✗  plugin", "✓  round trip"} {
		s.await(line)
	}
	s.await("checks failed") // no hermes runs, and no plugin is installed
	s.ended(exitFailure)
	if strings.Contains(s.all(), "\x1b[3") {
		t.Error("there are colours although NO_COLOR is set")
	}
	if last := d.telegram.Transcript(rig.Ada); !strings.Contains(last, "does this reach you?") || strings.Contains(last, "[Yes]") {
		t.Errorf("the chat ends with:\n%s", last)
	}
}
