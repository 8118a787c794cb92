//go:build unix

package pgtest

import (
	"bytes"
	"net"
	"strings"
	"sync"
	"testing"
)

// At is where a Proxy cuts a connection that commits.
type At int

// The moments at which a COMMIT's connection is cut.
const (
	Never        At = iota
	BeforeCommit    // the server does not get it
	WithCommit      // the server gets it, and the answer is not awaited
	AfterCommit     // the server has answered, and the client does not get it
)

// Proxy stands between clients and a server, as the network does that fails.
type Proxy struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	open  map[net.Conn]bool
	cut   func() At
	dark  chan struct{} // closed when bytes pass again; nil: they pass
	stops chan struct{}
	trips int
}

// NewProxy passes on to an address, until the test ends.
func NewProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, to: to, open: map[net.Conn]bool{}, stops: make(chan struct{})}
	t.Cleanup(func() { l.Close(); close(p.stops); p.Cut() })
	go p.accept()
	return p
}

// Through is a URL of the server, by way of the proxy.
func (p *Proxy) Through(url string) string { return strings.Replace(url, p.to, p.Address(), 1) }

// Address is where clients connect.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// CutCommits asks at which moment the connection of a COMMIT is cut, for each one; nil: never.
func (p *Proxy) CutCommits(at func() At) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = at
}

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		c.Close()
	}
}

// Darken lets nothing through until Lighten: connections stay open, and new ones are taken.
func (p *Proxy) Darken() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dark == nil {
		p.dark = make(chan struct{})
	}
}

// Lighten lets bytes through again, also those that were on their way.
func (p *Proxy) Lighten() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dark != nil {
		close(p.dark)
		p.dark = nil
	}
}

// RoundTrips is how often clients asked, since the last call.
func (p *Proxy) RoundTrips() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.trips
	p.trips = 0
	return n
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.serve(client)
	}
}

func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	if !p.pass() {
		return
	}
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	mute, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		p.answers(client, server, mute)
	}()
	if p.questions(client, server, mute) {
		<-done
	}
	p.mu.Lock()
	delete(p.open, client)
	delete(p.open, server)
	p.mu.Unlock()
}

// pass waits while it is dark.
func (p *Proxy) pass() bool {
	p.mu.Lock()
	dark := p.dark
	p.mu.Unlock()
	if dark != nil {
		select {
		case <-dark:
		case <-p.stops:
			return false
		}
	}
	return true
}

// questions passes on what the client sends; hermes sends a question in one piece. It reports whether the server is still to answer, to nobody.
func (p *Proxy) questions(client, server net.Conn, mute chan struct{}) (unheard bool) {
	buffer := make([]byte, 1<<20)
	for {
		n, err := client.Read(buffer)
		if err != nil || !p.pass() {
			return false
		}
		at := p.momentOf(buffer[:n])
		if at == BeforeCommit {
			return false
		}
		if at == WithCommit || at == AfterCommit {
			close(mute)
		}
		if _, err := server.Write(buffer[:n]); err != nil || at != Never {
			return at == AfterCommit
		}
	}
}

func (p *Proxy) momentOf(question []byte) At {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trips++
	if p.cut == nil || !bytes.Contains(question, []byte("\x00commit\x00")) {
		return Never
	}
	return p.cut()
}

// answers passes on what the server sends.
func (p *Proxy) answers(client, server net.Conn, mute chan struct{}) {
	defer client.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		if err != nil || !p.pass() {
			return
		}
		select {
		case <-mute:
			return
		default:
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
