package rig

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
	"hermes/opencode"
	"hermes/opencode/relay"
	"hermes/opencode/service"
)

// LinkName is the name of the link of a service on another machine.
const LinkName = "laptop-7"

// linkedHost is the name of that machine.
const linkedHost = "laptop"

// errCut is how a request fails that finds no way.
var errCut = errors.New("connection reset by peer")

// Relay is hermes link run beside a service on another machine.
type Relay struct {
	s     *Service
	token secret.Text
	stop  context.CancelFunc
	done  chan struct{}
}

// PlayLinkedService is PlayService with a service on another machine: hermes reaches it over a link alone, and
// its file is not hermes'.
func PlayLinkedService(t *testing.T, shape opencode2.Shape, alter func(*config.Config), test func(*Service)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "opencode", "service.json")
		s := NewServiceAt(t, shape, file, func(c *config.Config) {
			c.OpenCodeService = ""
			if alter != nil {
				alter(c)
			}
		})
		s.Rig.Start()
		s.Say("/start", 0)
		token, err := s.Links().Add(t.Context(), LinkName, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.Relay = &Relay{s: s, token: token}
		s.Relay.Start()
		defer s.End()
		test(s)
	})
}

// Start starts the process, and waits until it has had the time to link.
func (r *Relay) Start() {
	ctx, stop := context.WithCancel(context.Background())
	r.stop, r.done = stop, make(chan struct{})
	one := relay.New(relay.Config{
		Address: func() (relay.Address, error) {
			return relay.Address{URLs: []string{"http://hermes.test"}, Token: r.token}, nil
		},
		Hermes: RoundTripper(r.toHermes), Service: opencode.Service{File: r.file(), Transport: RoundTripper(r.s.dial)},
		Version: "1.0.0", Host: linkedHost, Log: secret.NewLogger(&r.s.Log, slog.LevelDebug, "text", secret.NewRedactor()),
	})
	done := r.done
	go func() {
		defer close(done)
		one.Run(ctx)
	}()
	r.s.Wait(2 * time.Second)
}

func (r *Relay) file() service.File {
	return service.File{Path: r.s.File, IsRunning: func(pid int) bool { return r.s.runs.Load().Running() && pid == r.s.runs.Load().PID() }}
}

// Kill makes the process end, in the middle of whatever it does. Stop waits until it has.
func (r *Relay) Kill() { r.stop() }

// Stop ends the process without a word to hermes, as a kill does.
func (r *Relay) Stop() {
	r.stop()
	<-r.done
}

// toHermes is the way from that machine to the daemon that runs now.
func (r *Relay) toHermes(req *http.Request) (*http.Response, error) {
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
