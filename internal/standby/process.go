package standby

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/database"
	"hermes/internal/retry"
	"hermes/internal/secret"
	"hermes/pending"
)

const (
	retryAfter    = time.Second     // between tries to reach the database
	lookEvery     = time.Second     // how often a standby looks who acts
	lookWithin    = 3 * time.Second // how long the database may take to tell
	releaseWithin = 2 * time.Second // how long it may take to take the lease back; then it runs out by itself
)

// Process is one hermes of several. It is made once and run once.
type Process struct {
	Config  config.Config
	Token   secret.Text // of the API
	Log     *slog.Logger
	Outside daemon.Outside // of each daemon; Open, Turn and Listener are set here, the latter if it is nil
	// Open opens the database. An error that wraps [database.ErrRefused] ends the process, others are tried again.
	Open    func(context.Context) (database.Shared, error)
	HangUps <-chan os.Signal // each has what acts read its configuration again; nil: none come

	Ready    func()               // called once, when the process answers requests; it is a standby then
	Began    func(*daemon.Daemon) // called when it acts
	Ended    func()               // called when it stands by again
	Stopping func()               // called once, when a stop begins

	shared database.Shared
	seen   view
	acting atomic.Pointer[daemon.Daemon]
}

// Run stands by and acts in turns until ctx ends, or what no other try mends. It gives the lease back after the last write.
func (p *Process) Run(ctx context.Context) error {
	listener, err := p.listen()
	if err != nil {
		return err
	}
	gate := openGate(listener)
	defer gate.close()
	p.seen.self = database.Self(p.Config)
	defer func() {
		if p.shared != nil {
			p.shared.Close()
		}
	}()
	ready := p.Ready
	for ctx.Err() == nil {
		lease, err := p.standBy(ctx, gate, ready)
		if err != nil || lease == nil {
			p.Stopping()
			return err
		}
		ready = func() {}
		if err := p.act(ctx, gate, lease); err != nil {
			return err
		}
	}
	return nil
}

func (p *Process) listen() (net.Listener, error) {
	if p.Outside.Listener != nil {
		return p.Outside.Listener, nil
	}
	return daemon.Listen(p.Config)
}

// Alive reports whether the process works: a daemon's loop answers, and a standby only waits.
func (p *Process) Alive(ctx context.Context) bool {
	d := p.acting.Load()
	return d == nil || d.Alive(ctx)
}

// standBy answers requests as a standby until this hermes has the lease; nil without an error: ctx has ended before.
func (p *Process) standBy(ctx context.Context, gate *gate, ready func()) (database.Lease, error) {
	server, err := p.newServer()
	if err != nil {
		return nil, err
	}
	listener := daemon.Bounded(gate.turn(nil))
	served := make(chan error, 1)
	go func() { served <- server.serve(listener) }()
	defer func() {
		server.close()
		<-served
	}()
	ready()
	return p.acquire(ctx)
}

// acquire opens the database if that is not done, and waits for the lease.
func (p *Process) acquire(ctx context.Context) (database.Lease, error) {
	for {
		err := p.open(ctx)
		if errors.Is(err, database.ErrRefused) {
			return nil, err
		}
		if err == nil {
			lease, err := p.await(ctx)
			if err == nil || ctx.Err() != nil {
				return lease, nil
			}
			p.note(database.Acting{}, err)
		}
		if retry.Wait(ctx, retryAfter) != nil {
			return nil, nil
		}
	}
}

// open reaches the database, once for the process.
func (p *Process) open(ctx context.Context) (err error) {
	if p.shared != nil {
		return nil
	}
	shared, err := p.Open(ctx)
	switch {
	case err == nil:
		p.shared = shared
	case !errors.Is(err, database.ErrRefused): // what refuses ends the process, which says it
		p.note(database.Acting{}, err)
	}
	return err
}

// await waits for the lease, and looks meanwhile who has it.
func (p *Process) await(ctx context.Context) (database.Lease, error) {
	looking, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.look(looking)
	}()
	lease, err := p.shared.Acquire(ctx, database.Self(p.Config))
	stop()
	<-done
	return lease, err
}

// act is a daemon until ctx ends or the lease is lost, and gives the lease back. With an error no further try is of use.
func (p *Process) act(ctx context.Context, gate *gate, lease database.Lease) error {
	p.seen.forget()
	p.Log.Info("this hermes acts now", "epoch", lease.Epoch())
	out := p.Outside
	out.Turn, out.Listener = lease, gate.turn(lease.Valid)
	out.Open = func(o pending.Options) (*pending.Store, error) {
		store, err := pending.OpenShared(lease.DB(), o)
		if err == nil {
			err = store.KeepBot(p.Config.BotID())
		}
		if err != nil {
			return nil, fmt.Errorf("HERMES_STORE: %w: %w", errStore, err)
		}
		return store, nil
	}
	err := p.run(ctx, out)
	if late := release(lease); late != nil && err == nil {
		p.Log.Warn("the lease was not given back; it runs out by itself", "err", late)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pending.ErrNewer), errors.Is(err, pending.ErrForeign), errors.Is(err, pending.ErrUnfinished), errors.Is(err, pending.ErrOtherBot):
		return err
	case errors.Is(err, daemon.ErrLost), errors.Is(err, errStore), lease.Err() != nil, lease.Valid() != nil:
		p.Log.Error("this hermes acts no more, and stands by", "err", err)
		p.Ended()
		_ = retry.Wait(ctx, retryAfter) // whether ctx has ended, who called asks
		return nil
	}
	return err
}

// errStore means that the store could not be read when the daemon was to begin.
var errStore = errors.New("the database cannot be read")

func (p *Process) run(ctx context.Context, out daemon.Outside) error {
	d, err := daemon.New(p.Config, p.Token, p.Log, out)
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	go d.ReloadOnSignal(running, p.HangUps)
	p.acting.Store(d)
	defer p.acting.Store(nil)
	return d.Run(ctx, func() { p.Began(d) }, p.Stopping)
}

// release gives the lease back. It does so too when ctx of Run has ended; that is the point of it.
func release(lease database.Lease) error {
	if lease.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	return lease.Release(ctx)
}
