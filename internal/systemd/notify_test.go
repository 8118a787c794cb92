package systemd_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/systemd"
)

func TestNotifier_Sends(t *testing.T) {
	for _, socket := range []string{
		filepath.Join(t.TempDir(), "notify"),
		"@hermes-notify-test-" + strconv.Itoa(os.Getpid()),
	} {
		conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		n := systemd.NewNotifier(environment{"NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "3000000"}.get)
		if n.Watchdog != 3*time.Second {
			t.Errorf("got watchdog %v, want 3s", n.Watchdog)
		}
		for want, say := range map[string]func() error{"READY=1": n.Ready, "STOPPING=1": n.Stopping, "STATUS=stands by": func() error { return n.Status("stands by") }} {
			if err := say(); err != nil {
				t.Fatal(err)
			}
			buf := make([]byte, 64)
			size, err := conn.Read(buf)
			if got := string(buf[:size]); got != want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		}
	}
}

func TestNotifier_Errors(t *testing.T) {
	n := systemd.NewNotifier(environment{"NOTIFY_SOCKET": filepath.Join(t.TempDir(), "none")}.get)
	if err := n.Ready(); err == nil {
		t.Error("got no error where nothing listens")
	}
	if err := systemd.NewNotifier(environment{}.get).Ready(); err != nil {
		t.Errorf("outside of systemd: got %v", err)
	}
}

func TestNotifier_WatchdogOfAnotherProcess(t *testing.T) {
	for _, test := range []struct {
		usec, pid string
		want      time.Duration
	}{
		{"2000000", "", 2 * time.Second},
		{"2000000", strconv.Itoa(os.Getpid()), 2 * time.Second},
		{"2000000", "1", 0},
		{"-1", "", 0},
		{"x", "", 0},
		{"9223372036854775807", "", 0},
	} {
		n := systemd.NewNotifier(environment{"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": test.usec, "WATCHDOG_PID": test.pid}.get)
		if n.Watchdog != test.want {
			t.Errorf("%+v: got %v", test, n.Watchdog)
		}
	}
}

func TestNotifier_WatchFeedsOnlyWhileAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var fed int
		var alive atomic.Bool
		alive.Store(true)
		n := systemd.Notifier{Watchdog: 10 * time.Second, Send: func(state string) error {
			if state != "WATCHDOG=1" {
				t.Errorf("got %q", state)
			}
			fed++
			return nil
		}}
		done := make(chan struct{})
		go func() { n.Watch(ctx, alive.Load); close(done) }()
		time.Sleep(12 * time.Second) // at 0, 5 and 10 s
		synctest.Wait()
		alive.Store(false)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if fed != 3 {
			t.Errorf("fed %d times, want 3", fed)
		}
		cancel()
		<-done
	})
}

// environment stands in for os.Getenv.
type environment map[string]string

func (e environment) get(name string) string { return e[name] }
