package standby

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"hermes/internal/retry"
)

const (
	pingEvery   = 2 * time.Second // while a request or a link is under way
	pingTimeout = 3 * time.Second
	takeover    = 10 * time.Second // how long a standby is waited for that may take over
	firstPause  = 250 * time.Millisecond
	lastPause   = time.Second
)

// Ping asks an address for something that a hermes answers at once; it gives what Judge says of the answer, or the network's
// error. Its ctx ends after three seconds.
type Ping func(ctx context.Context, address string) error

// Addresses are those at which a client may find the hermes that acts. With one address alone nothing is sought, and no ping
// is sent. It is safe for concurrent use.
type Addresses struct {
	list []string
	ping Ping

	mu    sync.Mutex
	found string // where it acted last; empty: it is to be sought
}

// NewAddresses makes Addresses of one URL or more.
func NewAddresses(list []string, ping Ping) *Addresses { return &Addresses{list: list, ping: ping} }

// Several reports whether there is more than one address.
func (a *Addresses) Several() bool { return len(a.list) > 1 }

// String names the addresses for people.
func (a *Addresses) String() string { return strings.Join(a.list, ", ") }

// Send makes one request at an address.
type Send func(ctx context.Context, address string) (*http.Response, error)

// Do makes a request at the hermes that acts, and returns any answer but a standby's. What a standby answered, or what reached
// nobody, was not carried out: it is made again, elsewhere or after the takeover, for ten seconds at most. What may have been carried out is
// not made again, but the next request is made elsewhere. A hermes that leaves pings without an answer is not waited for. The
// error is *NotActing where nobody acts, else that of an address.
func (a *Addresses) Do(ctx context.Context, send Send) (*http.Response, error) {
	for until := time.Now().Add(takeover); ; {
		address, err := a.Acting(ctx)
		if err != nil {
			return nil, err
		}
		res, err := a.request(ctx, address, send)
		if err == nil {
			return res, nil
		}
		a.leave(address)
		if !a.Several() || !isUnheard(err) || time.Now().After(until) {
			return nil, err
		}
		if err := retry.Wait(ctx, firstPause); err != nil {
			return nil, err
		}
	}
}

// request makes a request, and watches the address until the answer's body is closed.
func (a *Addresses) request(ctx context.Context, address string, send Send) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	if a.Several() {
		go func() { cancel(a.Watch(ctx, address)) }()
	}
	res, err := send(ctx, address)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		cancel(nil)
		return nil, err
	}
	if reply, ok := ReplyOf(res); ok {
		res.Body.Close()
		cancel(nil)
		return nil, &NotActing{address, reply.Acting, reply.Error}
	}
	res.Body = body{res.Body, closer{res.Body, cancel}}
	return res, nil
}

// closer closes a body and ends what watches it.
type closer struct {
	io.Closer
	cancel context.CancelCauseFunc
}

func (c closer) Close() error {
	defer c.cancel(nil)
	return c.Closer.Close()
}

// isUnheard reports whether a request that failed so was certainly not carried out.
func isUnheard(err error) bool {
	var standby *NotActing
	var op *net.OpError
	return errors.As(err, &standby) || errors.As(err, &op) && op.Op == "dial"
}

// Watch pings an address every two seconds. It returns why the hermes there does not act any more, or does not answer, and
// ctx's error when that ends.
func (a *Addresses) Watch(ctx context.Context, address string) error {
	for {
		if err := retry.Wait(ctx, pingEvery); err != nil {
			return err
		}
		var refused *Refused
		if err := a.look(ctx, address); err != nil && !errors.As(err, &refused) && ctx.Err() == nil {
			a.leave(address)
			return err
		}
	}
}

// leave forgets where hermes acted.
func (a *Addresses) leave(address string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found == address {
		a.found = ""
	}
}

// look pings an address once.
func (a *Addresses) look(ctx context.Context, address string) error {
	if !a.Several() {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	err := a.ping(limited, address)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("%s does not answer within %v", address, pingTimeout)
	}
	return err
}

// Acting is the address of the hermes that acts: the one of the last time, until that has failed; else all are asked at once, and
// the first that acts is taken. While a standby is among them this may take ten seconds. Where nobody acts, an address that refused the
// ping is the answer: it says why.
func (a *Addresses) Acting(ctx context.Context) (string, error) {
	a.mu.Lock()
	found := a.found
	a.mu.Unlock()
	switch {
	case len(a.list) == 1:
		return a.list[0], nil
	case found != "":
		return found, nil
	}
	found, err := a.seekAll(ctx)
	if err == nil {
		a.mu.Lock()
		a.found = found
		a.mu.Unlock()
	}
	return found, err
}

// sighting is what a ping of an address has shown.
type sighting struct {
	address string
	err     error // nil: it acts
}

func (a *Addresses) seekAll(ctx context.Context) (string, error) {
	limited, cancel := context.WithTimeout(ctx, takeover)
	defer cancel()
	seen := make(chan sighting)
	for _, address := range a.list {
		go a.seek(limited, address, seen)
	}
	for all := (sightings{}); ; {
		select {
		case s := <-seen:
			if s.err == nil {
				return s.address, nil
			}
			all[s.address] = s.err
			if len(all) == len(a.list) && all.standby() == nil {
				return all.verdict(a.list)
			}
		case <-limited.Done():
			if err := ctx.Err(); err != nil {
				return "", err
			}
			return all.verdict(a.list)
		}
	}
}

// seek pings an address until that acts or ctx ends.
func (a *Addresses) seek(ctx context.Context, address string, seen chan<- sighting) {
	for n := 1; ; n++ {
		err := a.look(ctx, address)
		select {
		case seen <- sighting{address, err}:
		case <-ctx.Done():
			return
		}
		if err == nil || retry.Wait(ctx, retry.Backoff(n, firstPause, lastPause)) != nil {
			return
		}
	}
}

// sightings are what was seen of each address.
type sightings map[string]error

// standby is one of the standbys, nil if there is none.
func (all sightings) standby() *NotActing {
	var s *NotActing
	for _, err := range all {
		if errors.As(err, &s) {
			return s
		}
	}
	return nil
}

// verdict is what holds where nobody acts.
func (all sightings) verdict(list []string) (string, error) {
	var refused *Refused
	for _, address := range list {
		if errors.As(all[address], &refused) {
			return address, nil
		}
	}
	if s := all.standby(); s != nil {
		return "", s
	}
	return "", all.failure(list)
}

// failure is the error of an address. That nothing listens is told only where that is so at all of them.
func (all sightings) failure(list []string) error {
	var told error
	for _, address := range list {
		if err := all[address]; told == nil || errors.Is(told, syscall.ECONNREFUSED) && err != nil {
			told = err
		}
	}
	if told == nil {
		return context.DeadlineExceeded
	}
	return told
}
