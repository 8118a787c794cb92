package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync/atomic"

	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/secret"
	"hermes/internal/standby"
	"hermes/opencode/link"
	"hermes/pending"
)

// Turns is a process that shares its database with others: a daemon for each lease that it gets, and a standby in between. It is made once and run once.
type Turns struct {
	Config  config.Config
	Token   secret.Text // of the API
	Log     *slog.Logger
	Outside Outside // of each daemon; Open, Turn and Listener are set here, the latter if it is nil
	Open    func(context.Context) (standby.Database, error)
	HangUps <-chan os.Signal // each has what acts read its configuration again; nil: none come

	Ready    func()        // called once, when the process answers requests; it is a standby then
	Began    func(*Daemon) // called when it acts
	Ended    func()        // called when it stands by again
	Stopping func()        // called once, when a stop begins

	acting atomic.Pointer[Daemon]
}

// Run takes turns until ctx ends, or what no other try mends; see [standby.Process].
func (t *Turns) Run(ctx context.Context) (err error) {
	p := &standby.Process{
		Self: database.Self(t.Config), Listener: t.Outside.Listener, Log: t.Log, Guard: link.Access{API: t.Token}.Guard,
		Open: t.Open, Act: t.act, Ready: t.Ready, Ended: t.Ended, Stopping: t.Stopping,
	}
	pair, err := LoadCertificate(t.Config)
	if err != nil {
		return err
	}
	if pair != nil {
		p.TLS = &tls.Config{GetCertificate: pair.ForHandshake}
	}
	if p.Listener == nil {
		if p.Listener, err = Listen(t.Config); err != nil {
			return err
		}
	}
	return p.Run(ctx)
}

// Alive reports whether the process works: a daemon's loop answers, and a standby only waits.
func (t *Turns) Alive(ctx context.Context) bool {
	d := t.acting.Load()
	return d == nil || d.Alive(ctx)
}

// act is a daemon until ctx ends or the lease is lost. An error that is no [standby.ErrLost] is one that another lease does not mend.
func (t *Turns) act(ctx context.Context, lease standby.Lease, l net.Listener) error {
	out := t.Outside
	out.Turn, out.Listener = lease, l
	out.Open = func(o pending.Options) (*pending.Store, error) {
		store, err := pending.OpenShared(lease.DB(), o)
		if err == nil {
			err = store.KeepBot(t.Config.BotID())
		}
		if err != nil {
			return nil, fmt.Errorf("HERMES_STORE: the database cannot be read: %w", err)
		}
		return store, nil
	}
	err := t.run(ctx, out)
	switch {
	case err == nil, errors.Is(err, standby.ErrLost):
		return err
	case errors.Is(err, pending.ErrNewer), errors.Is(err, pending.ErrForeign), errors.Is(err, pending.ErrUnfinished), errors.Is(err, pending.ErrOtherBot):
		return err
	}
	return fmt.Errorf("%w: %w", standby.ErrLost, err)
}

func (t *Turns) run(ctx context.Context, out Outside) error {
	d, err := New(t.Config, t.Token, t.Log, out)
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	go d.ReloadOnSignal(running, t.HangUps)
	t.acting.Store(d)
	defer t.acting.Store(nil)
	return d.Run(ctx, func() { t.Began(d) }, t.Stopping)
}
