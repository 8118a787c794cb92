package config_test

import (
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// HERMES_PUBLIC_URL names this hermes first, and then those that share its store.
func TestReach_WhereTheHermesThatActsMayBe(t *testing.T) {
	const own = "http://127.0.0.1:4097"
	for _, c := range []struct{ set, public, addresses string }{
		{"", "", own},
		{"https://a.example/", "https://a.example", own},
		{"https://a.example, https://b.example/", "https://a.example https://b.example", own + " https://a.example https://b.example"},
		{own + ",https://b.example", own + " https://b.example", own + " https://b.example"},
		{"https://a.example,https://a.example/", "https://a.example", own},
	} {
		testenv.Isolate(t)
		got, err := rig.LoadFile(t, "HERMES_TELEGRAM_TOKEN="+testenv.GoodToken+"\nHERMES_TELEGRAM_USERS=7\nHERMES_PUBLIC_URL="+c.set+"\n")
		if err != nil {
			t.Fatal(err)
		}
		if public := strings.Join(got.PublicURLs(), " "); public != c.public {
			t.Errorf("%q: other machines are told %q, want %q", c.set, public, c.public)
		}
		if addresses := strings.Join(got.Addresses(), " "); addresses != c.addresses {
			t.Errorf("%q: commands look at %q, want %q", c.set, addresses, c.addresses)
		}
	}
}
