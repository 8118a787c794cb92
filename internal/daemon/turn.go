package daemon

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"hermes/internal/api"
	"hermes/internal/database"
	"hermes/internal/guard"
)

// ErrLost means that the daemon's lease is lost: another hermes acts, or may.
var ErrLost = errors.New("this hermes does not act any more")

// may is whether the daemon may act, for those who send; nil: always.
func (d *Daemon) may() guard.May {
	if d.out.Turn == nil {
		return nil
	}
	return d.out.Turn.Valid
}

// keeps is whether the store takes changes, for those who must not send what could not be stored; nil: it is the daemon's alone, and does.
func (d *Daemon) keeps() func() error {
	if d.out.Turn == nil {
		return nil
	}
	return d.Store.Proven
}

// mayAct is nil while the daemon may act, or why it may not.
func (d *Daemon) mayAct() error {
	if d.out.Turn == nil {
		return nil
	}
	select {
	case <-d.out.Turn.Done():
		return d.out.Turn.Err()
	default:
		return d.out.Turn.Valid()
	}
}

// lost is closed when the lease is lost; nil: there is none to be lost.
func (d *Daemon) lost() <-chan struct{} {
	if d.out.Turn == nil {
		return nil
	}
	return d.out.Turn.Done()
}

func (d *Daemon) lossError() error { return fmt.Errorf("%w: %w", ErrLost, d.mayAct()) }

// opencodeTransport reaches OpenCode's servers, while the daemon may act.
func (d *Daemon) opencodeTransport() http.RoundTripper {
	transport := d.out.Opencode
	if transport == nil {
		network := &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute} // no proxy: they are near
		if may := d.may(); may != nil {
			network.DialContext = guard.Dial((&net.Dialer{}).DialContext, may)
		}
		d.idle = network.CloseIdleConnections
		transport = network
	}
	if may := d.may(); may != nil {
		return guard.Transport(transport, may)
	}
	return transport
}

// leaseStatus is what GET /v1/status tells of the lease; nil: there is none.
func (d *Daemon) leaseStatus() *api.Lease {
	t := d.out.Turn
	if t == nil {
		return nil
	}
	who := database.Self(d.config)
	return &api.Lease{Name: who.Name, Address: who.Address, Epoch: t.Epoch(), Age: t.Age().Seconds(), Delay: t.Delay().Seconds()}
}
