package policy_test

import (
	"fmt"
	"net/url"
	"strings"
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

// In an address that a rule allows, * stays in the part that it stands in.
func TestAddress_Allowed(t *testing.T) {
	const sub, one = "https://*.example.org/*", "https://api.example.net*"
	for _, c := range []struct {
		glob, address string
		want          bool
	}{
		{sub, "https://www.example.org/", true},
		{sub, "https://a.b.example.org/x/y?z=1#top", true},
		{sub, "https://www.example.org", true},
		{sub, "HTTPS://WWW.Example.ORG/x", true},
		{sub, "https://www.example.org./x", true},
		{sub, "https://www.example.org:443/x", true},
		{sub, "https://www.example.org:8443/x", false},
		{sub, "https://www.example.org:0443/x", false},
		{sub, "https://example.org/x", false},
		{sub, "http://www.example.org/x", false},
		{sub, "https://evil.com/.example.org/x", false},
		{sub, "https://evil.com?.example.org/x", false},
		{sub, "https://evil.com#.example.org/x", false},
		{sub, `https://evil.com\.example.org/x`, false},
		{sub, `https://evil.com\@www.example.org/x`, false},
		{sub, "https://evil.com:x@www.example.org/x", false},
		{sub, "https://www.example.org@evil.com/x", false},
		{sub, "https://www.example.org:443@evil.com/x", false},
		{sub, "https://evil.com%2f.example.org/x", false},
		{sub, "https://evil.com%00.example.org/x", false},
		{sub, "https://evil.com\t.example.org/x", false},
		{sub, "https://evil.com\n.example.org/x", false},
		{sub, " https://www.example.org/x", false},
		{sub, "https:/www.example.org/x", false},
		{sub, "https:www.example.org/x", false},
		{sub, "https:///www.example.org/x", false},
		{sub, "//www.example.org/x", false},
		{sub, "https://evil.com\u3002x.example.org/x", false}, // an ideographic full stop is a dot (UTS 46)
		{sub, "https://evil.com\uff0f.example.org/x", false},
		{sub, "https://ww\u017f.example.org/x", false},
		{sub, "https://\u212a.example.org/x", false}, // its lower case is k
		{sub, "https://xn--bcher-kva.example.org/x", false},
		{sub, "https://www..example.org/x", false},
		{sub, "https://.example.org/x", false},
		{sub, "https://www.example.org.evil.com/x", false},
		{sub, "https://www.example.org/\xff", false},
		{one, "https://api.example.net", true},
		{one, "https://api.example.net/v1/x", true},
		{one, "https://api.example.net?x", true},
		{one, "https://api.example.net@evil.com/", false},
		{one, "https://api.example.net.evil.com/", false},
		{one, "https://api.example.network/", false},
		{one, "https://api.example.net:8080/", false},
		{"https://api.example.net*/v1", "https://api.example.network/v1", false},
		{"https://api.example.net:8443/*", "https://api.example.net:8443/x", true},
		{"https://api.example.net:8443/*", "https://api.example.net/x", false},
		{"https://api.example.net:443/*", "https://api.example.net/x", true},
		{"http://localhost:*", "http://localhost:3000/x", true},
		{"http://localhost:*", "http://localhost:1@evil.com/", false},
		{"https://api-*.example.net/*", "https://api-eu.example.net/x", true},
		{"https://api-*.example.net/*", "https://api-eu.evil.example.net/x", false},
		{"https://api.*.example.net/*", "https://api.x.example.net/x", true},
		{"https://api.*.example.net/*", "https://api.x.y.example.net/x", false},
		{"https://192.168.1.*/x", "https://192.168.1.com/x", false},
		{"https://192.168.1.7/*", "https://192.168.1.7/x", true},
		{"https://*/x", "https://0x7f.1/x", false},
		{"https://*/x", "https://2130706433/x", false},
		{"https://[::1]/*", "https://[::1]/x", true},
		{"https://[::1]/*", "https://[0:0::1]/x", false},
		{"https://example.org/docs/*", "https://example.org/docs/a/b", true},
		{"https://example.org/docs/*", "https://example.org/docs/../admin", false},
		{"https://example.org/docs/*", "https://example.org/docs/%2e%2E/admin", false},
		{"https://example.org/docs/*", "https://example.org/docs/.%2e/admin", false},
		{"https://example.org/docs/*", `https://example.org/docs/..\admin`, false},
		{"https://example.org/docs/*", "https://example.org/Docs/a", false},
		{"https://example.org/docs", "https://example.org/docs", true},
		{"https://example.org/docs", "https://example.org/docs/a", false},
		{"https://example.org", "https://example.org/", true},
		{"HTTPS://Example.org./*", "https://example.org/x", true},
		{"http*://example.org/*", "https://example.org/x", true},
		{"*://example.org/*", "ftp://example.org/x", true},
		{"*://example.org/*", "https://evil.com/?://example.org/x", false},
		{"https://*", "https://anything.example/x", true},
		{"https://*", "https://ada:x@anything.example/x", false},
		{"https://*", "http://anything.example/x", false},
		{"*.example.org/*", "https://www.example.org/x", false}, // no scheme: it says no host
		{"*example.org*", "https://evil.com/?example.org", false},
	} {
		ask := fetch(c.address)
		got := decided(fetching(t, c.glob, `decide = "allow-once"`).Rule(ask), ask)
		if want := map[bool]string{true: "once", false: "people"}[c.want]; got != want {
			t.Errorf("%s and %q: got %s, want %s", c.glob, c.address, got, want)
		}
	}
}

// A rule that restricts fits however the address is spelled, and where nobody can tell
// what it means.
func TestAddress_Restricted(t *testing.T) {
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

// Whatever is asked for, an address that a rule allows is one of the rule's host, as Go's
// own parser reads it.
func FuzzAllowedAddress(f *testing.F) {
	globs := []string{"https://*.example.org/*", "https://api.example.org*", "https://*.example.org:*", "https://a*b.example.org/x/*", "http*://*example.org/"}
	for n := range globs {
		for _, seed := range []string{
			"https://www.example.org/x", "https://evil.com/.example.org/x", "https://api.example.org@evil.com/", "https://api.example.org:443/x",
			`https://evil.com\.example.org/x`, "https://a.b.example.org:1/%2e%2e/?#", "https://[::1]/.example.org/",
		} {
			f.Add(n, seed)
		}
	}
	var books []*policy.Ruleset
	f.Fuzz(func(t *testing.T, n int, text string) {
		for len(books) < len(globs) {
			books = append(books, fetching(t, globs[len(books)], `decide = "allow-once"`))
		}
		n = max(n, -(n+1)) % len(globs)
		ask := fetch(text)
		if decided(books[n].Rule(ask), ask) != "once" {
			return
		}
		u, err := url.Parse(text)
		if err != nil || u.User != nil || u.Opaque != "" || u.Scheme != "https" && !(n == 4 && u.Scheme == "http") {
			t.Fatalf("%s allows %q: %+v, %v", globs[n], text, u, err)
		}
		host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		if host != "example.org" && !strings.HasSuffix(host, "example.org") || n < 4 && !strings.HasSuffix(host, ".example.org") {
			t.Fatalf("%s allows %q, whose host is %q", globs[n], text, host)
		}
	})
}
