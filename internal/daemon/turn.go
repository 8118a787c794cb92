package daemon

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"time"

	"hermes/internal/api"
	"hermes/internal/database"
	"hermes/internal/standby"
)

// may is whether the daemon may act, for those who send: a change that was not stored, or a lease that is lost, ends that at once.
func (d *Daemon) may() standby.May {
	if d.out.Turn == nil {
		return d.Store.Err
	}
	return func() error { return cmp.Or(d.out.Turn.Valid(), d.Store.Err()) }
}

// keeps is whether the store takes changes, for those who must not send what could not be stored; nil: it is the daemon's alone, and does.
func (d *Daemon) keeps() func() error {
	if d.out.Turn == nil {
		return nil
	}
	return d.Store.Proven
}

// mayAct is nil while the daemon may act, or why it may not: a store that did not take a change, or a lease that is lost. Of a store that others share
// both are a [standby.ErrLost]: this hermes stands by then, and whoever acts next reads what is stored.
func (d *Daemon) mayAct() error {
	err := d.Store.Err()
	if d.out.Turn != nil {
		select {
		case <-d.out.Turn.Done():
			err = d.out.Turn.Err()
		default:
			err = cmp.Or(d.out.Turn.Valid(), err)
		}
		if err != nil {
			err = fmt.Errorf("%w: %w", standby.ErrLost, err)
		}
		return err
	}
	if err != nil {
		err = fmt.Errorf("%w; hermes stops, so that nothing happens that is not stored: make room on that disk, or make it writable, and start hermes again, "+
			"as a service manager does by itself; what was not stored still waits at Telegram and OpenCode", err)
	}
	return err
}

// lost is closed when the lease is lost; nil: there is none to be lost.
func (d *Daemon) lost() <-chan struct{} {
	if d.out.Turn == nil {
		return nil
	}
	return d.out.Turn.Done()
}

// opencodeTransport reaches OpenCode's servers, while the daemon may act.
func (d *Daemon) opencodeTransport() http.RoundTripper {
	transport := d.out.Opencode
	if transport == nil {
		network := &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute} // no proxy: they are near
		network.DialContext = standby.GuardDial((&net.Dialer{}).DialContext, d.may())
		d.idle = network.CloseIdleConnections
		transport = network
	}
	return standby.GuardTransport(transport, d.may())
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
