package main

import (
	"context"
	"strings"
	"testing"

	"hermes/internal/apiclient"
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

// Those whom hermes pair has let in count, if hermes runs.
func TestRules_TryCountsThePaired(t *testing.T) {
	rules := testenv.WriteFile(t, "rules.toml", rulesForGuests)
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Config.HookToken = rig.HookKey
		r.Halt()
		try := func(way rig.RoundTripper) string {
			var out strings.Builder
			cmd := rulesTestCommand()
			cmd.SetIn(strings.NewReader(askedOnce))
			cmd.SetOut(&out)
			cmd.SetErr(&out)
			cmd.SetContext(context.Background())
			if err := (rulesTrial{hermes: apiclient.New(r.Config, way), file: rules, request: "-"}).run(cmd); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		if got := try(nobody); !strings.Contains(got, "hermes pair has let in are not counted here") || !strings.Contains(got, "(Bob) in 42, 43\n") {
			t.Errorf("without a hermes:\n%s", got)
		}
		s, err := pending.Open(r.Config.DB, pending.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(storage.Change{Paired: evesPairing()}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		r.Start()
		if got := try(r.RoundTrip); !strings.HasSuffix(got, "=> asks people who are ops (Bob, Eve) in 42, 43, 66, -1001\n") {
			t.Errorf("with one:\n%s", got)
		}
	})
}
