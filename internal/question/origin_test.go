package question

import "testing"

func TestWhoMayHaveASession(t *testing.T) {
	link := func(process, directory, token string) Origin {
		return Origin{Way: Link, Process: process, Directory: directory, Token: token}
	}
	server := Origin{Way: Direct, Process: "http://a", Directory: "/d"}
	for _, c := range []struct {
		o, home Origin
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
		{Origin{Way: AskAPI}, link("a", "/d", "x"), false},
		{link("a", "/d", "x"), Origin{Way: AskAPI}, false},
		{link("a", "/d", "x"), Origin{}, false},
	} {
		if got := c.o.MayHave(c.home); got != c.want {
			t.Errorf("%+v and the sessions of %+v: %v", c.o, c.home, got)
		}
	}
}

func TestOrigin_TokenName(t *testing.T) {
	for _, c := range []struct {
		o    Origin
		want string
	}{
		{Origin{Way: Link, Process: "p", Token: "laptop-7"}, "link laptop-7"},
		{Origin{Way: Link, Process: "p"}, "api"},
		{Origin{Way: AskAPI}, "api"},
		{Origin{Way: Direct, Process: "http://a"}, ""},
		{Origin{}, ""},
	} {
		if got := c.o.TokenName(); got != c.want {
			t.Errorf("%+v has the token %q, want %q", c.o, got, c.want)
		}
	}
}
