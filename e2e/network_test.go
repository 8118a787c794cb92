//go:build e2e && postgres && linux

package e2e_test

import (
	"net"
	"strings"
	"sync"
	"testing"
)

// network is all that several hermes speak over: TCP connections, each of which passes through the test. An address is the same for all of them, as it
// is in their configurations; a connection belongs to the hermes that opened it, or whom it goes to, and what belongs to one can be cut.
type network struct {
	t       testing.TB
	members []*hermes

	mu      sync.Mutex
	states  map[*hermes]map[side]state
	changed chan struct{} // closed and replaced when a state changes
	open    map[*connection]bool
	sent    map[*hermes]int // bytes that it sent to Telegram and to OpenCode
}

// side is what a connection leads to.
type side string

const (
	toTelegram side = "telegram"
	toOpenCode side = "opencode"
	toStore    side = "store"
	fromLinks  side = "links"
)

// allSides is everything that a machine loses with its network.
func allSides() []side { return []side{toTelegram, toOpenCode, toStore, fromLinks} }

// state is how connections do.
type state int

const (
	whole  state = iota
	silent       // nothing passes, and nobody is told: what is sent arrives when the network is whole again, as TCP sends it once more
	broken       // connections are reset, and so are new ones
)

// newNetwork is the whole network of these hermes.
func newNetwork(t testing.TB, members ...*hermes) *network {
	n := &network{
		t: t, members: members, states: map[*hermes]map[side]state{}, changed: make(chan struct{}), open: map[*connection]bool{}, sent: map[*hermes]int{},
	}
	for _, h := range members {
		n.states[h] = map[side]state{}
	}
	return n
}

// way is a new address, by which all reach what listens at another. Who is no member has a way that is always whole.
func (n *network) way(s side, to string) (address string) {
	return n.listen(func(client net.Conn) *connection {
		return &connection{owner: n.ownerOf(client), side: s, client: client, to: to, done: make(chan struct{})}
	})
}

// gate is a new address, by which others reach what a hermes serves.
func (n *network) gate(h *hermes) (address string) {
	return n.listen(func(client net.Conn) *connection {
		return &connection{owner: h, side: fromLinks, client: client, to: h.listen, done: make(chan struct{})}
	})
}

func (n *network) listen(accept func(net.Conn) *connection) (address string) {
	n.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		l.Close()
		n.closeAll(func(*connection) bool { return true })
	})
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go n.carry(accept(client))
		}
	}()
	return l.Addr().String()
}

// set changes how connections of a hermes do.
func (n *network) set(h *hermes, s state, sides ...side) {
	n.mu.Lock()
	for _, one := range sides {
		n.states[h][one] = s
	}
	close(n.changed)
	n.changed = make(chan struct{})
	n.mu.Unlock()
	if s == broken {
		n.closeAll(func(c *connection) bool { return n.stateOf(c) == broken })
	}
}

func (n *network) stateOf(c *connection) state {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.states[c.owner][c.side]
}

// said is how many bytes a hermes has sent to Telegram and OpenCode so far.
func (n *network) said(h *hermes) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sent[h]
}

func (n *network) closeAll(fits func(*connection) bool) {
	n.mu.Lock()
	var list []*connection
	for c := range n.open {
		list = append(list, c)
	}
	n.mu.Unlock()
	for _, c := range list {
		if fits(c) {
			c.reset()
		}
	}
}

// carry carries a connection until either end closes it.
func (n *network) carry(c *connection) {
	n.mu.Lock()
	n.open[c] = true
	n.mu.Unlock()
	defer func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.open, c)
	}()
	defer c.reset()
	first := make([]byte, 32<<10)
	k, ok := n.receive(c, c.client, first) // in what hermes speaks, the client is always the first
	if !ok {
		return
	}
	server, err := net.Dial("tcp", c.to)
	if err != nil || !c.reaches(server) {
		return
	}
	if _, err := server.Write(first[:k]); err != nil {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { n.pump(c, c.client, server) })
	both.Go(func() { n.pump(c, server, c.client) })
	both.Wait()
	c.end()
}

// pump carries what comes from one end to the other, which it closes at the end.
func (n *network) pump(c *connection, from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		k, ok := n.receive(c, from, buffer)
		if !ok {
			c.reset()
			return
		}
		if _, err := to.Write(buffer[:k]); err != nil {
			c.reset()
			return
		}
		if k == 0 {
			_ = to.(*net.TCPConn).CloseWrite()
			return
		}
	}
}

// receive returns what came from an end when it passes on; nothing is the end's end. It reports false if it does not pass: the connection is broken, or the end has reset it by
// then, of which TCP drops what was not delivered.
func (n *network) receive(c *connection, from net.Conn, buffer []byte) (k int, ok bool) {
	k, _ = from.Read(buffer)
	n.count(c, from, k)
	c.hold(from, buffer[:k])
	defer c.hold(from, nil)
	waited, ok := n.passes(c)
	return k, ok && !(waited && wasReset(from))
}

func (n *network) count(c *connection, from net.Conn, bytes int) {
	if from != c.client || c.side != toTelegram && c.side != toOpenCode {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent[c.owner] += bytes
}

// holds reports whether something that a hermes has sent is on its way, and has this in it.
func (n *network) holds(h *hermes, part string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.open {
		if text := c.holding(); c.owner == h && text != "" && strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// passes waits while the network is silent, and reports whether it is whole then.
func (n *network) passes(c *connection) (waited, ok bool) {
	for {
		n.mu.Lock()
		s, changed := n.states[c.owner][c.side], n.changed
		n.mu.Unlock()
		if s != silent {
			return waited, s == whole
		}
		waited = true
		select {
		case <-changed:
		case <-c.done:
			return waited, false
		}
	}
}
