package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// serve tells systemd when it is ready and when a stop has begun: one that was
// asked for, and one that a failure brings.
func TestServe_NotifiesSystemd(t *testing.T) {
	for name, test := range map[string]struct {
		fault telegram.Fault
		stop  bool
		code  int
	}{
		"asked for": {stop: true},
		"failure":   {fault: telegram.Fault{Kind: telegram.Refuse, Code: http.StatusUnauthorized}, code: exitUsage},
	} {
		testenv.Isolate(t)
		bot := telegram.New(telegram.Options{Token: rig.TestToken})
		if !test.stop {
			bot.FailNext("getUpdates", test.fault)
		}
		api := httptest.NewServer(bot)
		socket := filepath.Join(t.TempDir(), "notify")
		conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
		if err != nil {
			t.Fatal(err)
		}
		for variable, value := range map[string]string{
			"NOTIFY_SOCKET": socket, "HERMES_TELEGRAM_TOKEN": rig.TestToken, "HERMES_TELEGRAM_USERS": "42",
			"HERMES_TELEGRAM_API_URL": api.URL, "HERMES_LISTEN": "127.0.0.1:0",
		} {
			t.Setenv(variable, value)
		}
		root := rootCommand(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
		root.SetArgs([]string{"serve"})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- root.ExecuteContext(ctx) }()
		told := func() string {
			buf := make([]byte, 64)
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second)) // it comes at once, or never
			n, err := conn.Read(buf)
			if err != nil {
				t.Errorf("%s: systemd is not told: %v", name, err)
			}
			return string(buf[:n])
		}
		if got := told(); got != "READY=1" {
			t.Errorf("%s: first comes %q", name, got)
		}
		if test.stop {
			stop()
		}
		if got := told(); got != "STOPPING=1" {
			t.Errorf("%s: then comes %q", name, got)
		}
		if err := <-ended; err != nil && exitCode(err, true) != test.code || err == nil && test.code != 0 {
			t.Errorf("%s: serve ended with %v", name, err)
		}
		stop()
		bot.Close()
		api.Close()
		conn.Close()
	}
}
