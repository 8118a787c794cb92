package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"hermes/pending"
)

// lifeline is a hermes that can be killed and started again on its database, as
// a process can, inside this one. It may be used concurrently.
type lifeline struct {
	log                *slog.Logger                         // of what is done to hermes
	newLog             func(alive func() bool) *slog.Logger // of one run, silent once that is not alive
	token              secret
	telegram, opencode http.RoundTripper
	links              *pending.Store // nil: in the daemon's own database

	acting sync.Mutex // one start or end at a time

	mu     sync.Mutex
	config config
	now    *tryRun
	state  string // in a word, for people
}

// tryRun is one run of the daemon.
type tryRun struct {
	daemon *daemon
	stop   context.CancelFunc
	killed atomic.Bool
	wires  []*wire
	ended  chan struct{}
}

// Words for the state of hermes.
const (
	stateRuns    = "running"
	stateStopped = "stopped"
	stateEnding  = "ending"
)

func (n *tryRun) alive() bool { return !n.killed.Load() }

var errDead = errors.New("hermes is killed")

// start begins a run; it does nothing when there is one.
func (l *lifeline) start() error {
	l.acting.Lock()
	defer l.acting.Unlock()
	return l.begin()
}

func (l *lifeline) begin() error {
	if l.running() != nil {
		return nil
	}
	l.set(nil, stateStopped)
	c := l.settings()
	n := &tryRun{wires: []*wire{newWire(l.telegram), newWire(l.opencode)}, ended: make(chan struct{})}
	out := outside{telegram: n.wires[0], opencode: n.wires[1], links: l.links}
	out.store.Write = func(write func() error) error {
		if n.killed.Load() {
			return errDead
		}
		return write()
	}
	var err error
	if out.listener, err = l.listen(c); err != nil {
		return err
	}
	if n.daemon, err = newDaemon(c, l.token, l.newLog(n.alive), out); err != nil {
		return errors.Join(err, out.listener.Close())
	}
	return l.live(n)
}

// listen opens the address of the API; one with port 0 stays at the port it got.
func (l *lifeline) listen(c config) (net.Listener, error) {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("HERMES_LISTEN: cannot listen on %s, perhaps because a hermes serves there; stop it, or set another port: %w", c.Listen, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.config.Listen = listener.Addr().String()
	return listener, nil
}

// live runs the daemon and returns when it does.
func (l *lifeline) live(n *tryRun) error {
	ctx, stop := context.WithCancel(context.Background())
	n.stop = stop
	ready, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		err := n.daemon.run(ctx, func() { close(ready) }, func() {})
		if err != nil && !n.killed.Load() {
			l.log.Error("hermes has ended", "err", err)
			failed <- err
		}
		l.set(nil, stateStopped)
		close(n.ended)
	}()
	select {
	case <-ready:
		l.set(n, stateRuns)
	case <-n.ended:
		return <-failed
	}
	select {
	case <-n.ended: // between the two
		l.set(nil, stateStopped)
	default:
	}
	return nil
}

// kill ends hermes as kill -9 does: from one moment on nothing that it does has
// an effect, neither outside nor in its database. It returns when it has ended.
func (l *lifeline) kill() {
	l.acting.Lock()
	defer l.acting.Unlock()
	if n := l.running(); n != nil {
		n.killed.Store(true)
		for _, w := range n.wires {
			w.cut()
		}
		l.finish(n)
		l.log.Warn("hermes was killed")
	}
}

// halt ends hermes as SIGTERM does.
func (l *lifeline) halt() {
	l.acting.Lock()
	defer l.acting.Unlock()
	if n := l.running(); n != nil {
		l.finish(n)
	}
}

func (l *lifeline) finish(n *tryRun) {
	l.set(nil, stateEnding)
	n.stop()
	<-n.ended
}

// waitFor makes hermes wait that long for answers to what it hears of from now
// on. A running one is stopped and started with the new setting.
func (l *lifeline) waitFor(ttl time.Duration) error {
	l.acting.Lock()
	defer l.acting.Unlock()
	if l.settings().QuestionTTL == ttl {
		return nil
	}
	l.mu.Lock()
	l.config.QuestionTTL = ttl
	l.mu.Unlock()
	n := l.running()
	if n == nil {
		return nil
	}
	l.finish(n)
	l.log.Info("hermes starts with another setting", "HERMES_QUESTION_TTL", ttl)
	return l.begin()
}

// running is the run there is now, nil if there is none.
func (l *lifeline) running() *tryRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *lifeline) word() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

func (l *lifeline) settings() config {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.config
}

func (l *lifeline) set(n *tryRun, state string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now, l.state = n, state
}
