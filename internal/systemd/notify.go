package systemd

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// Notifier tells systemd how hermes is (sd_notify(3)). Outside of a unit of
// Type=notify it does nothing.
type Notifier struct {
	Send     func(state string) error
	Watchdog time.Duration // systemd restarts hermes after this much silence; 0: never
}

// NewNotifier reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. A socket name
// that begins with @ is in Linux' abstract namespace, which package net knows.
func NewNotifier(getenv func(string) string) Notifier {
	socket := getenv("NOTIFY_SOCKET")
	if socket == "" {
		return Notifier{Send: func(string) error { return nil }}
	}
	n := Notifier{Send: func(state string) error { return sendDatagram(socket, state) }}
	usec, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 50)
	pid := getenv("WATCHDOG_PID")
	if err == nil && usec > 0 && (pid == "" || pid == strconv.Itoa(os.Getpid())) {
		n.Watchdog = time.Duration(usec) * time.Microsecond
	}
	return n
}

func sendDatagram(socket, state string) error {
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(state)); err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	return nil
}

// Ready says that the start-up is done.
func (n Notifier) Ready() error { return n.Send("READY=1") }

// Stopping says that an orderly stop has begun.
func (n Notifier) Stopping() error { return n.Send("STOPPING=1") }

// Status says in one line what the program does, for systemctl status.
func (n Notifier) Status(line string) error { return n.Send("STATUS=" + line) }

// Watch feeds the watchdog at twice the pace that it needs, as long as alive
// says so, until ctx ends. A failed send is not reported: if it lasts, systemd
// does what a watchdog is for.
func (n Notifier) Watch(ctx context.Context, alive func() bool) {
	if n.Watchdog == 0 {
		return
	}
	tick := time.NewTicker(n.Watchdog / 2)
	defer tick.Stop()
	for {
		if alive() {
			_ = n.Send("WATCHDOG=1")
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
