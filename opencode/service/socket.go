package service

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// socket is a TCP socket of this machine.
type socket struct {
	local, remote netip.AddrPort
	listens       bool
	user          int // who made it
}

// takes reports whether a connection to this address of the machine may be the socket's.
func (s socket) takes(at netip.AddrPort) bool {
	ip := s.local.Addr()
	reaches := ip == at.Addr() || ip.IsUnspecified() && (ip.Is6() || at.Addr().Is4()) // :: takes both families
	return s.listens && s.local.Port() == at.Port() && reaches
}

// sockets are the TCP sockets of hermes' network namespace, as Linux tells them. Elsewhere the
// files are not there, which is an error.
func sockets() ([]socket, error) {
	four, err := os.ReadFile("/proc/self/net/tcp")
	if err != nil {
		return nil, err
	}
	six, _ := os.ReadFile("/proc/self/net/tcp6") // not there without IPv6
	return append(socketsIn(string(four)), socketsIn(string(six))...), nil
}

// socketsIn reads a table of the kernel: a head, and a line for each socket (proc_net_tcp in
// its documentation). What cannot be read is left out.
func socketsIn(table string) []socket {
	const listening = "0A"
	var list []socket
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 8 {
			continue
		}
		local, isLocal := endpoint(f[1])
		remote, isRemote := endpoint(f[2])
		user, err := strconv.Atoi(f[7])
		if isLocal && isRemote && err == nil {
			list = append(list, socket{local, remote, f[3] == listening, user})
		}
	}
	return list
}

// endpoint reads an address and a port, as 0100007F:C0DE. The address is in words of 32 bits,
// each in the order of the machine.
func endpoint(text string) (netip.AddrPort, bool) {
	address, digits, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(address)
	port, portErr := strconv.ParseUint(digits, 16, 16)
	if err != nil || portErr != nil || len(raw) != 4 && len(raw) != 16 {
		return netip.AddrPort{}, false
	}
	for word := raw; len(word) > 0; word = word[4:] {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	ip, _ := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(ip.Unmap(), uint16(port)), true
}
