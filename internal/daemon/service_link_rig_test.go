package daemon_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/secret"
	opencode2 "hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/rig"
	"hermes/opencode"
	"hermes/opencode/relay"
	"hermes/opencode/service"
)

// linkName is the name of the link of a service on another machine.
const linkName = "laptop-7"

// linkedHost is the name of that machine.
const linkedHost = "laptop"

// errCut is how a request fails that finds no way.
var errCut = errors.New("connection reset by peer")

// relayRig is hermes link run beside a service on another machine.
type relayRig struct {
	s     *serviceRig
	token secret.Text
	stop  context.CancelFunc
	done  chan struct{}
}

// playLinkedService is playService with a service on another machine: hermes reaches it over a link alone, and
// its file is not hermes'.
func playLinkedService(t *testing.T, shape opencode2.Shape, alter func(*config.Config), test func(*serviceRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "opencode", "service.json")
		s := newServiceAt(t, shape, file, func(c *config.Config) {
			c.OpenCodeService = ""
			if alter != nil {
				alter(c)
			}
		})
		s.Rig.Start()
		s.Say("/start", 0)
		token, err := s.Links().Add(t.Context(), linkName, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.Relay = &relayRig{s: s, token: token}
		s.Relay.Start()
		defer s.End()
		test(s)
	})
}

// Start starts the process, and waits until it has had the time to link.
func (r *relayRig) Start() {
	ctx, stop := context.WithCancel(context.Background())
	r.stop, r.done = stop, make(chan struct{})
	one := relay.New(relay.Config{
		Address: func() (relay.Address, error) {
			return relay.Address{URLs: []string{"http://hermes.test"}, Token: r.token}, nil
		},
		Hermes: rig.RoundTripper(r.toHermes), Service: opencode.Service{File: r.file(), Transport: rig.RoundTripper(r.s.dial)},
		Version: "1.0.0", Host: linkedHost, Log: secret.NewLogger(&r.s.Log, slog.LevelDebug, "text", secret.NewRedactor()),
	})
	done := r.done
	go func() {
		defer close(done)
		one.Run(ctx)
	}()
	r.s.Wait(2 * time.Second)
}

func (r *relayRig) file() service.File {
	return service.File{Path: r.s.File, IsRunning: func(pid int) bool { return r.s.runs.Load().Running() && pid == r.s.runs.Load().PID() }}
}

// Kill makes the process end, in the middle of whatever it does. Stop waits until it has.
func (r *relayRig) Kill() { r.stop() }

// Stop ends the process without a word to hermes, as a kill does.
func (r *relayRig) Stop() {
	r.stop()
	<-r.done
}

// toHermes is the way from that machine to the daemon that runs now.
func (r *relayRig) toHermes(req *http.Request) (*http.Response, error) {
	if cut := r.s.Cut.Load(); cut != nil && (*cut)(req) {
		return nil, errCut
	}
	lost := false
	if lose := r.s.Lose.Load(); lose != nil {
		lost = (*lose)(req)
	}
	res, err := r.s.RoundTrip(req)
	if err == nil && lost {
		_ = res.Body.Close()
		return nil, errCut
	}
	return res, err
}
