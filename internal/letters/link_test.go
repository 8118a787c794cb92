package letters_test

import (
	"strings"
	"testing"

	"hermes/internal/letters"
)

// A button says where it leads, and leads nowhere else.
func TestOpenable(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/login?next=%2F#x": "example.org",
		"http://Sub.Example.ORG/":              "sub.example.org",

		"https://example.org:8443/":         "", // the host alone would be seen
		"http://localhost:3000/cb":          "",
		"http://localhost/":                 "",
		"http://127.0.0.1/cb":               "",
		"http://2130706433/":                "",
		"http://0x7f.1/":                    "",
		"http://[::1]/cb":                   "",
		"https://xn--80ak6aa92e.com/":       "",
		"https://login.xn--80ak6aa92e.com/": "",
		"https://example..org/":             "",
		"https://.org/":                     "",
		"https://example.org./":             "",
		"tg://user?id=7":                    "",
		"tg://resolve?domain=x.org":         "",
		"javascript:alert(1)":               "",
		"https://example.org@evil.example":  "",
		"https://ex\u0430mple.org/":         "",
	} {
		host, ok := letters.Openable(address)
		if host != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", address, host, ok, want)
		}
	}
}

func TestLink(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/login?next=%2F#x": "example.org",
		"http://Example.ORG:8080":              "example.org:8080",
		"http://localhost:3000/cb":             "localhost:3000",
		"http://[::1]:3000/cb":                 "[::1]:3000",
		"https://xn--80ak6aa92e.com/":          "xn--80ak6aa92e.com",

		"":                                     "",
		"example.org":                          "",
		"//example.org/":                       "",
		"https:///login":                       "",
		"https:example.org":                    "",
		"ftp://example.org":                    "",
		"tg://user?id=7":                       "",
		"javascript:alert(1)":                  "",
		"data:text/html,x":                     "",
		"file:///etc/passwd":                   "",
		"https://example.org@evil.example":     "",
		"https://example.org:x@evil.example/":  "",
		`https://example.org\@evil.example/`:   "",
		"https://ex\u0430mple.org/":            "", // a Cyrillic letter
		"https://example.org/\u202egpj":        "",
		"https://example.org/ https://evil.ex": "",
		"https://example.org/a\nb":             "",
		"https://exa%6dple.org/":               "",
		"https://example_1.org/":               "",

		"https://example.org/" + strings.Repeat("a", 2000): "",
	} {
		host, ok := letters.Link(address)
		if host != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", address, host, ok, want)
		}
	}
}
