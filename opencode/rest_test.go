package opencode

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// disposing is what an OpenCode says when it has put an instance away.
var disposing = frame("server.instance.disposed", `{"directory":"`+proj+`"}`)

// Whoever waits while a directory rests also waits for what is disposed meanwhile.
func TestARestIsOverBehindTheLastDispose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		i := newInstance(here, &Client{Transport: slowly, Base: "http://opencode", Directory: proj}, &places{}, newEventLog().add)
		i.hear(t.Context(), disposing)
		go func() {
			time.Sleep(time.Second)
			i.hear(t.Context(), disposing)
		}()
		if _, err := i.client.Busy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(began); d != time.Second+disposeGap {
			t.Errorf("it was asked after %v", d)
		}
	})
}

// Of a server, only the directory that was disposed rests, and what is asked without one,
// as that may be of any.
func TestADirectoryRestsAlone(t *testing.T) {
	for directory, want := range map[string]time.Duration{proj: disposeGap, shop: 0, "": disposeGap} {
		synctest.Test(t, func(t *testing.T) {
			d, began := newDirect(Server{URL: "http://opencode", Transport: slowly}, nil), time.Now()
			newInstance(here, d.client(proj, false), &places{}, newEventLog().add).hear(t.Context(), disposing)
			if _, err := d.client(directory, false).Busy(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := time.Since(began); got != want {
				t.Errorf("%q was asked after %v, want %v", directory, got, want)
			}
		})
	}
}

// However many directories are disposed at once, few are remembered: then all rest.
func TestRestsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r rest
		for n := range 3 * maxDirectories {
			r.begin(strings.Repeat("d", n+1), disposeGap)
		}
		if len(r.until) > maxDirectories {
			t.Errorf("%d are remembered", len(r.until))
		}
		for _, directory := range []string{"d", strings.Repeat("d", 3*maxDirectories)} {
			if r.left(directory) != disposeGap {
				t.Errorf("one rests for %v", r.left(directory))
			}
		}
		time.Sleep(disposeGap)
		if r.begin("d", disposeGap); len(r.until) != 1 {
			t.Errorf("%d are remembered in the end", len(r.until))
		}
	})
}

// While a directory rests, the time for reading a call does not run.
func TestACallIsReadBehindARest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const empty = `{"info":{"agent":"build"},"parts":[]}`
		reads := 0
		answers := inTurn(&reads, empty, empty, strings.Replace(empty, "[]", `[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}}]`, 1))
		i := newInstance(here, &Client{Transport: answers, Base: "http://opencode", Directory: proj}, &places{}, newEventLog().add)
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
