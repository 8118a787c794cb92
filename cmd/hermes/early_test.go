package main

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
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
func TestAnsweredBeforeTheMessageIsKnown(t *testing.T) {
	for name, act := range map[string]func(*rig){
		"tap":   func(r *rig) { r.tap("1.") },
		"reply": func(r *rig) { r.say("SQLite", r.last().ID) },
		"text":  func(r *rig) { r.say("SQLite", 0) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := makeRig(t, opencode.VersionNew, nil)
				r.wrap = func(o outside) outside {
					o.telegram = lateAnswers{o.telegram, 5 * time.Second}
					return o
				}
				r.start()
				defer r.end()
				r.say("/start", 0)
				r.wait(10 * time.Second)
				_, call := r.opencode.Ask(r.opencode.Directory(), "", database())
				r.wait(2 * time.Second)
				act(r)
				r.wait(20 * time.Second)
				r.got(call, []string{"SQLite"})
			})
		})
	}
}
