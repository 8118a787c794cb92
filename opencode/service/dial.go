package service

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"os"
)

// Transport sends what next would, but makes its connections only to processes of this user.
//
// After a kill the file of the service stays, its process id may belong to another program by then,
// and its port to another user, who must not get the password. So each new connection is looked at
// before anything is sent over it: whose process listens there. What is on a connection stays
// with the process that took it. Linux tells this to everybody (/proc/net/tcp). Where the system
// does not tell, the connection is used; and so is a next that is no http.Transport, or one that
// dials by itself.
func Transport(next http.RoundTripper) http.RoundTripper {
	t, ok := next.(*http.Transport)
	if !ok || t.DialContext != nil {
		return next
	}
	t = t.Clone()
	t.DialContext = dialer{user: os.Geteuid(), sockets: sockets}.dial
	return t
}

// dialer connects to what listens for a user.
type dialer struct {
	user    int
	sockets func() ([]socket, error)
}

func (d dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err == nil && !d.isOwn(addressOf(conn.LocalAddr()), addressOf(conn.RemoteAddr())) {
		_ = conn.Close()
		return nil, &Error{Path: address, Fault: Taken}
	}
	return conn, err
}

// isOwn reports false if what listens at the other end of a connection is not the user's, or
// if nothing does by now. A system that does not tell of the connection itself tells nothing.
func (d dialer) isOwn(local, remote netip.AddrPort) bool {
	list, err := d.sockets()
	if err != nil {
		return true
	}
	known, listens, foreign := false, false, false
	for _, s := range list {
		known = known || s.local == local && s.remote == remote
		if s.takes(remote) {
			listens = true
			foreign = foreign || s.user != d.user
		}
	}
	return !known || listens && !foreign
}

func addressOf(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		at := tcp.AddrPort()
		return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
	}
	return netip.AddrPort{}
}
