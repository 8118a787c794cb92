package opencode

import (
	"slices"
	"testing"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/release"
)

func namesOf(list []protocol) (names []session.Protocol) {
	for _, p := range list {
		names = append(names, p.Name())
	}
	return names
}

func TestProtocols_OfAVersion(t *testing.T) {
	old, both := []session.Protocol{session.V1}, []session.Protocol{session.V1, session.Preview}
	second := []session.Protocol{session.V2}
	for version, want := range map[string][]session.Protocol{
		release.Oldest: old, "1.15.13": old, "1.16.0": both, release.Newest: both, "0.0.0-dev-202609212252": both, "": old, "local": old,
		"2.0.0-v2.44b6938b2": second, "2.0.17": second, "2.1.0": second,
	} {
		if got := namesOf(protocolsOf(version)); !slices.Equal(got, want) {
			t.Errorf("%q speaks %q, want %q", version, got, want)
		}
	}
}

// Every protocol that an ask can have is spoken.
func TestProtocols_AreAll(t *testing.T) {
	if got, want := namesOf(protocols()), session.Protocols(); !slices.Equal(got, want) {
		t.Errorf("%q are spoken, of %q", got, want)
	}
}

// An ask goes back by the protocol that it came by. One that was only seen as a call
// names the ordinary one.
func TestProtocols_OfAnAsk(t *testing.T) {
	for _, name := range namesOf(protocols()) {
		if got := protocolOf(question.Request{Protocol: name}).Name(); got != name {
			t.Errorf("an ask of %q is answered by %q", name, got)
		}
	}
	if got := protocolOf(question.Request{}).Name(); got != session.V1 {
		t.Errorf("an ask that names none is answered by %q", got)
	}
}
