package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/secret"
	"hermes/pending"
)

// restartableDaemon is a hermes that can be killed and started again on its database, as
// a process can, inside this one. It may be used concurrently.
type restartableDaemon struct {
	log                *slog.Logger                         // of what is done to hermes
	newLog             func(alive func() bool) *slog.Logger // of one run, silent once that is not alive
	token              secret.Text
	telegram, opencode http.RoundTripper
	links              *pending.Store // nil: in the daemon's own database

	acting sync.Mutex // one start or end at a time

	mu     sync.Mutex
	config config.Config
	now    *daemonRun
	state  string // in a word, for people
}

// daemonRun is one run of the daemon.
type daemonRun struct {
	daemon *daemon.Daemon
	stop   context.CancelFunc
	killed atomic.Bool
	wires  []*cutTransport
	ended  chan struct{}
}

// Words for the state of hermes.
const (
	stateRuns    = "running"
	stateStopped = "stopped"
	stateEnding  = "ending"
)

func (n *daemonRun) isAlive() bool { return !n.killed.Load() }

var errDead = errors.New("hermes is killed")

// start begins a run; it does nothing when there is one.
func (l *restartableDaemon) start() error {
	l.acting.Lock()
	defer l.acting.Unlock()
	return l.startRun()
}

func (l *restartableDaemon) startRun() error {
	if l.currentRun() != nil {
		return nil
	}
	l.setState(nil, stateStopped)
	c := l.currentConfig()
	n := &daemonRun{wires: []*cutTransport{newCutTransport(l.telegram), newCutTransport(l.opencode)}, ended: make(chan struct{})}
	out := daemon.Outside{Telegram: n.wires[0], Opencode: n.wires[1], Links: l.links}
	out.Store.Write = func(write func() error) error {
		if n.killed.Load() {
			return errDead
		}
		return write()
	}
	var err error
	if out.Listener, err = l.listen(c); err != nil {
		return err
	}
	if n.daemon, err = daemon.New(c, l.token, l.newLog(n.isAlive), out); err != nil {
		return errors.Join(err, out.Listener.Close())
	}
	return l.serveRun(n)
}

// listen opens the address of the API; one with port 0 stays at the port it got.
func (l *restartableDaemon) listen(c config.Config) (net.Listener, error) {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("HERMES_LISTEN: cannot listen on %s, perhaps because a hermes runs there; stop it, or set another port: %w", c.Listen, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.config.Listen = listener.Addr().String()
	return listener, nil
}

// serveRun runs the daemon and returns when it does.
func (l *restartableDaemon) serveRun(n *daemonRun) error {
	ctx, stop := context.WithCancel(context.Background())
	n.stop = stop
	ready, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		err := n.daemon.Run(ctx, func() {
			l.setState(n, stateRuns)
			close(ready)
		}, func() {})
		if err != nil && !n.killed.Load() {
			l.log.Error("hermes has ended", "err", err)
			failed <- err
		}
		l.setState(nil, stateStopped)
		close(n.ended)
	}()
	select {
	case <-ready:
		return nil
	case <-n.ended:
		return <-failed
	}
}

// kill ends hermes as kill -9 does: from one moment on nothing that it does has
// an effect, neither outside nor in its database. It returns when it has ended.
func (l *restartableDaemon) kill() {
	l.acting.Lock()
	defer l.acting.Unlock()
	if n := l.currentRun(); n != nil {
		n.killed.Store(true)
		for _, w := range n.wires {
			w.cut()
		}
		l.finishRun(n)
		l.log.Warn("hermes was killed")
	}
}

// halt ends hermes as SIGTERM does.
func (l *restartableDaemon) halt() {
	l.acting.Lock()
	defer l.acting.Unlock()
	if n := l.currentRun(); n != nil {
		l.finishRun(n)
	}
}

func (l *restartableDaemon) finishRun(n *daemonRun) {
	l.setState(nil, stateEnding)
	n.stop()
	<-n.ended
}

// waitFor makes hermes wait that long for answers to what it hears of from now on.
func (l *restartableDaemon) waitFor(ttl time.Duration) error {
	return l.configure("HERMES_QUESTION_TTL", func(c *config.Config) any { c.QuestionTTL = ttl; return ttl })
}

// speak makes hermes speak a language to everybody.
func (l *restartableDaemon) speak(lang string) error {
	return l.configure("HERMES_LANG", func(c *config.Config) any { c.Lang = lang; return lang })
}

// configure changes a setting, and returns at once if it is so already. A running hermes is stopped
// and started with it.
func (l *restartableDaemon) configure(name string, set func(*config.Config) (value any)) error {
	l.acting.Lock()
	defer l.acting.Unlock()
	was := l.currentConfig()
	c := was
	value := set(&c)
	if reflect.DeepEqual(c, was) {
		return nil
	}
	l.mu.Lock()
	l.config = c
	l.mu.Unlock()
	n := l.currentRun()
	if n == nil {
		return nil
	}
	l.finishRun(n)
	l.log.Info("hermes starts with another setting", name, value)
	return l.startRun()
}

// currentRun is the run there is now, nil if there is none.
func (l *restartableDaemon) currentRun() *daemonRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *restartableDaemon) stateName() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

func (l *restartableDaemon) currentConfig() config.Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.config
}

func (l *restartableDaemon) setState(n *daemonRun, state string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now, l.state = n, state
}
