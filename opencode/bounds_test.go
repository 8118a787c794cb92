package opencode

import (
	"fmt"
	"testing"
	"testing/synctest"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/opencode/call"
)

// Whatever an OpenCode says that waits, a bounded number of it is remembered.
func TestBounds_WhatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan event.Event, 5000)
		i := newInstance(here, NewClient(call.Endpoint{Transport: nobody}, "", 0), &sessionNames{}, func(e event.Event) { told <- e })
		for n := range 3000 {
			i.hear(t.Context(), frame("question.asked", fmt.Sprintf(`{"id":"que_%d","sessionID":"ses_%d","questions":[]}`, n, n)))
		}
		i.lanes.wait()
		if len(told) != 3000 || len(i.asks.asks) > maxWaiting {
			t.Errorf("%d were told, and %d are remembered", len(told), len(i.asks.asks))
		}
		if len(i.lanes.of) != 0 {
			t.Errorf("%d sessions are waited for", len(i.lanes.of))
		}
	})
}

// However many directories a server names, a bounded number of them is remembered: those
// in which something waits, and those that were heard of last.
func TestBounds_DirectoriesOfAServerAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: nobody}}})
		d := w.servers[0]
		say := func(n int, kind, properties string) {
			d.hearFrame(t.Context(), newSpeech(w.ways.followed.has), globalEvent{Directory: fmt.Sprint("/src/", n), Payload: frame(kind, properties)})
		}
		say(0, "question.asked", `{"id":"que_1","sessionID":"ses_1","questions":[]}`)
		synctest.Wait()
		for n := range 3 * maxDirectories {
			say(n+1, "session.idle", `{"sessionID":"ses_2"}`)
			say(2, "session.idle", `{"sessionID":"ses_2"}`)
		}
		if n := len(w.Origins()); n > maxDirectories || n != len(d.instances) {
			t.Errorf("%d origins can be reached, %d directories are known", n, len(d.instances))
		}
		for n, want := range map[int]bool{0: true, 1: false, 2: true, 3: false, 3 * maxDirectories: true} {
			o := session.Origin{Way: session.Direct, Process: serverURL, Directory: fmt.Sprint("/src/", n)}
			if _, got := w.Agent(o); got != want {
				t.Errorf("directory %d can be reached: %v", n, got)
			}
		}
		if lost := len(w.take(event.Lost)); lost != 2*maxDirectories+1 {
			t.Errorf("%d were told as lost", lost)
		}
	})
}
