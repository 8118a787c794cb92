package standby

import (
	"net"
	"sync"
	"time"

	"hermes/internal/retry"
)

// gate is the one listener of a process in which servers take turns. Who connects between two turns waits for the next one.
type gate struct {
	listener net.Listener
	conns    chan net.Conn
	ended    chan struct{} // closed when the listener gives no more; err says why
	err      error
	stop     chan struct{}
	once     sync.Once
}

func openGate(l net.Listener) *gate {
	g := &gate{listener: l, conns: make(chan net.Conn), ended: make(chan struct{}), stop: make(chan struct{})}
	go g.accept()
	return g
}

func (g *gate) accept() {
	defer close(g.ended)
	for {
		c, err := g.listener.Accept()
		if retry.IsTemporary(err) { // for want of descriptors or memory, as net/http's server tells
			g.rest()
			continue
		}
		if err != nil {
			g.err = err
			return
		}
		select {
		case g.conns <- c:
		case <-g.stop:
			_ = c.Close()
		}
	}
}

// rest lets connections end that are open, or the gate close.
func (g *gate) rest() {
	timer := time.NewTimer(100 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-g.stop:
	}
}

// close ends every turn, and waits until nobody is taken in any more.
func (g *gate) close() {
	g.once.Do(func() { close(g.stop) })
	_ = g.listener.Close()
	<-g.ended
}

// turn is a listener for one server, until it closes it. Its connections send only while may agrees; nil: always.
func (g *gate) turn(may May) net.Listener {
	return &turn{gate: g, may: may, over: make(chan struct{})}
}

type turn struct {
	gate *gate
	may  May
	over chan struct{}
	once sync.Once
}

// Accept implements net.Listener.
func (t *turn) Accept() (net.Conn, error) {
	select {
	case <-t.over:
		return nil, net.ErrClosed
	default:
	}
	select {
	case c := <-t.gate.conns:
		if t.may != nil {
			c = guardConn(c, t.may)
		}
		return c, nil
	case <-t.over:
		return nil, net.ErrClosed
	case <-t.gate.ended:
		return nil, t.gate.err
	}
}

// Close ends the turn alone.
func (t *turn) Close() error {
	t.once.Do(func() { close(t.over) })
	return nil
}

// Addr implements net.Listener.
func (t *turn) Addr() net.Addr { return t.gate.listener.Addr() }
