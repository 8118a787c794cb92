package policy_test

import (
	"fmt"
	"testing"

	"hermes/internal/policy"
	"hermes/internal/question"
)

func fetch(address string) policy.Ask {
	p := question.Permission{Kind: "webfetch", Patterns: []string{address}}
	return policy.Ask{Request: question.Request{Session: "ses_1", Permission: &p}, Directory: "/home/ada/src"}
}

func fetching(t *testing.T, glob, decide string) *policy.Ruleset {
	t.Helper()
	return parse(t, team+fmt.Sprintf("[[rule]]\nname = \"a\"\npermission = \"webfetch\"\npattern = %q\n%s\n", glob, decide))
}

// A rule fits however the address is spelled, and where nobody can tell what it means.
func TestAddress_Spellings(t *testing.T) {
	const evil = "https://evil.example/*"
	for _, c := range []struct {
		glob, address string
		want          bool
	}{
		{evil, "https://evil.example/x", true},
		{evil, "http://evil.example/x", true},
		{evil, "https://EVIL.example./x", true},
		{evil, "https://evil.example:443/x", true},
		{evil, "https://evil.example:8443/x", true},
		{evil, "https://ada:x@evil.example/x", true},
		{evil, "https://good.example@evil.example/x", true},
		{evil, `https:\\evil.example\x`, true},
		{evil, "https:evil.example/x", true},
		{evil, "https://evil\u3002example/x", true},
		{evil, "https://xn--vil-8oa.example/x", true},
		{evil, "https://e\tvil.example/x", true},
		{evil, "https://good.example/x", false},
		{evil, "https://good.example/?evil.example", false},
		{"http://127.0.0.1*", "http://0x7f.1/x", true},
		{"http://127.0.0.1*", "http://[::ffff:127.0.0.1]/x", true},
		{"https://good.example/admin*", "https://good.example/%61dmin/x", true},
		{"https://good.example/admin*", "https://good.example/x/../admin", true},
		{"https://good.example/admin*", "https://good.example//admin", true},
		{"https://good.example/admin*", "https://good.example/docs", false},
		{"*evil*", "https://good.example/evil", true},
	} {
		ask := fetch(c.address)
		for _, decide := range []string{`decide = "reject"`, `roles = "lead"`} {
			if got := fetching(t, c.glob, decide).Rule(ask).Name == "a"; got != c.want {
				t.Errorf("%s, %s and %q: fits is %v, want %v", decide, c.glob, c.address, got, c.want)
			}
		}
	}
}
