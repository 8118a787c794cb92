package standby

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"hermes/internal/retry"
)

const (
	retryAfter    = time.Second     // between tries to reach the database
	lookEvery     = time.Second     // how often a standby looks who acts
	lookWithin    = 3 * time.Second // how long the database may take to tell
	releaseWithin = 2 * time.Second // how long it may take to take the lease back; then it runs out by itself
)

// Process is one hermes of several. It is made once and run once.
type Process struct {
	Self     Holder
	Listener net.Listener // acting and standing by take turns on it
	TLS      *tls.Config  // of a standby's answers; nil: they are plain HTTP
	Log      *slog.Logger

	// Open opens the database. An error that wraps [ErrRefused] ends the process, others are tried again.
	Open func(context.Context) (Database, error)
	// Act acts until ctx ends or the lease is lost. After an error that wraps [ErrLost] the process stands by again, others end it.
	Act func(context.Context, Lease, net.Listener) error
	// Guard asks for the token of the API.
	Guard func(http.Handler) http.Handler

	Ready    func() // called once, when the process answers requests; it is a standby then
	Ended    func() // called when it stands by again
	Stopping func() // called once, when a stop begins; not while it acts, as Act knows it then

	database Database
	seen     view
}

// Run stands by and acts in turns until ctx ends, or what no other try mends. It gives the lease back after the last write.
func (p *Process) Run(ctx context.Context) error {
	gate := openGate(p.Listener)
	defer gate.close()
	p.seen.self = p.Self
	defer func() {
		if p.database != nil {
			p.database.Close()
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

// standBy answers requests as a standby until this hermes has the lease; nil without an error: ctx has ended before.
func (p *Process) standBy(ctx context.Context, gate *gate, ready func()) (Lease, error) {
	server := p.newServer()
	served := make(chan struct{})
	go func() {
		defer close(served)
		serve(server, gate.turn(nil))
	}()
	defer func() {
		_ = server.Close()
		<-served
	}()
	ready()
	return p.acquire(ctx)
}

// acquire opens the database if that is not done, and waits for the lease.
func (p *Process) acquire(ctx context.Context) (Lease, error) {
	for {
		err := p.open(ctx)
		if errors.Is(err, ErrRefused) {
			return nil, err
		}
		if err == nil {
			lease, err := p.await(ctx)
			if err == nil || ctx.Err() != nil {
				return lease, nil
			}
			p.note(Acting{}, err)
		}
		if retry.Wait(ctx, retryAfter) != nil {
			return nil, nil
		}
	}
}

// open reaches the database, once for the process.
func (p *Process) open(ctx context.Context) (err error) {
	if p.database != nil {
		return nil
	}
	database, err := p.Open(ctx)
	switch {
	case err == nil:
		p.database = database
	case !errors.Is(err, ErrRefused): // what refuses ends the process, which says it
		p.note(Acting{}, err)
	}
	return err
}

// await waits for the lease, and looks meanwhile who has it.
func (p *Process) await(ctx context.Context) (Lease, error) {
	looking, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.look(looking)
	}()
	lease, err := p.database.Acquire(ctx, p.Self)
	stop()
	<-done
	return lease, err
}

// act acts until ctx ends or the lease is lost, and gives the lease back. With an error no further try is of use.
func (p *Process) act(ctx context.Context, gate *gate, lease Lease) error {
	p.seen.forget()
	p.Log.Info("this hermes acts now", "epoch", lease.Epoch())
	err := p.Act(ctx, lease, gate.turn(lease.Valid))
	if late := release(lease); late != nil && err == nil {
		p.Log.Warn("the lease was not given back; it runs out by itself", "err", late)
	}
	if errors.Is(err, ErrLost) {
		p.Log.Error("this hermes acts no more, and stands by", "err", err)
		p.Ended()
		_ = retry.Wait(ctx, retryAfter) // whether ctx has ended, who called asks
		return nil
	}
	return err
}

// release gives the lease back. It does so too when ctx of Run has ended; that is the point of it.
func release(lease Lease) error {
	if lease.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	return lease.Release(ctx)
}
