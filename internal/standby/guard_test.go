package standby_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"hermes/internal/standby"
)

var errOver = errors.New("the lease is over")

// endingLease may be ended.
type endingLease struct{ over atomic.Bool }

func (l *endingLease) valid() error {
	if l.over.Load() {
		return errOver
	}
	return nil
}

func TestTransport(t *testing.T) {
	var l endingLease
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	defer server.Close()
	client := http.Client{Transport: standby.GuardTransport(http.DefaultTransport, l.valid)}
	defer client.CloseIdleConnections()
	res, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	l.over.Store(true)
	if _, err := client.Post(server.URL, "text/plain", strings.NewReader("x")); !errors.Is(err, errOver) || calls.Load() != 1 {
		t.Errorf("%v, after %d calls", err, calls.Load())
	}
}

// A call that waits for its connection when the lease ends is not sent on it.
func TestDial_NothingIsSentOnAConnectionThatIsOpen(t *testing.T) {
	var l endingLease
	client, server := net.Pipe()
	dial := standby.GuardDial(func(context.Context, string, string) (net.Conn, error) { return client, nil }, l.valid)
	c, err := dial(t.Context(), "tcp", "hermes.test:1")
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		b, _ := io.ReadAll(server)
		got <- string(b)
	}()
	if _, err := c.Write([]byte("before")); err != nil {
		t.Fatal(err)
	}
	l.over.Store(true)
	if n, err := c.Write([]byte("after")); n != 0 || !errors.Is(err, errOver) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if text := <-got; text != "before" {
		t.Errorf("the other end got %q", text)
	}
}

// What was written, and waits in the system until the network takes it, is dropped with the connection, and only when the lease is over.
func TestConn_WhatHasNotArrivedIsDropped(t *testing.T) {
	for name, over := range map[string]bool{"the lease is over": true, "it is not": false} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			var ends endingLease
			c, err := standby.GuardDial((&net.Dialer{}).DialContext, ends.valid)(t.Context(), "tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			far, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer far.Close()
			if _, err := c.Write([]byte("written")); err != nil {
				t.Fatal(err)
			}
			ends.over.Store(over)
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, far)
			if reset := errors.Is(err, syscall.ECONNRESET); reset != over {
				t.Errorf("the other end reads until %v", err)
			}
		})
	}
}
