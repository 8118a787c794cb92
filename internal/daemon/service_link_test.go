package daemon_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/secret"
	opencode2 "hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/rig"
)

// playRelays runs a test with each shape of a service that hermes reaches over a link alone.
func playRelays(t *testing.T, test func(*serviceRig)) {
	t.Helper()
	for name, shape := range map[string]opencode2.Shape{"preview": opencode2.Preview, "release": opencode2.Release} {
		t.Run(name, func(t *testing.T) { playLinkedService(t, shape, nil, test) })
	}
}

// wantOnce fails the test unless the agent got just this answer, by one reply, and the card says so.
func wantOnce(s *serviceRig, form, call, label string) {
	s.T.Helper()
	s.WantAnswers(call, []string{label})
	s.WantScreen("→ "+label, "Ada")
	if n := s.Service.Replies(form); n != 1 {
		s.T.Errorf("%d replies took effect", n)
	}
}

// Any one request to hermes is lost, or its answer is: the answer of a tap and a prompt get there once all the same.
func TestServiceLink_AnyRequestIsLost(t *testing.T) {
	for n := range 24 {
		for name, answer := range map[string]bool{"request": false, "answer": true} {
			t.Run(fmt.Sprint(name, " ", n+1), func(t *testing.T) {
				playLinkedService(t, []opencode2.Shape{opencode2.Preview, opencode2.Release}[n%2], nil, func(s *serviceRig) {
					s.Say("/use fix checkout", 0)
					var count atomic.Int64
					nth := func(*http.Request) bool { return count.Add(1) == int64(n+1) }
					if answer {
						s.Lose.Store(&nth)
					} else {
						s.Cut.Store(&nth)
					}
					form, call := s.Ask(rig.DatabaseQuestion())
					s.Wait(time.Minute)
					s.Tap("2.")
					s.Wait(time.Minute)
					wantOnce(s, form, call, "PostgreSQL (Recommended)")
					s.Say("Go on.", 0)
					s.Wait(time.Minute)
					if got := s.Service.Prompts(); len(got) != 1 || got[0].Text != "Go on." {
						t.Errorf("the session was told %+v", got)
					}
					if n := strings.Count(s.Telegram.Transcript(rig.Ada), "Which database"); n != 1 {
						t.Errorf("%d cards", n)
					}
				})
			})
		}
	}
}

// The process is killed at any one of its requests, before hermes has it or after: what it was about is done once when it runs again.
func TestServiceLink_KilledAtAnyRequest(t *testing.T) {
	for n := range 14 {
		for name, after := range map[string]bool{"before": false, "after": true} {
			t.Run(fmt.Sprint(name, " ", n+1), func(t *testing.T) {
				playLinkedService(t, []opencode2.Shape{opencode2.Preview, opencode2.Release}[n%2], nil, func(s *serviceRig) {
					var count atomic.Int64
					var killed atomic.Bool
					nth := func(*http.Request) bool {
						if count.Add(1) == int64(n+1) {
							killed.Store(true)
							s.Relay.Kill()
						}
						return killed.Load()
					}
					if after {
						s.Lose.Store(&nth)
					} else {
						s.Cut.Store(&nth)
					}
					revive := func() {
						s.Wait(15 * time.Second)
						if killed.CompareAndSwap(true, false) {
							s.Relay.Stop()
							s.Relay.Start()
							s.Wait(20 * time.Second)
						}
					}
					form, call := s.Ask(rig.DatabaseQuestion())
					revive()
					s.Tap("2.")
					revive()
					s.Wait(time.Minute)
					wantOnce(s, form, call, "PostgreSQL (Recommended)")
				})
			})
		}
	}
}

// The service comes again at another port, with another password, or as another version: the session and its asks go on over the link.
func TestServiceLink_ServiceMoves(t *testing.T) {
	for name, move := range map[string]func(*serviceRig){
		"port":              func(s *serviceRig) { s.Move("http://127.0.0.1:50123") },
		"port and password": func(s *serviceRig) { s.MoveWith("http://127.0.0.1:50123", "other-canary-password") },
		"version":           func(s *serviceRig) { s.Update(opencode2.Release) },
	} {
		t.Run(name, func(t *testing.T) {
			playLinkedService(t, opencode2.Preview, nil, func(s *serviceRig) {
				s.Say("/use fix checkout", 0)
				s.Ask(rig.DatabaseQuestion())
				move(s)
				s.Wait(20 * time.Second)
				s.WantScreen("OpenCode was restarted")
				s.Say("Go on.", 0)
				s.Wait(20 * time.Second)
				if got := s.Service.Prompts(); len(got) == 0 || got[len(got)-1].Session != s.Session || got[len(got)-1].Text != "Go on." {
					t.Errorf("the session was told %+v\n%s\nlog:\n%s", got, s.Telegram.History(rig.Ada), s.Log.String())
				}
				form, call := s.Ask(rig.ColourQuestion())
				s.Tap("1.")
				s.Wait(3 * time.Second)
				wantOnce(s, form, call, "Red")
			})
		})
	}
}

// No log of either side has the token of the link.
func TestServiceLink_ShowsNoToken(t *testing.T) {
	playRelays(t, func(s *serviceRig) {
		s.Ask(rig.DatabaseQuestion())
		s.Relay.Stop()
		cut := func(*http.Request) bool { return true }
		s.Cut.Store(&cut)
		s.Relay.Start()
		s.Wait(time.Minute)
		s.Cut.Store(nil)
		s.Wait(time.Minute)
		if strings.Contains(s.Log.String(), "hermes_link_") {
			t.Error("the log shows the token")
		}
	})
}

// thief is the link of another machine that tells of the asks and sessions of this one.
type thief struct {
	s     *serviceRig
	token secret.Text
	id    string
}

func newThief(s *serviceRig) thief {
	s.T.Helper()
	token, err := s.Links().Add(s.T.Context(), "thief", 0)
	if err != nil {
		s.T.Fatal(err)
	}
	code, body := s.RequestAs(token, "POST", "/v1/link", `{"kind":"service","protocol":2,"instance":"relay","process":"service-1","pid":7,"host":"laptop","version":"2.0.18"}`)
	_, rest, _ := strings.Cut(body, `"link":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if code != http.StatusOK || id == "" {
		s.T.Fatalf("the link was answered with %d %s", code, body)
	}
	return thief{s, token, id}
}

func (h thief) say(kind, dir, data string) int {
	h.s.T.Helper()
	code, _ := h.s.RequestAs(h.token, "POST", "/v1/link/"+h.id+"/events",
		fmt.Sprintf(`{"events":[{"type":%q,"location":{"directory":%q},"data":%s}]}`, kind, dir, data))
	return code
}

// Another machine's link has no say on this one's asks and sessions, whatever it tells of them.
func TestServiceLink_CannotTouchAnothers(t *testing.T) {
	playRelays(t, func(s *serviceRig) {
		form, call := s.Ask(rig.DatabaseQuestion())
		card := s.CardWith("Which database")
		h := newThief(s)
		ids := strings.NewReplacer("<form>", form, "<session>", s.Session, "<call>", call)
		for kind, data := range map[string]string{
			"server.connected":            `{}`,
			"form.replied":                `{"id":"<form>","sessionID":"<session>","answer":{"q0":"SQLite"}}`,
			"form.cancelled":              `{"id":"<form>","sessionID":"<session>"}`,
			"session.deleted":             `{"sessionID":"<session>"}`,
			"session.renamed":             `{"sessionID":"<session>","title":"stolen title"}`,
			"session.execution.succeeded": `{"sessionID":"<session>"}`,
			"session.execution.failed":    `{"sessionID":"<session>","error":{"type":"x","message":"stolen words"}}`,
		} {
			if code := h.say(kind, s.Dir, ids.Replace(data)); code != http.StatusNoContent {
				t.Fatalf("%s was answered with %d", kind, code)
			}
		}
		s.Wait(5 * time.Second)
		h.say("hermes.closed", s.Dir, `{}`)
		s.Wait(time.Minute)
		if now := s.CardWith("Which database"); now.Text != card.Text {
			t.Errorf("the card is\n%s", now.Text)
		}
		s.TapOn(card, "2.")
		s.Wait(5 * time.Second)
		wantOnce(s, form, call, "PostgreSQL (Recommended)")
		if text := s.Telegram.History(rig.Ada); strings.Contains(text, "stolen") {
			t.Errorf("the chat says\n%s", text)
		}
	})
}

// A link that is polled and tells nothing, no heartbeat either, is ended: the process is to open it anew.
func TestServiceLink_Silent(t *testing.T) {
	playLinkedService(t, opencode2.Release, nil, func(s *serviceRig) {
		h := newThief(s)
		for range 6 {
			if code, _ := s.RequestAs(h.token, "GET", "/v1/link/"+h.id+"/calls?after=0", ""); code == http.StatusGone {
				return
			}
		}
		t.Error("it is still open")
	})
}
