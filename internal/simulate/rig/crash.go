package rig

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"hermes/internal/daemon"
)

// Killer ends the daemon at one of its operations: every call that it makes and
// every write to its database is one. The operation fails, with or without its
// effect, and nothing that the daemon does later has any.
type Killer struct {
	Mu    sync.Mutex
	At    int  // the operation, counted from 1; 0: none
	After bool // it has its effect
	Count int
	what  string // the operation that killed; empty: alive
}

var errKilled = errors.New("killed")

// do is one operation.
func (k *Killer) do(what string, operation func() error) error {
	k.Mu.Lock()
	if k.what != "" {
		k.Mu.Unlock()
		return errKilled
	}
	if k.Count > 0 || what != "write" { // before any call, the database is made
		k.Count++
	}
	if k.Count != k.At {
		k.Mu.Unlock()
		return operation()
	}
	k.what = what
	k.Mu.Unlock()
	if k.After {
		_ = operation()
	}
	return errKilled
}

// Killed is the operation at which it killed, "" if it did not.
func (k *Killer) Killed() string {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	return k.what
}

// Around puts the killer between the daemon and the world.
func (k *Killer) Around(out daemon.Outside) daemon.Outside {
	out.Telegram, out.Opencode = k.transport(out.Telegram), k.transport(out.Opencode)
	if out.Voice != nil {
		out.Voice = k.transport(out.Voice)
	}
	out.Store.Write = func(write func() error) error { return k.do("write", write) }
	return out
}

func (k *Killer) transport(next http.RoundTripper) http.RoundTripper {
	return RoundTripper(func(req *http.Request) (res *http.Response, err error) {
		what := req.Method + " " + req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:]
		failed := k.do(what, func() error {
			res, err = next.RoundTrip(req)
			return nil
		})
		if failed != nil {
			if res != nil {
				res.Body.Close()
			}
			return nil, failed
		}
		return res, err
	})
}

// Life is a story in which hermes may be killed and is started again.
type Life struct {
	*Rig
	*Killer
	Call, Request string
}

// Pass lets time go by. A daemon that was killed is started again then, alive
// for good.
func (l *Life) Pass(d time.Duration) {
	l.Rig.Wait(d)
	if l.Killed() == "" || l.Rig.Wrap == nil {
		return
	}
	l.Stop()
	<-l.Ended
	l.Rig.Wrap = nil
	l.Rig.Start()
	l.Rig.Wait(d)
}

// Press taps a button of the newest message, when hermes is alive.
func (l *Life) Press(label string) {
	l.T.Helper()
	l.Pass(5 * time.Second)
	l.PressOn(l.keysIn(Ada).ID, label)
}

// PressOn taps a button of a message, and lets the effects come.
func (l *Life) PressOn(message int, label string) {
	l.T.Helper()
	if _, err := l.Telegram.Tap(Ada, Ada, message, label); err != nil {
		l.T.Fatalf("%v\n%s", err, l.Telegram.Transcript(Ada))
	}
	l.Pass(5 * time.Second)
}

// MayCopy is how many messages may be there that hermes does not know of: one whose sending was under way when it was killed, at
// whatever operation beside that.
func (l *Life) MayCopy() int {
	if l.Killed() != "" {
		return 1
	}
	return 0
}

// EndAfterKill ends a life in which what was killed at, if anything was.
func (r *Rig) EndAfterKill(what string) {
	if r.Wrap == nil || what == "" {
		r.Stop()
		if err := <-r.Ended; err != nil && !errors.Is(err, errKilled) { // the stop has operations, too
			r.T.Error("the daemon ended:", err)
		}
		r.Wrap = nil
	}
	r.Close()
}
