package sessions

import (
	"fmt"
	"testing"

	"hermes/internal/remote"
	"hermes/internal/session"
)

const theSession session.ID = "ses_1"

func TestOwner_WhoIsBelieved(t *testing.T) {
	server := atOrigin()
	for _, c := range []struct {
		name       string
		home, says session.Origin
		works      bool
		connected  bool
		want       bool
	}{
		{"itself", linkOf("a", "x"), linkOf("a", "x"), true, true, true},
		{"its machine, at work", linkOf("a", "x"), linkOf("b", "x"), true, true, false},
		{"its machine, at rest", linkOf("a", "x"), linkOf("b", "x"), false, true, true},
		{"its machine, away", linkOf("a", "x"), linkOf("b", "x"), true, false, true},
		{"another machine", linkOf("a", "x"), linkOf("b", "y"), false, true, false},
		{"another machine, away", linkOf("a", "x"), linkOf("b", "y"), false, false, false},
		{"the API's token", linkOf("a", "x"), linkOf("b", ""), false, false, false},
		{"a new token", linkOf("a", ""), linkOf("b", "x"), false, false, true},
		{"a new token, connected", linkOf("a", ""), linkOf("b", "x"), false, true, false},
		{"a server", linkOf("a", "x"), server, true, true, true},
		{"a link for a server", server, linkOf("a", "x"), false, false, false},
		{"a link of old for a server", server, linkOf("a", ""), false, true, true},
		{"a link of old for a server at work", server, linkOf("a", ""), true, true, false},
		{"another directory", linkOf("a", "x"), session.Origin{Way: session.Link, Process: "b", Directory: "/src/other", Token: "x"}, false, false, false},
		{"another server", session.Origin{Way: session.Direct, Process: "http://b", Directory: "/src/shop"}, server, true, true, true},
	} {
		r := &routes{heard: heardAt(c.home, c.works), origins: map[session.Origin]bool{c.says: true}}
		if c.connected {
			r.origins[c.home] = true
		}
		if got := r.believes(c.says, theSession); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if !r.believes(c.says, "ses_unheard") {
			t.Errorf("%s: nothing is known of a theSession, and yet it has an owner", c.name)
		}
	}
}

// heardAt has the session at a home.
func heardAt(home session.Origin, works bool) *heard {
	h := newHeard(maxHeard)
	h.put(theSession, home, works)
	return h
}

// One OpenCode cannot make another one's sessions forgotten.
func TestHeard_OnesSessionsDoNotDisplaceAnothers(t *testing.T) {
	h := newHeard(100)
	h.put(theSession, atOrigin(), true)
	for i := range 300 {
		h.put(session.ID(fmt.Sprint(i)), linkOf("thief", ""), true)
	}
	if h.originOf(theSession) != atOrigin() || !h.isWorking(theSession) || len(h.at) != 100 {
		t.Errorf("%d are known", len(h.at))
	}
}

// A late answer has the words of its question, so it goes to no session of another
// OpenCode that the question named.
func TestLateAnswer_GoesToNoSessionOfAnother(t *testing.T) {
	home, other := linkOf("a", "laptop"), linkOf("b", "mallory")
	r := &routes{
		agents: func(session.Origin) (Agent, bool) { return nil, true },
		heard:  heardAt(home, false), origins: map[session.Origin]bool{home: true, other: true},
	}
	for _, c := range []struct {
		origin session.Origin
		asked  bool
		want   int
	}{
		{home, false, 1},
		{home, true, 1},
		{other, true, 0},
	} {
		p := remote.QueuedPrompt{Origin: c.origin, Asked: c.asked, Prompt: session.Prompt{Session: theSession}}
		if got := r.forPrompt(p); len(got) != c.want {
			t.Errorf("%+v has %d routes", p, len(got))
		}
	}
}
