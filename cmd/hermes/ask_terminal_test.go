package main

import (
	"context"
	"net"
	"testing"
	"time"

	"hermes/internal/daemon"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/pending"
)

// serve runs hermes on the desk, for commands that speak with it over a socket.
func (d *desk) serve() *opencode.Simulator {
	d.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.t.Fatal(err)
	}
	agent := opencode.New(opencode.Options{Version: opencode.VersionNew, Directory: "/home/ada/src/shop-api", Password: rig.Password})
	c := rig.TestConfig(d.path("state", "hermes.db"))
	c.NotifyDelay, c.Rules = 0, d.rules
	var log testenv.LockedBuffer
	h, err := daemon.New(c, rig.HookKey, secret.NewLogger(&log, c.LogLevel, c.LogFormat, secret.NewRedactor(append(c.Secrets(), rig.HookKey)...)), daemon.Outside{
		Telegram: d.telegram.Transport(), Opencode: agent.Transport(), Listener: listener, Store: pending.Options{NoSync: true},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx, func() {}, func() {}) }()
	d.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			d.t.Error(err)
		}
		agent.Stop()
		rig.NoCanary(d.t, "the log", log.String())
	})
	d.env = append(d.env, "HERMES_LISTEN="+listener.Addr().String(), "HERMES_DB="+c.DB, "HERMES_HOOK_TOKEN="+rig.HookKey)
	if _, err := d.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		d.t.Fatal(err)
	}
	d.shows("👋 Hello")
	return agent
}

// shows waits until a message to Ada has the text, and returns its id.
func (d *desk) shows(text string) int {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	m, err := d.telegram.AwaitText(ctx, rig.Ada, text)
	if err != nil {
		d.t.Fatal(err)
	}
	return m.ID
}

func (d *desk) taps(text, label string) {
	d.t.Helper()
	if _, err := d.telegram.Tap(rig.Ada, rig.Ada, d.shows(text), label); err != nil {
		d.t.Fatal(err)
	}
}

// Until when it waits is on the screen while it waits, and gone when it has ended.
func TestAsk_InATerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.runs = "ask"
	d.serve()
	s := d.screen("Deploy to production?", "--option", "yes", "--option", "no", "--ttl", "5m")
	s.await("Waiting for an answer")
	s.await("Waiting for an answer until ")
	s.await(" · ctrl-C withdraws")
	d.taps("Deploy to production?", "1.")
	s.await("\r\x1b[Kyes\n")
	s.ended(0)

	s = d.screen("Deploy again?", "--option", "yes")
	d.shows("Deploy again?")
	s.press("\x03")
	s.await("hermes: withdrawn")
	s.ended(exitCancelled)
	d.shows("Withdrawn by the program that asked")
}
