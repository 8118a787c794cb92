package opencode

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/opencode/call"
)

// disposing is what an OpenCode says when it has put an instance away.
var disposing = frame("server.instance.disposed", `{"directory":"`+proj+`"}`)

// Whoever waits while a directory rests also waits for what is disposed meanwhile.
func TestPause_ARestIsOverBehindTheLastDispose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		i := newInstance(here, NewClient(call.Endpoint{Transport: slowly, Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, newEventLog().add)
		i.hear(t.Context(), disposing)
		go func() {
			time.Sleep(time.Second)
			i.hear(t.Context(), disposing)
		}()
		if _, err := i.client.Sessions.Busy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(began); d != time.Second+disposeGap {
			t.Errorf("it was asked after %v", d)
		}
	})
}

// Of a server, only the directory that was disposed rests, and what is asked without one,
// as that may be of any.
func TestPause_ADirectoryRestsAlone(t *testing.T) {
	for directory, want := range map[string]time.Duration{proj: disposeGap, shop: 0, "": disposeGap} {
		synctest.Test(t, func(t *testing.T) {
			d, began := newDirect(Server{URL: "http://opencode", Transport: slowly}, new(ways)), time.Now()
			newInstance(here, d.clientFor(proj, Identity{}), &sessionNames{}, newEventLog().add).hear(t.Context(), disposing)
			if _, err := d.clientFor(directory, Identity{}).Sessions.Busy(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := time.Since(began); got != want {
				t.Errorf("%q was asked after %v, want %v", directory, got, want)
			}
		})
	}
}

// While a directory rests, the time for reading a call does not run.
func TestPause_ACallIsReadBehindARest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const empty = `{"info":{"agent":"build"},"parts":[]}`
		reads := 0
		answers := inTurn(&reads, empty, empty, strings.Replace(empty, "[]", `[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}}]`, 1))
		i := newInstance(here, NewClient(call.Endpoint{Transport: answers, Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, newEventLog().add)
		i.hear(t.Context(), disposing)
		go func() {
			time.Sleep(disposeGap + detailEvery/2) // it has been read once
			i.hear(t.Context(), disposing)
		}()
		if r, ok := i.client.Detailed(t.Context(), leaving1); !ok || r.Permission.Command != "ls" || reads != 3 {
			t.Errorf("%v, %q after %d reads", ok, r.Permission.Command, reads)
		}
	})
}
