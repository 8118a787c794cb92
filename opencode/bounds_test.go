package opencode

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/opencode/call"
	v2 "hermes/opencode/v2"
)

// Whatever an OpenCode says that waits, a bounded number of it is remembered.
func TestBounds_WhatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan event.Event, 5000)
		i := newInstance(here, NewClient(call.Endpoint{Transport: nobody}, "", 0), &sessionNames{}, func(e event.Event) { told <- e })
		for n := range 3000 {
			i.hear(t.Context(), frame("question.asked", fmt.Sprintf(`{"id":"que_%d","sessionID":"ses_%d","questions":[]}`, n, n)))
		}
		i.inOrder.wait()
		if len(told) != 3000 || len(i.asks.asks) > maxWaiting {
			t.Errorf("%d were told, and %d are remembered", len(told), len(i.asks.asks))
		}
		if len(i.inOrder.steps) != 0 {
			t.Errorf("%d are waited for", len(i.inOrder.steps))
		}
	})
}

// However large what waits is, a bounded size of it is remembered, in all directories of a server
// together, and what ends makes room again. Everything is told.
func TestBounds_SizeOfWhatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: nobody}}})
		d := w.servers[0]
		large := strings.Repeat("x", 1<<20)
		for n := range 100 {
			frame := frame("question.asked", fmt.Sprintf(`{"id":"que_%d","sessionID":"ses_%d","questions":[{"question":%q,"header":"","options":[]}]}`, n, n, large))
			d.hearFrame(t.Context(), newSpeech(w.ways.followed.has), globalEvent{Directory: fmt.Sprint("/src/", n%10), Payload: frame})
		}
		wait(time.Minute)
		count, size := 0, 0
		for _, i := range d.instances {
			for _, r := range i.asks.requests() {
				count, size = count+1, size+r.Size()
			}
		}
		if told := len(w.take(event.Asked)); told != 100 || count == 0 || size > waitingRoom || int64(size) != d.room.taken.Load() {
			t.Errorf("%d were told, %d of %d bytes are remembered, and %d bytes are counted", told, count, size, d.room.taken.Load())
		}
		for n := range 100 {
			end := frame("question.replied", fmt.Sprintf(`{"requestID":"que_%d","sessionID":"ses_%d","answers":[]}`, n, n))
			d.hearFrame(t.Context(), newSpeech(w.ways.followed.has), globalEvent{Directory: fmt.Sprint("/src/", n%10), Payload: end})
		}
		wait(time.Minute)
		if taken := d.room.taken.Load(); taken != 0 {
			t.Errorf("%d bytes are counted when nothing waits", taken)
		}
	})
}

// A name that is too long is not remembered.
func TestBounds_Names(t *testing.T) {
	n := &sessionNames{}
	n.put(session.Session{ID: "ses_1", Title: strings.Repeat("x", maxName)})
	n.put(session.Session{ID: "ses_2", Title: "fits"})
	_, long := n.get("ses_1")
	if _, fits := n.get("ses_2"); long || !fits {
		t.Error("it is remembered")
	}
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

// What is no name of a session or a directory is not remembered as one.
func TestBounds_NamesOfAService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, long := watch(t, Config{}), strings.Repeat("x", 1<<20)
		d := newDirect(Server{URL: serverURL, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return respond(200, "application/json", strings.NewReader(`{"data":{"id":"ses_3","location":{"directory":"/`+long+`"}}}`)), nil
		})}, w.ways)
		f := d.newFollowedV2()
		for n, c := range []struct{ session, directory string }{{"ses_1", "/src"}, {"ses_2", "/" + long}, {"ses_" + long, "/src/other"}, {"ses_3", ""}} {
			e := locatedEvent{Type: "session.text.ended", Data: json.RawMessage(fmt.Sprintf(`{"sessionID":%q,"text":"Hi."}`, c.session))}
			e.Location.Directory = c.directory
			f.hear(t.Context(), v2.NewSpeech(w.ways.followed.has), e)
			synctest.Wait()
			if got := len(d.instances); got != 1 {
				t.Errorf("event %d: %d directories are known", n, got)
			}
		}
	})
}
