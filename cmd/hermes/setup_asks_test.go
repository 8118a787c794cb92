package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
	"hermes/pending"
)

// What setup finds twice, finds changed by hand, or finds in the way, it asks
// about.
func TestSetup_Asks(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	severalFolders(d)
	busyPort(d)
	d.write("// mine\n", "work", "plugin", "hermes.js")
	d.write("# mine\n", ".config", "systemd", "user", "hermes.service")
	before := d.configured()
	s := d.screen("--user=42", "--no-test")
	s.await("Which one should get the plugin? [1]")
	s.enter("3")
	s.await("Please answer with a number from 1 to 2.")
	s.enter("1")
	s.await("another program listens on")
	s.await("instead? [Y/n]")
	s.enter("what")
	s.await("Please answer y or n.")
	s.enter("y")
	s.await("was changed by hand")
	s.await("Replace it? [Y/n]")
	s.enter("")
	s.await("at every login? [Y/n]")
	s.enter("y")
	s.await("is there, and differs")
	s.await("Replace it? [Y/n]")
	s.enter("")
	s.ended(0)
	if got := d.read("work", "plugin", "hermes.js.kept-1"); got != "// mine\n" {
		t.Errorf("the changed plugin is kept as %q", got)
	}
	if got := d.read(".config", "systemd", "user", "hermes.service.kept-1"); got != "# mine\n" {
		t.Errorf("the changed unit is kept as %q", got)
	}
	if got := d.configured(); strings.Contains(got, before) || !strings.Contains(got, "HERMES_LISTEN=127.0.0.1:") {
		t.Errorf("the free port is not in hermes.env: %q", got)
	}
}

// The people's names are strangers' text: on the terminal they cannot act. Chat
// texts are in the person's language.
func TestSetup_StrangeName(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	s := d.screen("--service=none", "--no-test")
	s.open(rig.Eve)
	s.await(`Eve\u202e\x1b[31m (66) may answer`)
	s.ended(0)
	if strings.ContainsAny(s.all(), "\u202e\x1b") {
		t.Errorf("the terminal got control characters: %q", s.all())
	}
	if got := d.telegram.Transcript(rig.Eve); !strings.Contains(got, "你好") {
		t.Errorf("the chat shows:\n%s", got)
	}
}

// The test question comes where the questions go, also in a group that the hermes that paired did not know yet.
func TestSetup_TestsTheGroup(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	d.telegram.AddChat(telegram.Chat{ID: rig.Team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada}})
	s := d.screen(fmt.Sprintf("--chat=%d", rig.Team), "--service=none")
	s.open(rig.Ada)
	s.await(fmt.Sprintf("A question is on its way to chat %d.", rig.Team))
	s.tapIn(rig.Team, rig.Ada, "1. Red")
	s.await("Ada answered: Red")
	s.ended(0)
}

// A setup that was killed between the pairing and hermes.env goes on with whom it paired.
func TestSetup_KilledAfterPairing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	if err := os.MkdirAll(d.path(".local", "state", "hermes"), 0o700); err != nil {
		t.Fatal(err)
	}
	store, err := pending.Open(d.path(".local", "state", "hermes", "hermes.db"), pending.Options{NoSync: true})
	if err == nil {
		err = errors.Join(store.Commit(storage.Change{Paired: storage.Pairings{Guests: []storage.Guest{{User: rig.Ada, Name: "Ada", Chat: rig.Ada}}}}), store.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	s := d.screen("--service=none", "--no-test")
	s.await("Ada (42) may answer; the questions go to chat 42")
	s.ended(0)
	if got := d.configured(); !strings.Contains(got, "HERMES_TELEGRAM_USERS=42\n") || strings.Contains(s.all(), "?start=") {
		t.Errorf("the screen shows\n%s\nand hermes.env is\n%s", s.all(), got)
	}
}
