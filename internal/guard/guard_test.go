package guard_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"hermes/internal/guard"
)

var errOver = errors.New("the lease is over")

// lease may be ended.
type lease struct{ over atomic.Bool }

func (l *lease) valid() error {
	if l.over.Load() {
		return errOver
	}
	return nil
}

func TestTransport(t *testing.T) {
	var l lease
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	defer server.Close()
	client := http.Client{Transport: guard.Transport(http.DefaultTransport, l.valid)}
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
	var l lease
	client, server := net.Pipe()
	dial := guard.Dial(func(context.Context, string, string) (net.Conn, error) { return client, nil }, l.valid)
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
