//go:build e2e && postgres && linux

package e2e_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"testing"
	"time"
)

// echo is a server that sends each line back.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for lines := bufio.NewScanner(c); lines.Scan(); {
					fmt.Fprintln(c, lines.Text())
				}
			}()
		}
	}()
	return l.Addr().String()
}

// member is a hermes that this process is.
func member() *hermes {
	h := &hermes{}
	h.pid.Store(int64(os.Getpid()))
	return h
}

// TestNetwork holds what the tests of takeovers rely on: what is silent passes later, what is broken fails at once, and each only for whom it was cut.
func TestNetwork(t *testing.T) {
	t.Parallel()
	own := member()
	n := newNetwork(t, own)
	address := n.way(toTelegram, echo(t))
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	lines := bufio.NewScanner(c)
	pass := func(want string) {
		t.Helper()
		fmt.Fprintln(c, want)
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("got %q, %v, want %q", lines.Text(), lines.Err(), want)
		}
	}
	pass("before")
	n.set(own, silent, allSides()...)
	fmt.Fprintln(c, "amid")
	_ = c.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	if k, err := c.Read(make([]byte, 1)); err == nil {
		t.Errorf("%d bytes pass what is silent", k)
	}
	_ = c.SetReadDeadline(time.Time{})
	n.set(own, whole, allSides()...)
	if !lines.Scan() || lines.Text() != "amid" {
		t.Errorf("what was sent in the silence comes as %q, %v", lines.Text(), lines.Err())
	}
	pass("after")
	if want := len("before\namid\nafter\n"); n.said(own) != want {
		t.Errorf("%d bytes were counted, want %d", n.said(own), want)
	}
	n.set(own, broken, allSides()...)
	if lines.Scan() || lines.Err() == nil {
		t.Errorf("a broken connection: %q, %v", lines.Text(), lines.Err())
	}
	n.set(own, whole, allSides()...)
	own.pid.Store(0)
	n.set(own, broken, allSides()...)
	if c, err = net.Dial("tcp", address); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	lines = bufio.NewScanner(c)
	pass("nobody's")
}
