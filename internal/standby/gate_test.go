package standby

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
)

// listener gives connections, after it has failed a few times as one does that has no descriptor left.
type listener struct {
	mu     sync.Mutex
	fails  int
	closed chan struct{}
	conns  chan net.Conn
}

func (l *listener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fails--; l.fails >= 0 {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept", syscall.EMFILE)}
	}
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error   { close(l.closed); return nil }
func (l *listener) Addr() net.Addr { return &net.TCPAddr{} }

// Who connects between two turns is taken in by the next one; a turn that is over takes nobody; and a want of descriptors passes.
func TestGate_Turns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{fails: 3, closed: make(chan struct{}), conns: make(chan net.Conn)}
		g := openGate(l)
		first := g.turn(nil)
		a, b := net.Pipe()
		defer a.Close()
		defer b.Close()
		l.conns <- a
		if c, err := first.Accept(); err != nil || c != a {
			t.Errorf("the first turn: %v, %v", c, err)
		}
		first.Close()
		l.conns <- b
		if _, err := first.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a turn that is over: %v", err)
		}
		over := errors.New("over")
		second := g.turn(func() error { return over })
		c, err := second.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte("x")); !errors.Is(err, over) {
			t.Errorf("a write that is refused: %v", err)
		}
		g.close()
		if _, err := second.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("behind the end: %v", err)
		}
	})
}
