package session_test

import (
	"strings"
	"testing"

	"hermes/internal/session"
)

// Two links of one name, the one after the other, are two; and neither is one from before links had ids, which has its name as its id.
func TestLinkID_IsNoOtherLinks(t *testing.T) {
	a, b := session.NewLinkID("laptop-7"), session.NewLinkID("laptop-7")
	if a == b || a == "laptop-7" || !strings.HasPrefix(a, "laptop-7@") {
		t.Errorf("two links of one name are %q and %q", a, b)
	}
	for id, want := range map[string]string{a: "laptop-7", "laptop-7": "laptop-7", "": ""} {
		if got := session.FirstName(id); got != want {
			t.Errorf("%q was named %q, want %q", id, got, want)
		}
	}
}
