//go:build unix

package pgtest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// User and Password are those of every server. The password is in no error, log or answer of hermes: a test may look for it.
const (
	User     = "hermes"
	Password = "canary-Zq7w"
)

// Options are how a server is.
type Options struct {
	// Durable makes it wait for the disk, so that what it confirmed survives the loss of power. A killed process loses nothing either way.
	Durable bool
}

// Server is a running server. It is stopped, and its directory removed, when the test ends.
type Server struct {
	programs
	dir, data string
	port      int
	settings  []string
	databases atomic.Int64
}

// Start makes a server with an empty database, and waits until it takes connections.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := prepare(t, o, "primary")
	password := filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(Password), 0o644); err != nil {
		t.Fatal(err)
	}
	s.mustRun(t, s.dir, "initdb", "--no-sync", "--encoding=UTF8", "--locale=C", "--auth=scram-sha-256", "--username="+User, "--pwfile="+password, s.data)
	s.StartAgain(t)
	t.Cleanup(func() { s.Kill() })
	return s
}

func prepare(t testing.TB, o Options, name string) *Server {
	t.Helper()
	s := &Server{programs: findPrograms(t), port: freePort(t)}
	s.dir = s.makeDir(t)
	s.data = filepath.Join(s.dir, "data")
	s.settings = []string{"listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=60", "shared_buffers=16MB", "cluster_name=" + name}
	if !o.Durable {
		s.settings = append(s.settings, "fsync=off", "full_page_writes=off")
	}
	return s
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Address is where the server listens.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// URL is that of a database, which every server has at its start, with the password.
func (s *Server) URL() string { return urlOf("postgres", s.Address()) }

func urlOf(database string, addresses ...string) string {
	return fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", User, Password, strings.Join(addresses, ","), database)
}

// NewDatabase makes an empty database, for a test that shares the server with others, and returns its URL.
func (s *Server) NewDatabase(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	s.SQL(t, "postgres", "create database "+name)
	return urlOf(name, s.Address())
}

// SQL runs statements, and returns the rows: columns are separated by a bar.
func (s *Server) SQL(t testing.TB, database, statements string) string {
	t.Helper()
	out := s.mustRun(t, s.dir, "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", User, "-d", database, "-c", statements)
	return strings.TrimSpace(out)
}

// StartAgain starts a server that was stopped or killed, with the data and the address that it had.
func (s *Server) StartAgain(t testing.TB) {
	t.Helper()
	options := "-p " + strconv.Itoa(s.port)
	for _, setting := range s.settings {
		options += " -c " + strings.Replace(setting, "=", "='", 1) + "'"
	}
	log := filepath.Join(s.dir, "log")
	if out, err := s.run(s.dir, "pg_ctl", "-D", s.data, "-w", "-t", "60", "-l", log, "-o", options, "start"); err != nil {
		said, _ := os.ReadFile(log)
		t.Fatalf("%v\n%s\n%s", err, out, said)
	}
}

// Log is what the server has logged.
func (s *Server) Log() string {
	said, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return string(said)
}
