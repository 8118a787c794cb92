package relay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"hermes/internal/retry"
	"hermes/internal/standby"
	"hermes/opencode"
	"hermes/opencode/service"
)

const (
	// firstPause and lastPause are how soon it is tried again when hermes or the service cannot
	// be reached, startingPause while the service does not run, and versionPause until one of the two
	// hermes is updated.
	firstPause    = 250 * time.Millisecond
	lastPause     = 10 * time.Second
	startingPause = time.Second
	standbyPause  = time.Second // at most, while a standby may take over
	versionPause  = 30 * time.Second
	// goneAfter is how long the service must be gone until hermes is told that what waited there
	// ended with it. A restart takes 1 to 3 s.
	goneAfter = 10 * time.Second
)

// Config is what a Relay needs.
type Config struct {
	// Address says where hermes is. It is asked before each link is opened.
	Address func() (Address, error)
	Hermes  http.RoundTripper // to hermes; it must follow no redirect
	Service opencode.Service  // of this machine
	Version string            // of this hermes
	Host    string            // this machine's name, for people
	Log     *slog.Logger
}

// Relay links the service of OpenCode 2 on this machine to a hermes on another one. The package's
// comment says what it guarantees.
type Relay struct {
	config  Config
	process string // names the service to hermes, always the same
	known   directories
	current *session  // the link that is open; nil: none
	since   time.Time // when it lost its service; zero: it has not
	problem string    // logged last
}

// New makes a Relay.
func New(c Config) *Relay {
	sum := sha256.Sum256([]byte(c.Service.File.Path))
	return &Relay{config: c, process: "service-" + hex.EncodeToString(sum[:4])}
}

// Run keeps the service linked until ctx ends. hermes then takes the link for lost, and not for the end of what waits
// here.
func (r *Relay) Run(ctx context.Context) {
	defer r.leave()
	for failures := 1; ctx.Err() == nil; failures++ {
		began := time.Now()
		err := r.connect(ctx)
		r.note(ctx, err)
		r.tellGone(err)
		if time.Since(began) > lastPause {
			failures = 1
		}
		if retry.Wait(ctx, pauseAfter(err, failures)) != nil {
			return
		}
	}
}

// pauseAfter is how soon it is tried again. Many machines are not to come back in one moment.
func pauseAfter(err error, failures int) time.Duration {
	switch {
	case isGone(err):
		return startingPause
	case errors.Is(err, errVersion):
		return versionPause
	}
	last := lastPause
	if idle := new(standby.NotActing); errors.As(err, &idle) {
		last = standbyPause
	}
	pause := retry.Backoff(failures, firstPause, last)
	return pause/2 + rand.N(pause/2+1)
}

// isGone reports whether there is no service: it was stopped or killed.
func isGone(err error) bool {
	fault := service.FaultOf(err)
	return fault == service.Absent || fault == service.Stopped
}

// connect follows the service, over a link of its own, until its stream or the link ends. The stream is open
// first: nothing that is asked from then on is missed.
func (r *Relay) connect(ctx context.Context) error {
	c, err := connect(ctx, r.config.Service)
	if err != nil {
		return err
	}
	s := r.newSession(c)
	err = s.listen()
	if err == nil {
		err = r.open(ctx, s)
	}
	if err != nil {
		s.end(err)
		return err
	}
	r.leave() // hermes has ended it
	r.current, r.since, r.problem = s, time.Time{}, ""
	r.config.Log.Info("the OpenCode service is linked", "version", c.Version)
	return s.serve(ctx)
}

// open opens a link to the hermes that acts.
func (r *Relay) open(ctx context.Context, s *session) error {
	address, err := r.config.Address()
	if err != nil {
		return err
	}
	hub := hubClient{token: address.Token, transport: r.config.Hermes}
	hub.all = standby.NewAddresses(address.URLs, hub.ping)
	if hub.url, err = hub.all.Acting(ctx); err != nil {
		return explain(err)
	}
	return s.open(ctx, hub, r.hello(s.service))
}

// leave ends the link that is open, without a word.
func (r *Relay) leave() {
	if r.current != nil {
		r.current.end(context.Canceled)
		r.current = nil
	}
}

// tellGone ends a link whose service stays away. If the service was stopped or killed, hermes is told so.
func (r *Relay) tellGone(err error) {
	switch {
	case r.current == nil:
		return
	case r.current.ctx.Err() != nil:
		r.leave()
		return
	case r.since.IsZero():
		r.since = time.Now()
	}
	if time.Since(r.since) < goneAfter {
		return
	}
	if isGone(err) {
		r.current.sayGone()
	}
	r.leave()
}

// note logs why there is no link, once until that changes.
func (r *Relay) note(ctx context.Context, err error) {
	if ctx.Err() != nil || err == nil || err.Error() == r.problem {
		return
	}
	r.problem = err.Error()
	level := slog.LevelWarn
	switch {
	case isGone(err):
		level = slog.LevelInfo
	case errors.Is(err, errVersion):
		level = slog.LevelError
	}
	r.config.Log.Log(ctx, level, "the OpenCode service is not linked", "err", err)
}
