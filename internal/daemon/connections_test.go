package daemon

import (
	"bufio"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/testenv"
	"hermes/opencode/link"
)

func TestConnections_MaxConnections(t *testing.T) {
	for descriptors, want := range map[uint64]int{256: 192, 1024: 768, 4096: 3072, 1 << 20: 8192, 1 << 63: 8192, 0: 0} {
		if got := maxConnections(descriptors); got != want {
			t.Errorf("of %d descriptors %d are for connections, want %d", descriptors, got, want)
		}
	}
	if links := 256 * 3; maxConnections(1024) < links {
		t.Error("the links do not fit the usual 1024 descriptors")
	}
}

// However few the connections are, links leave some to events, answers and programs; and the log says it when there are too many.
func TestConnections_LeaveRoomBesideLinks(t *testing.T) {
	for connections, want := range map[int]int{768: 576, 3072: 2304, 8192: 4096, 1: 1} {
		if got := maxLinks(connections); got != want {
			t.Errorf("of %d connections %d may be polls of links, want %d", connections, got, want)
		}
	}
	var log testenv.LockedBuffer
	all := newConnections(8, slog.New(slog.NewTextHandler(&log, nil)))
	for range 5 {
		all.refuseLink(link.Hello{Host: "laptop", Token: "laptop-7"})
	}
	if n := strings.Count(log.String(), "as many as hermes takes"); n != 1 || !strings.Contains(log.String(), "token=laptop-7") {
		t.Errorf("the log has it %d times:\n%s", n, log.String())
	}
}

// crowd is a server with few connections, and a poll that is held until release is closed.
type crowd struct {
	*httptest.Server
	t       *testing.T
	all     *connections
	log     testenv.LockedBuffer
	polls   chan bool // one for each poll that is held
	release chan struct{}
}

const few = 8

func newCrowd(t *testing.T, overTLS bool) *crowd {
	c := &crowd{t: t, polls: make(chan bool, 1000), release: make(chan struct{})}
	c.all = newConnections(few, slog.New(slog.NewTextHandler(&c.log, nil)))
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	mux.HandleFunc("/poll", func(w http.ResponseWriter, r *http.Request) {
		c.polls <- true
		select {
		case <-c.release:
			_, _ = io.WriteString(w, "told")
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/no", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	c.Server = httptest.NewUnstartedServer(c.all.trackRequests(mux))
	c.Listener = c.all.limit(c.Listener)
	c.Config.ConnContext = c.all.withConnection
	if overTLS {
		c.StartTLS()
	} else {
		c.Start()
	}
	t.Cleanup(c.Close)
	return c
}

// dial opens a connection and writes the beginning of a request, or nothing.
func (c *crowd) dial(beginning string) net.Conn {
	c.t.Helper()
	conn, err := net.DialTimeout("tcp", c.Listener.Addr().String(), 10*time.Second)
	if err == nil {
		c.t.Cleanup(func() { conn.Close() })
		if c.TLS != nil {
			conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
		}
		_, err = io.WriteString(conn, beginning)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return conn
}

func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: hermes\r\n\r\n" }

// ask makes one request on a connection of its own, and returns status and body.
func (c *crowd) ask(path string) (int, string) {
	c.t.Helper()
	return c.read(c.dial(get(path)))
}

func (c *crowd) read(conn net.Conn) (int, string) {
	c.t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		c.t.Fatalf("no answer: %v", err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (c *crowd) healthy() {
	c.t.Helper()
	if code, body := c.ask("/healthz"); code != http.StatusOK || body != "ok" {
		c.t.Errorf("/healthz: %d %s", code, body)
	}
	if n := c.all.countOpen(); n > few+forHealth {
		c.t.Errorf("%d connections are open", n)
	}
}

// Connections without a request, however many, keep nobody out and end no poll.
func TestConnections_IdleConnectionsMakeRoom(t *testing.T) {
	for name, overTLS := range map[string]bool{"plain": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t, overTLS)
			var polls []net.Conn
			for range few / 2 {
				polls = append(polls, c.dial(get("/poll")))
				<-c.polls
			}
			for n := range 60 {
				switch n % 3 {
				case 0:
					c.dial("")
				case 1:
					c.dial("POST /no HTTP/1.1\r\nHost: he") // never goes on
				case 2:
					c.dial("POST /no HTTP/1.1\r\nHost: hermes\r\nContent-Length: 9999\r\n\r\nx") // refused, and goes on slowly
				}
				c.healthy()
				if n := c.all.countOpen(); n > few {
					t.Fatalf("%d connections are open", n)
				}
			}
			close(c.release)
			for _, p := range polls {
				if code, body := c.read(p); code != http.StatusOK || body != "told" {
					t.Errorf("a poll: %d %s", code, body)
				}
			}
			if said := strings.Count(c.log.String(), "as many HTTP connections"); said != 1 {
				t.Errorf("the log says it %d times", said)
			}
		})
	}
}

// Where requests are under way on all, health is still told, and others are refused.
func TestConnections_HealthIsToldWhenAllConnectionsWork(t *testing.T) {
	c := newCrowd(t, false)
	var polls []net.Conn
	for range few {
		polls = append(polls, c.dial(get("/poll")))
		<-c.polls
	}
	for range 3 * forHealth {
		c.healthy()
		if code, body := c.ask("/poll"); code != http.StatusServiceUnavailable || !strings.Contains(body, "try again") {
			t.Fatalf("one more poll: %d %s", code, body)
		}
		c.dial("")
	}
	close(c.release)
	for _, p := range polls {
		if code, body := c.read(p); code != http.StatusOK || body != "told" {
			t.Errorf("a poll: %d %s", code, body)
		}
		_ = p.Close()
	}
	if code, _ := c.ask("/poll"); code != http.StatusOK {
		t.Errorf("then: %d", code)
	}
}
