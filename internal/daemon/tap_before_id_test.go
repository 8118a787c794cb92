package daemon_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/daemon"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// lateAnswers delays what the Bot API answers to a message that was sent.
type lateAnswers struct {
	http.RoundTripper
	by time.Duration
}

func (l lateAnswers) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := l.RoundTripper.RoundTrip(r)
	if strings.HasSuffix(r.URL.Path, "/sendMessage") {
		time.Sleep(l.by)
	}
	return res, err
}

// Somebody is faster than the Bot API's word that the message was sent.
func TestTaps_AnsweredBeforeTheMessageIsKnown(t *testing.T) {
	for name, act := range map[string]func(*rig.Rig){
		"tap":   func(r *rig.Rig) { r.Tap("1.") },
		"reply": func(r *rig.Rig) { r.Say("SQLite", r.Last().ID) },
		"text":  func(r *rig.Rig) { r.Say("SQLite", 0) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rig.NewStopped(t, opencode.VersionNew, nil)
				r.Wrap = func(o daemon.Outside) daemon.Outside {
					o.Telegram = lateAnswers{o.Telegram, 5 * time.Second}
					return o
				}
				r.Start()
				defer r.End()
				r.Say("/start", 0)
				r.Wait(10 * time.Second)
				_, call := r.Opencode.Ask(r.Opencode.Directory(), "", rig.DatabaseQuestion())
				r.Wait(2 * time.Second)
				act(r)
				r.Wait(20 * time.Second)
				r.WantAnswers(call, []string{"SQLite"})
			})
		})
	}
}
