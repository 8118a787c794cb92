package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/opencode/link"
	"hermes/opencode/service"
)

// sessionAlone is a session without a hermes and without a service.
func sessionAlone() *session {
	return new(Relay).newSession(newConnected(context.Background(), service.Registration{}, nil))
}

// A request has room for one event at least, and for no more than it may have. What is display alone waits for more, and nothing
// changes places.
func TestSession_TellsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sessionAlone()
		large := frame{Type: "form.created", Data: json.RawMessage(`"` + strings.Repeat("x", batchBytes) + `"`)}
		for range 3 {
			s.put(large)
		}
		for range 250 {
			s.put(frame{Type: "session.step.started"})
		}
		s.put(frame{Type: "session.text.delta"})
		s.put(frame{Type: "session.deleted"})
		var sizes []int
		var last frame
		for told := 0; told < 255; told += sizes[len(sizes)-1] {
			batch := s.next()
			sizes, last = append(sizes, len(batch)), batch[len(batch)-1]
		}
		if got := fmt.Sprint(sizes); got != "[1 1 1 100 100 52]" || last.Type != "session.deleted" || s.size.Load() != 0 {
			t.Errorf("batches of %s, the last is %s, %d bytes are left", got, last.Type, s.size.Load())
		}
		began := time.Now()
		s.put(frame{Type: "session.text.delta"})
		if batch := s.next(); len(batch) != 1 || time.Since(began) != spokenEvery {
			t.Errorf("display is told after %v", time.Since(began))
		}
		s.cancel(context.Canceled)
		if batch := s.next(); batch != nil {
			t.Errorf("then it tells %v", batch)
		}
	})
}

// What hermes does not take is not kept for ever: the stream ends, and another one begins with a listing.
func TestSession_WhatWaitsIsBounded(t *testing.T) {
	for name, f := range map[string]frame{
		"events": {Type: "session.step.started"},
		"bytes":  {Type: "form.created", Data: json.RawMessage(strings.Repeat("x", 1<<20))},
	} {
		s := sessionAlone()
		for range 2 * maxQueued {
			s.put(f)
		}
		size := len(s.events) * len(f.Data)
		if !errors.Is(context.Cause(s.service.ctx), errBehind) || len(s.events) > maxQueued || size > maxWaiting {
			t.Errorf("%s: %d of %d bytes are kept", name, len(s.events), size)
		}
	}
}

// A redirect of the service is followed by nobody, and where it leads does not cross; what is larger than an answer may be does not either.
func TestCarrier_StrangeAnswers(t *testing.T) {
	const elsewhere = "http://evil.test/canary"
	for name, c := range map[string]struct {
		status int
		body   string
		want   link.Result
	}{
		"redirect": {http.StatusFound, `{"_tag":"Moved","to":"` + elsewhere + `"}`, link.Result{ID: "1", Status: 302, Type: "application/json", Body: `{"_tag":"Moved"}`}},
		"too large": {
			http.StatusOK, `{"data":{"id":"` + strings.Repeat("x", maxResult) + `"}}`,
			link.Result{ID: "1", Error: "OpenCode's answer is larger than some 4 MiB"},
		},
		"much too large": {http.StatusOK, strings.Repeat(" ", maxAnswer+1), link.Result{ID: "1", Error: "the answer of OpenCode is too large"}},
	} {
		asked := 0
		transport := inprocess.Transport(answering(func(w http.ResponseWriter, r *http.Request) {
			asked++
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", elsewhere)
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		at := newConnected(t.Context(), service.Registration{URL: "http://opencode"}, transport)
		got := carrier{at, new(directories), true}.carryOut(t.Context(), link.Call{ID: "1", Method: http.MethodGet, Path: "/api/session/ses_1"})
		if got != c.want || asked != 1 {
			t.Errorf("%s: asked %d times, %.300v", name, asked, got)
		}
	}
}

// answering is a server that runs.
type answering http.HandlerFunc

// Running implements inprocess.Server.
func (answering) Running() bool { return true }

// ServeHTTP implements http.Handler.
func (a answering) ServeHTTP(w http.ResponseWriter, r *http.Request) { a(w, r) }
