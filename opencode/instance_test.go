package opencode

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	"hermes/opencode/link"
	"hermes/opencode/wire"
)

// An agent calls tools all the time. That one ended is news only where a question
// waits, and that is until it is settled.
func TestInstance_EndsOfToolCallsWithoutAQuestion(t *testing.T) {
	const ended = `{"type":"message.part.updated","properties":{"part":{"type":"tool","sessionID":"ses_1","state":{"status":"completed"}}}}`
	for _, settled := range []string{"question.replied", "question.rejected", "question.v2.replied", "question.v2.rejected"} {
		var told []event.Event
		i := listener(&told)
		for _, raw := range []string{`{"type":"` + settled + `","properties":{"requestID":"que_1"}}`, ended} {
			var e wire.Event
			if err := json.Unmarshal([]byte(raw), &e); err != nil {
				t.Fatal(err)
			}
			i.hear(context.Background(), e)
		}
		if len(told) != 1 || told[0].Kind == event.Touched {
			t.Errorf("after %s: told %+v", settled, told)
		}
	}
}

// Whether an agent waits cannot always be found out. Then it may.
func TestInstance_WhatMayWaitIsTold(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		abort(s, ask(t, s, "", colour))
		s.SetFault(func(r *http.Request) opencodesim.Fault {
			if strings.HasPrefix(r.URL.Path, "/session/ses_") {
				return opencodesim.ServerError
			}
			return opencodesim.NoFault
		})
		w := watchServer(t, s)
		wait(2 * time.Second) // each of the calls that fail is tried three times
		w.wantTold(t, "opened proj Colour", reach...)
	})
}

// Each directory is listed once a round, however it became known.
func TestInstance_ADirectoryIsListedOnce(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(proj, "", colour)
		w := watch(t, Config{
			Servers:          []Server{{URL: serverURL, Transport: s.Transport()}},
			KnownDirectories: func(session.Origin) []string { return []string{proj, proj} },
		})
		wait(streamGap / 2)
		if got := w.take(event.Opened); len(got) != 1 {
			t.Errorf("told %+v", got)
		}
	})
}

// The names of sessions are known as long as their process has a link.
func TestInstance_SessionNamesLastAsLongAsTheirProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		var plugins []*plugin
		for _, hello := range []link.Hello{helloFrom("p1", proj), helloFrom("p1", shop), helloFrom("p2", proj)} {
			plugins = append(plugins, plug(t, w, s, hello))
		}
		wait(time.Second)
		process := func() *linkedProcess {
			w.links.mu.Lock()
			defer w.links.mu.Unlock()
			return w.links.processes["p1"]
		}
		before := process()
		plugins[0].tell("hermes.closed", "{}")
		if before == nil || process() != before {
			t.Error("the names were forgotten while the process had a link")
		}
		plugins[1].tell("hermes.closed", "{}")
		if process() != nil {
			t.Error("the names outlived the process")
		}
	})
}

// Two asks that wait for one call are of two calls with one id: what is read of the one may
// be the other's, so nothing is.
func TestInstance_AsksOfCallsWithOneIDAreNotDetailed(t *testing.T) {
	first, second, next := leaving1, leaving1, leaving1
	second.ID, next.ID, next.Call = "per_2", "per_3", "call_2"
	reads := 0
	there := `{"info":{"agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}},` +
		`{"type":"tool","callID":"call_2","state":{"status":"running","input":{"command":"ls"}}}]}`
	client := NewClient(call.Endpoint{Transport: inTurn(&reads, there), Base: "http://opencode"}, "", 0)
	i := newInstance(here, client, &sessionNames{}, func(event.Event) {})
	for _, c := range []struct {
		request question.Request
		others  []question.Request
		agent   string
	}{
		{first, nil, "build"},
		{first, []question.Request{first, next}, "build"},
		{first, []question.Request{first, second}, ""},
		{second, []question.Request{first}, ""},
		{next, []question.Request{first, second}, "build"},
	} {
		if got := i.readCall(t.Context(), c.request, c.others); got.request.Agent != c.agent || got.detailed != (c.agent != "") {
			t.Errorf("%s beside %d: %+v", c.request.ID, len(c.others), got)
		}
	}
}
