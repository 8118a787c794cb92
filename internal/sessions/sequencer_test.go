package sessions_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/session"
)

// A text that a client cut has its place among the choices around it from its first part on,
// though they are made, or come to nothing, while its rest is awaited.
func TestSequencer_CutTextBetweenTwoChoices(t *testing.T) {
	long := strings.Repeat("a", 4000)
	tapsFix := tapped(9, 70, inbound.Button{Kind: inbound.ButtonUse, Session: testSession})
	for name, c := range map[string]struct {
		first string
		then  []inbound.Input
		text  string
		to    session.ID
	}{
		"a choice by words behind it":   {"/use other", []inbound.Input{typed(9, "/use fix")}, long, "ses_2"},
		"a choice by a button":          {"/use other", []inbound.Input{tapsFix}, long, "ses_2"},
		"a button before its rest":      {"/use other", []inbound.Input{tapsFix, typed(10, "rest")}, long + "\nrest", "ses_2"},
		"a choice that comes to naught": {"/use nothing", []inbound.Input{tapsFix}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.set(func() {
					w.listed = func() []session.Session {
						time.Sleep(time.Second)
						return []session.Session{w.state(), {ID: "ses_2", Title: "other", Directory: "/src/shop"}}
					}
				})
				w.say(1, c.first)
				w.say(2, long)
				for _, next := range c.then {
					next.Sent = time.Now()
					w.send(next)
				}
				w.wantPrompts(c.text)
				for _, p := range w.sent {
					if p.Session != c.to {
						t.Errorf("sent to %s, want %s", p.Session, c.to)
					}
				}
				if left := w.inbox(); len(left) > 0 {
					t.Errorf("%v are in the inbox", left)
				}
			})
		})
	}
}
