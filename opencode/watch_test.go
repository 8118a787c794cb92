package opencode

import (
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/simulate/opencodesim"
)

const serverURL = "http://opencode:4096"

// watched is a running Gateway whose events are written down.
type watched struct {
	*Gateway

	mu     sync.Mutex
	events []event.Event
}

// watch runs a Gateway until the test ends. It is for a bubble.
func watch(t *testing.T, c Config) *watched {
	t.Helper()
	w := &watched{}
	c.Events = w.add
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	w.Gateway = NewGateway(c)
	go w.Run(t.Context())
	t.Cleanup(w.Close)
	return w
}

// watchServer watches a simulator as a server that listens, and lets it connect.
func watchServer(t *testing.T, s *opencodesim.Simulator) *watched {
	t.Helper()
	w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: s.Transport()}}})
	wait(2 * time.Second)
	return w
}

// wait lets time pass, and everything that it sets off come to rest.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (w *watched) add(e event.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

// take gives the events of some kinds, and forgets all that there were.
func (w *watched) take(kinds ...event.Kind) []event.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []event.Event
	for _, e := range w.events {
		if slices.Contains(kinds, e.Kind) {
			list = append(list, e)
		}
	}
	w.events = nil
	return list
}

// told is take in one word for an event: "asked proj Colour". Several Opened of
// one origin that say the same are one.
func (w *watched) told(kinds ...event.Kind) string {
	var words []string
	for _, e := range w.take(kinds...) {
		word := string(e.Kind) + " " + path.Base(e.Origin.Directory)
		for _, a := range e.Asks {
			for _, item := range a.Request.Items {
				word += " " + item.Header
			}
		}
		if e.Kind != event.Opened || !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

var reach = []event.Kind{event.Opened, event.Asked, event.Lost, event.Closed}

func (w *watched) wantTold(t *testing.T, want string, kinds ...event.Kind) {
	t.Helper()
	if got := w.told(kinds...); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}
