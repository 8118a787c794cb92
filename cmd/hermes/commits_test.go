package main

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// diary is what the daemon does, in its order: each call that changes something
// outside, and each commit, which waits for the disk (two fdatasync of bbolt).
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) add(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

// take returns the lines since the last take.
func (d *diary) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	lines := d.lines
	d.lines = nil
	return lines
}

// around puts the diary between the daemon and the world.
func (d *diary) around(out outside) outside {
	out.telegram, out.opencode = d.transport(out.telegram), d.transport(out.opencode)
	out.store.Write = func(write func() error) error {
		d.add("commit")
		return write()
	}
	return out
}

func (d *diary) transport(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		if what := req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:]; req.Method == "POST" && what != "getUpdates" {
			d.add(what)
		}
		return next.RoundTrip(req)
	})
}

// before counts the commits that come before a call, which must be there.
func before(t *testing.T, lines []string, call string) int {
	t.Helper()
	i := slices.Index(lines, call)
	if i < 0 {
		t.Fatalf("no %s among %v", call, lines)
	}
	return i - len(slices.DeleteFunc(slices.Clone(lines[:i]), func(line string) bool { return line == "commit" }))
}

// Each commit on the way makes a person or an agent wait for the disk, so there is
// one each way. A delay before the message brings one more, which nobody waits for.
func TestCommitsOnTheWay(t *testing.T) {
	playBoth(t, func(r *rig) {
		var d diary
		r.halt()
		r.config.NotifyDelay = 0
		r.wrap = d.around
		r.start()
		d.take()
		_, call := r.ask(database())
		r.wait(5 * time.Second)
		asked := d.take()
		r.tap("2.")
		r.wait(5 * time.Second)
		tapped := d.take()
		r.got(call, []string{"PostgreSQL (Recommended)"})
		_, call = r.ask(database())
		r.wait(5 * time.Second)
		d.take()
		r.say("1", r.last().ID)
		typed := d.take()
		r.got(call, []string{"SQLite"})
		if n := before(r.t, typed, "reply"); n != 1 {
			r.t.Errorf("%d commits between the text and the reply: %v", n, typed)
		}
		if n := before(r.t, asked, "sendMessage"); n != 1 {
			r.t.Errorf("%d commits between the question and sendMessage: %v", n, asked)
		}
		if n := before(r.t, tapped, "reply"); n != 1 {
			r.t.Errorf("%d commits between the tap and the reply: %v", n, tapped)
		}
	})
}
