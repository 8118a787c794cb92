package question

import (
	"testing"

	"hermes/internal/session"
)

func TestWhoMayHaveASession(t *testing.T) {
	link := func(process, directory, token string) session.Origin {
		return session.Origin{Way: session.Link, Process: process, Directory: directory, Token: token}
	}
	server := session.Origin{Way: session.Direct, Process: "http://a", Directory: "/d"}
	for _, c := range []struct {
		o, home session.Origin
		want    bool
	}{
		{link("a", "/d", "x"), link("a", "/d", "x"), true},
		{link("a", "/e", "x"), link("a", "/d", "x"), true},  // one process
		{link("b", "/d", "x"), link("a", "/d", "x"), true},  // one machine
		{link("b", "/e", "x"), link("a", "/d", "x"), false}, // another directory of it
		{link("b", "/d", "y"), link("a", "/d", "x"), false},
		{link("b", "/d", ""), link("a", "/d", "x"), false},
		{link("b", "/d", "x"), link("a", "/d", ""), false},
		{link("b", "/d", ""), link("a", "/d", ""), true},
		{server, link("a", "/d", "x"), true},
		{server, link("a", "/e", "x"), false},
		{link("a", "/d", "x"), server, false},
		{link("a", "/d", ""), server, true},
		{link("http://a", "/d", "x"), server, false},
		{session.Origin{Way: session.AskAPI}, link("a", "/d", "x"), false},
		{link("a", "/d", "x"), session.Origin{Way: session.AskAPI}, false},
		{link("a", "/d", "x"), session.Origin{}, false},
	} {
		if got := c.o.MayHave(c.home); got != c.want {
			t.Errorf("%+v and the sessions of %+v: %v", c.o, c.home, got)
		}
	}
}

func TestOrigin_TokenName(t *testing.T) {
	for _, c := range []struct {
		o    session.Origin
		want string
	}{
		{session.Origin{Way: session.Link, Process: "p", Token: "laptop-7@c0ffee"}, "link laptop-7"},
		{session.Origin{Way: session.Link, Process: "p"}, "api"},
		{session.Origin{Way: session.AskAPI}, "api"},
		{session.Origin{Way: session.Direct, Process: "http://a"}, ""},
		{session.Origin{}, ""},
	} {
		if got := c.o.TokenName("laptop-7"); got != c.want {
			t.Errorf("%+v has the token %q, want %q", c.o, got, c.want)
		}
	}
}
