package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// notifier tells systemd how hermes is (sd_notify(3)). Outside of a unit of
// Type=notify it does nothing.
type notifier struct {
	send     func(state string) error
	watchdog time.Duration // systemd restarts hermes after this much silence; 0: never
}

// newNotifier reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. A socket name
// that begins with @ is in Linux' abstract namespace, which package net knows.
func newNotifier(getenv func(string) string) notifier {
	socket := getenv("NOTIFY_SOCKET")
	if socket == "" {
		return notifier{send: func(string) error { return nil }}
	}
	n := notifier{send: func(state string) error { return datagram(socket, state) }}
	usec, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 50)
	pid := getenv("WATCHDOG_PID")
	if err == nil && usec > 0 && (pid == "" || pid == strconv.Itoa(os.Getpid())) {
		n.watchdog = time.Duration(usec) * time.Microsecond
	}
	return n
}

func datagram(socket, state string) error {
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

// ready says that the start-up is done.
func (n notifier) ready() error { return n.send("READY=1") }

// stopping says that an orderly stop has begun.
func (n notifier) stopping() error { return n.send("STOPPING=1") }

// watch feeds the watchdog at twice the pace that it needs, as long as alive
// says so, until ctx ends. A failed send is not reported: if it lasts, systemd
// does what a watchdog is for.
func (n notifier) watch(ctx context.Context, alive func() bool) {
	if n.watchdog == 0 {
		return
	}
	tick := time.NewTicker(n.watchdog / 2)
	defer tick.Stop()
	for {
		if alive() {
			_ = n.send("WATCHDOG=1")
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
