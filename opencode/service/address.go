package service

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// ownURL is the URL by which a service of this machine is reached, without a slash at its
// end; false: it leads elsewhere, or is no URL of an HTTP server. A host name may lead
// anywhere, so localhost is the only one.
func ownURL(text string, isOwn func(netip.Addr) bool) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" || u.User != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", false
	}
	host, ok := ownHost(u.Hostname(), isOwn)
	if !ok {
		return "", false
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return "http://" + net.JoinHostPort(host, port) + strings.TrimRight(u.EscapedPath(), "/"), true
}

func ownHost(host string, isOwn func(netip.Addr) bool) (string, bool) {
	if host == "localhost" {
		return host, true
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil || ip.Zone() != "":
		return "", false
	case ip == netip.IPv4Unspecified():
		return "127.0.0.1", true
	case ip == netip.IPv6Unspecified():
		return "::1", true
	}
	return host, ip.IsLoopback() || isOwn(ip)
}

// isOwnAddress reports whether this machine has the address: only then can a socket be bound
// to it. Nothing is sent, and the list of interfaces, which a hardened unit of systemd
// may not read, is not needed.
func isOwnAddress(ip netip.Addr) bool {
	if ip.IsMulticast() {
		return false
	}
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(ip, 0)))
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
