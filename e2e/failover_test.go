//go:build e2e

package e2e_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// TestFailover plays questions of a machine whose plugin knows two addresses. Behind both is the same hermes, as after a takeover it would be with
// the same store: one of them acts, as a standby the other one answers.
func TestFailover(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	h := newHermes(t, p.url)
	two := []*front{newFront(t, h.listen), newFront(t, h.listen)}
	two[1].become("acts")
	_, files := linkBy(t, h, two[0].URL+","+two[1].URL)
	d := &desk{t: t, entry: entry{newest, linkedServe}, phone: p, hermes: h}
	d.here = openWindowWith(t, d.entry, "shop-api", files)
	d.windows = []*window{d.here}
	p.say("/start", 0)
	d.playAll(t, []scene{
		{"a question", singleChoice, quick},
		{"asked while nobody acts", func(d *desk) { askedWhileNobodyActs(d, two[1], two[0]) }, quick},
		{"the one that acts is paused", func(d *desk) { pausedWhileAsked(d, two[0], two[1]) }, quick},
	})
}

func askedWhileNobodyActs(d *desk, before, after *front) {
	before.become("standby")
	q := database("Which database while nobody acts?")
	d.here.ask("takeover", call(q))
	after.become("acts")
	card := d.phone.card(q)
	d.phone.tap(card, "2.")
	d.answeredOnce(q, card, "PostgreSQL (Recommended)")
}

func pausedWhileAsked(d *desk, before, after *front) {
	before.become("hangs")
	q := database("Which database while hermes is paused?")
	began := time.Now()
	d.here.ask("paused", call(q))
	after.become("acts")
	card := d.phone.card(q)
	if took := time.Since(began); took > 10*time.Second {
		d.t.Errorf("the question came after %v", took)
	}
	d.phone.tap(card, "1.")
	d.answeredOnce(q, card, "SQLite")
	before.become("standby")
}

// front is an address of hermes. It "acts", which is to pass all on, is a "standby", or "hangs" as a process that was stopped: connections
// stand, and nothing comes.
type front struct {
	*httptest.Server
	mu    sync.Mutex
	is    string
	moved chan struct{} // closed at the next change
}

func newFront(t *testing.T, listen string) *front {
	t.Helper()
	f := &front{is: "standby", moved: make(chan struct{})}
	pass := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: listen})
	pass.ErrorLog = log.New(io.Discard, "", 0) // polls that the plugin gives up
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.wait(r)
		if f.what() == "acts" {
			pass.ServeHTTP(held{w, f, r}, r)
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"error":"a standby","standby":true,"acting":"http://192.0.2.1"}`)
	}))
	t.Cleanup(func() {
		f.become("standby")
		f.CloseClientConnections()
		f.Close()
	})
	return f
}

func (f *front) become(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.is = what
	close(f.moved)
	f.moved = make(chan struct{})
}

func (f *front) what() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.is
}

// wait waits while the process is stopped.
func (f *front) wait(r *http.Request) {
	for {
		f.mu.Lock()
		hangs, moved := f.is == "hangs", f.moved
		f.mu.Unlock()
		if !hangs {
			return
		}
		select {
		case <-moved:
		case <-r.Context().Done():
			return
		}
	}
}

// held holds back what hermes answers while the process is stopped.
type held struct {
	http.ResponseWriter
	of *front
	r  *http.Request
}

func (h held) WriteHeader(status int) {
	h.of.wait(h.r)
	h.ResponseWriter.WriteHeader(status)
}
