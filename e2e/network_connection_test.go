//go:build e2e && postgres && linux

package e2e_test

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// connection is one that passes through the test.
type connection struct {
	owner  *hermes // nil: none of the network's members
	side   side
	to     string // an address
	client net.Conn

	mu     sync.Mutex
	server net.Conn // nil until it is reached
	held   string   // what the client has sent, and does not pass yet
	closed bool
	done   chan struct{} // closed with it
}

// reaches gives the connection its other end; it reports false, and closes that end, if the connection is closed already.
func (c *connection) reaches(server net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		server.Close()
		return false
	}
	c.server = server
	return true
}

// hold notes what came from an end, and does not pass yet.
func (c *connection) hold(from net.Conn, bytes []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if from == c.client {
		c.held = string(bytes)
	}
}

func (c *connection) holding() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// wasReset reports whether the other side has reset a connection.
func wasReset(end net.Conn) (reset bool) {
	raw, err := end.(*net.TCPConn).SyscallConn()
	if err != nil {
		return true
	}
	err = raw.Control(func(fd uintptr) {
		code, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR)
		reset = err != nil || code != 0
	})
	return reset || err != nil
}

// reset closes the connection so that both ends fail at once, and what was not delivered is lost.
func (c *connection) reset() {
	c.close(func(end net.Conn) { _ = end.(*net.TCPConn).SetLinger(0) })
}

// end closes the connection after what was sent.
func (c *connection) end() { c.close(func(net.Conn) {}) }

func (c *connection) close(before func(end net.Conn)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	close(c.done)
	for _, end := range []net.Conn{c.client, c.server} {
		if end != nil {
			before(end)
			end.Close()
		}
	}
}

// ownerOf is the member whose process opened a connection.
func (n *network) ownerOf(client net.Conn) *hermes {
	inode := inodeOf(client.RemoteAddr().(*net.TCPAddr), client.LocalAddr().(*net.TCPAddr))
	for _, h := range n.members {
		if inode != "" && hasSocket(int(h.pid.Load()), inode) {
			return h
		}
	}
	return nil
}

// inodeOf is the number of the socket between two addresses of this machine; "" if it is closed.
func inodeOf(local, remote *net.TCPAddr) string {
	table, _ := os.ReadFile("/proc/net/tcp")
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 9 && fields[1] == inTable(local) && fields[2] == inTable(remote) {
			return fields[9]
		}
	}
	return ""
}

func inTable(a *net.TCPAddr) string {
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(a.IP.To4()), a.Port)
}

// hasSocket reports whether a process has a socket.
func hasSocket(pid int, inode string) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, name := range files {
		if target, _ := os.Readlink(name); target == "socket:["+inode+"]" {
			return true
		}
	}
	return false
}
