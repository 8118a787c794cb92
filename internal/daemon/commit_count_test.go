package daemon_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/internal/daemon"
	"hermes/internal/simulate/rig"
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
func (d *diary) around(out daemon.Outside) daemon.Outside {
	out.Telegram, out.Opencode = d.transport(out.Telegram), d.transport(out.Opencode)
	out.Store.Write = func(write func() error) error {
		d.add("commit")
		return write()
	}
	return out
}

func (d *diary) transport(next http.RoundTripper) http.RoundTripper {
	return rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
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
// one each way, with a delay before the message as well.
func TestCommits_OnTheWay(t *testing.T) {
	rig.PlayBoth(t, func(r *rig.Rig) {
		var d diary
		r.Halt()
		r.Wrap = d.around
		r.Start()
		d.take()
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(5 * time.Second)
		asked := d.take()
		r.Tap("2.")
		r.Wait(5 * time.Second)
		tapped := d.take()
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		_, call = r.Ask(rig.DatabaseQuestion())
		r.Wait(5 * time.Second)
		d.take()
		r.Say("1", r.Last().ID)
		typed := d.take()
		r.WantAnswers(call, []string{"SQLite"})
		if n := before(r.T, typed, "reply"); n != 1 {
			r.T.Errorf("%d commits between the text and the reply: %v", n, typed)
		}
		if n := before(r.T, asked, "sendMessage"); n != 1 {
			r.T.Errorf("%d commits between the question and sendMessage: %v", n, asked)
		}
		if n := before(r.T, tapped, "reply"); n != 1 {
			r.T.Errorf("%d commits between the tap and the reply: %v", n, tapped)
		}
	})
}
