package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
	"hermes/pending"
)

// rulesForGuests leave questions to those who have a role, which Eve gets by invitation.
const rulesForGuests = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]
[[person]]
id    = 43
name  = "Bob"
roles = ["ops"]
[[rule]]
name  = "ops"
ask   = "question"
roles = "ops"
`

// evesPairing is Eve, let in by a link, and a group.
func evesPairing() storage.Pairings {
	return storage.Pairings{
		Guests: []storage.Guest{{User: rig.Eve, Name: "Eve", Roles: []string{"ops"}, Chat: rig.Eve}},
		Groups: []storage.GuestGroup{{Chat: -1001}},
	}
}

// Those whom hermes pair has let in count: they are read from the database where no
// hermes runs.
func TestRules_TryCountsThePaired(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_LISTEN", nobodyListens)
	rules, db := testenv.WriteFile(t, "rules.toml", rulesForGuests), filepath.Join(t.TempDir(), "hermes.db")
	t.Setenv("HERMES_DB", db)
	try := func() string {
		code, got := tryRules(askedOnce, rules, "--request", "-")
		if code != 0 {
			t.Errorf("exit %d: %s", code, got)
		}
		return got
	}
	if got := try(); !strings.HasSuffix(got, "=> asks people who are ops (Bob) in 42, 43\n") {
		t.Errorf("without a database:\n%s", got)
	}
	s, err := pending.Open(db, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(storage.Change{Paired: evesPairing()}); err != nil {
		t.Fatal(err)
	}
	if got := try(); !strings.Contains(got, "hermes pair has let in are not counted here") || !strings.Contains(got, "(Bob) in 42, 43\n") {
		t.Errorf("while another process has the database:\n%s", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := try(); !strings.HasSuffix(got, "=> asks people who are ops (Bob, Eve) in 42, 43, 66, -1001\n") {
		t.Errorf("with a database:\n%s", got)
	}
	if err := os.WriteFile(db, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := try(); !strings.Contains(got, "are not counted here, as they cannot be read") || !strings.Contains(got, "(Bob) in 42, 43\n") {
		t.Errorf("with a damaged database:\n%s", got)
	}
}
