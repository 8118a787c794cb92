package standby_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/standby"
)

// pair is two hermes that share a database, between the stand-ins of a rig.
type pair struct {
	*rig.Rig
	one, two *hermes
}

// hermes is one process of a pair.
type hermes struct {
	t     *testing.T
	node  *node
	log   testenv.LockedBuffer
	calls atomic.Int64 // of the Bot API and of OpenCode that it began
	dial  func(context.Context, string, string) (net.Conn, error)
	stop  context.CancelFunc
	ended chan error
	acts  atomic.Bool
	wrong atomic.Int64 // calls that it began while another one acted
}

// play runs a test in a bubble, between two hermes of which the first one acts. The bubble fails if a goroutine is left.
func play(t *testing.T, test func(*pair)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
			c.Store, c.HookToken, c.Lease = "postgres://hermes:canary@db.test/hermes", rig.HookKey, leaseTime
		})
		db := &memory{}
		p := &pair{Rig: r, one: newHermes(t, db), two: newHermes(t, db)}
		p.start(p.one)
		p.Wait(time.Second)
		p.start(p.two)
		p.Say("/start", 0)
		defer p.end()
		test(p)
	})
}

func newHermes(t *testing.T, db *memory) *hermes { return &hermes{t: t, node: &node{memory: db}} }

// start runs a process. Its name is in its address.
func (p *pair) start(h *hermes) {
	listener := rig.NewPipeListener()
	h.dial = listener.Dial
	c := p.Config
	c.PublicURL = "https://" + map[*hermes]string{p.one: "one.test", p.two: "two.test"}[h]
	process := &daemon.Turns{
		Config: c, Token: rig.HookKey, Log: secret.NewLogger(&h.log, c.LogLevel, c.LogFormat, secret.NewRedactor(c.Secrets()...)),
		Outside: daemon.Outside{Listener: listener, Telegram: h.counted(p.Telegram.Transport()), Opencode: h.counted(p.Opencode.Transport())},
		Open: func(context.Context) (standby.Database, error) {
			if cut, _ := h.node.is(); cut {
				return nil, errAway
			}
			return h.node, nil
		},
		Ready: func() {}, Began: func(*daemon.Daemon) { h.acts.Store(true) }, Ended: func() { h.acts.Store(false) }, Stopping: func() {},
	}
	ctx, stop := context.WithCancel(context.Background())
	h.stop, h.ended = stop, make(chan error, 1)
	go func() { h.ended <- process.Run(ctx) }()
	p.Wait(time.Second)
}

// counted counts the calls that are begun, and those that are begun when this hermes may not.
func (h *hermes) counted(next http.RoundTripper) http.RoundTripper {
	return rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
		h.calls.Add(1)
		m := h.node.memory
		m.mu.Lock()
		epoch, held := m.epoch, time.Now().Before(m.until)
		m.mu.Unlock()
		if !held || epoch == 0 {
			h.wrong.Add(1)
		}
		return next.RoundTrip(req)
	})
}

// halt stops a process as SIGTERM does.
func (h *hermes) halt() {
	h.t.Helper()
	h.stop()
	if err := <-h.ended; err != nil {
		h.t.Error("a hermes ended:", err)
	}
	h.acts.Store(false)
}

func (p *pair) end() {
	p.T.Helper()
	for _, h := range []*hermes{p.one, p.two} {
		h.node.set(false, false)
		h.halt()
		rig.NoCanary(p.T, "the log", h.log.String())
		if n := h.wrong.Load(); n > 0 {
			p.T.Errorf("%d calls were begun while nobody had the lease", n)
		}
	}
	p.Close()
}

// get is one request to a process.
func (h *hermes) get(method, path string) (int, string, http.Header) {
	h.t.Helper()
	req, err := http.NewRequest(method, "http://hermes.test"+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+rig.HookKey)
	res, err := (&http.Transport{DialContext: h.dial, DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.StatusCode, string(text), res.Header
}

// wantActs fails the test unless the first one acts, and the second one says so.
func (p *pair) wantActs(acts, stands *hermes) {
	p.T.Helper()
	if !acts.acts.Load() || stands.acts.Load() {
		p.T.Fatalf("acting: %v and %v; logs:\n%s\n---\n%s", acts.acts.Load(), stands.acts.Load(), acts.log.String(), stands.log.String())
	}
	if code, text, _ := acts.get("GET", "/readyz"); code != http.StatusOK {
		p.T.Errorf("who acts says: %d %s", code, text)
	}
}

// A standby says who acts on every path, and is alive.
func TestProcess_StandbyAnswers(t *testing.T) {
	play(t, func(p *pair) {
		p.wantActs(p.one, p.two)
		if code, text, _ := p.two.get("GET", "/healthz"); code != http.StatusOK || text != "ok\n" {
			t.Errorf("/healthz: %d %s", code, text)
		}
		if code, text, _ := p.two.get("GET", "/readyz"); code != http.StatusServiceUnavailable || !strings.HasPrefix(text, "not ready: standby: ") || !strings.Contains(text, " at https://one.test acts") {
			t.Errorf("/readyz: %d %s", code, text)
		}
		for _, path := range []string{"/v1/status", "/v1/link", "/", "/telegram"} {
			code, text, header := p.two.get("POST", path)
			var said standby.Reply
			if err := json.Unmarshal([]byte(text), &said); err != nil || code != http.StatusServiceUnavailable || header.Get("Retry-After") != "1" || !said.Standby || said.Acting != "https://one.test" {
				t.Errorf("%s: %d %s %v, %v", path, code, text, header, err)
			}
		}
		for h, want := range map[*hermes]string{p.one: "hermes_acting 1\n", p.two: "hermes_acting 0\n"} {
			if _, text, _ := h.get("GET", "/metrics"); !strings.Contains(text, want) || !strings.Contains(text, "hermes_lease_epoch 1\n") || !strings.Contains(text, "hermes_store_delay_seconds 0.001\n") {
				t.Errorf("metrics without %q: %s", want, text)
			}
		}
	})
}

// A hermes that is stopped gives the lease back, and the other one goes on with what was asked within a second.
func TestProcess_TakeoverAfterAStop(t *testing.T) {
	play(t, func(p *pair) {
		_, call := p.Ask(rig.DatabaseQuestion())
		began := time.Now()
		p.one.halt()
		stopped := time.Since(began)
		p.Wait(time.Second)
		if !p.two.acts.Load() {
			t.Fatalf("a second after a stop of %v nobody acts", stopped)
		}
		p.Tap("2.")
		p.Wait(10 * time.Second)
		p.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		p.start(p.one)
		p.wantActs(p.two, p.one)
	})
}

// A hermes that does not reach the database acts no more when its lease is over, and says why. The other one goes on.
func TestProcess_TakeoverWhenTheDatabaseIsNotReached(t *testing.T) {
	play(t, func(p *pair) {
		_, call := p.Ask(rig.DatabaseQuestion())
		p.one.node.set(true, false)
		p.Wait(10 * time.Second)
		p.wantActs(p.two, p.one)
		if code, text, _ := p.one.get("GET", "/readyz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "the database of HERMES_STORE does not answer") {
			t.Errorf("/readyz: %d %s", code, text)
		}
		calls := p.one.calls.Load()
		p.Tap("2.")
		p.Wait(time.Minute)
		p.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		if n := p.one.calls.Load() - calls; n != 0 {
			t.Errorf("the one that does not act made %d calls", n)
		}
		p.one.node.set(false, false)
		p.Wait(5 * time.Second)
		if _, text, _ := p.one.get("GET", "/readyz"); !strings.Contains(text, "at https://two.test acts") {
			t.Errorf("/readyz: %s", text)
		}
	})
}

// The one that acts says within a second that the database is gone, before its lease is over.
func TestProcess_ActingWithoutTheDatabase(t *testing.T) {
	play(t, func(p *pair) {
		p.one.node.set(true, false)
		began := time.Now()
		if code, text, _ := p.one.get("GET", "/readyz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "not ready: the database of HERMES_STORE does not answer") {
			t.Errorf("/readyz: %d %s", code, text)
		}
		if code, text, _ := p.one.get("GET", "/v1/status"); code != http.StatusOK || !strings.Contains(text, `"store":"the database of HERMES_STORE does not answer"`) || !strings.Contains(text, `"lease":{`) {
			t.Errorf("/v1/status: %d %s", code, text)
		}
		if took := time.Since(began); !p.one.acts.Load() || took > time.Second {
			t.Errorf("it acts: %v, after %v", p.one.acts.Load(), took)
		}
	})
}

// One line of the log says that a lease has ended, and why; what breaks off with it is no error of its own.
func TestProcess_OneLineWhenALeaseEnds(t *testing.T) {
	play(t, func(p *pair) {
		p.Ask(rig.DatabaseQuestion())
		before := len(p.one.log.String())
		p.one.node.set(true, false)
		p.Wait(leaseTime + 500*time.Millisecond)
		if p.one.acts.Load() {
			t.Fatal("the lease goes on")
		}
		text, rest, _ := strings.Cut(p.one.log.String()[before:], "\n")
		if strings.Contains(rest, "lease") || strings.Contains(rest, "no more") || !strings.Contains(text, "stands by") || !strings.Contains(text, errAway.Error()) {
			t.Errorf("%s\nand then:\n%s", text, rest)
		}
	})
}

// The database is away for both: nobody acts, and when it is back one of them goes on.
func TestProcess_NobodyActsWithoutTheDatabase(t *testing.T) {
	play(t, func(p *pair) {
		p.one.node.set(true, false)
		p.two.node.set(true, false)
		p.Wait(20 * time.Second)
		if p.one.acts.Load() || p.two.acts.Load() {
			t.Error("a hermes acts without the database")
		}
		p.one.node.set(false, false)
		p.two.node.set(false, false)
		p.Wait(5 * time.Second)
		if p.one.acts.Load() == p.two.acts.Load() {
			t.Error("not one of them acts")
		}
	})
}

// A process that was paused does not know that its lease is over. It sends nothing all the same.
func TestProcess_PausedSendsNothing(t *testing.T) {
	play(t, func(p *pair) {
		p.one.node.set(false, true)
		p.Wait(leaseTime + time.Second)
		calls := p.one.calls.Load()
		p.Ask(rig.DatabaseQuestion())
		p.Tap("2.")
		p.Wait(time.Minute)
		if n := p.one.calls.Load() - calls; n != 0 {
			t.Errorf("a paused hermes made %d calls", n)
		}
		p.one.node.set(false, false)
		p.Wait(5 * time.Second)
		p.wantActs(p.two, p.one)
	})
}

// A process that acts and stands by many times in turns loses nothing and leaves nothing behind, which the end of the bubble shows.
func TestProcess_ManyTurns(t *testing.T) {
	play(t, func(p *pair) {
		acts, stands := p.one, p.two
		for range 20 {
			_, call := p.Ask(rig.DatabaseQuestion())
			acts.node.set(true, false)
			p.Wait(10 * time.Second)
			acts.node.set(false, false)
			acts, stands = stands, acts
			p.wantActs(acts, stands)
			p.Tap("2.")
			p.Wait(10 * time.Second)
			p.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		}
	})
}

// A hermes that was killed and is started again finds its own lease, and does not say for sure that one acts, nor that it is another.
func TestProcess_OwnLeaseFromBefore(t *testing.T) {
	play(t, func(p *pair) {
		p.one.node.set(true, false)
		p.one.halt()
		p.one.node.set(false, false)
		p.start(p.one)
		if _, text, _ := p.one.get("GET", "/readyz"); !strings.Contains(text, "at https://one.test acts, or this one did a moment ago") {
			t.Errorf("/readyz: %s", text)
		}
		if _, text, _ := p.one.get("GET", "/v1/status"); strings.Contains(text, `"acting"`) {
			t.Errorf("it sends clients to itself: %s", text)
		}
		if _, text, _ := p.two.get("GET", "/readyz"); !strings.HasSuffix(text, "at https://one.test acts\n") {
			t.Errorf("the other one's /readyz: %s", text)
		}
		if text := p.one.log.String(); !strings.Contains(text, "the lease that this hermes had is not over yet") {
			t.Errorf("the log: %s", text)
		}
	})
}
