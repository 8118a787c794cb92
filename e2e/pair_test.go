//go:build e2e && postgres && linux

package e2e_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/testenv"
	"hermes/pending/postgres/pgtest"
)

// pairToken is the token of the API of both hermes.
const pairToken = "pair-canary-0123456789abcdefghijklmnop"

// pair is two hermes with one bot and one database, whose network passes through the test. One acts, the other is a standby.
type pair struct {
	t        testing.TB
	both     []*hermes
	gates    []string // the address of each for its clients
	network  *network
	database *pgtest.Cluster
	started  bool
}

// newPair is a pair that does not run yet.
func newPair(t testing.TB, p *phone, lease time.Duration) *pair {
	t.Helper()
	x := &pair{t: t, database: pgtest.StartCluster(t, pgtest.Options{})}
	x.both = []*hermes{newHermes(t, p.url), newHermes(t, p.url)}
	x.network = newNetwork(t, x.both...)
	store := x.database.URL() + "&target_session_attrs=read-write"
	for _, server := range []*pgtest.Server{x.database.Primary, x.database.Standby} {
		store = strings.ReplaceAll(store, server.Address(), x.network.way(toStore, server.Address()))
	}
	telegram := "http://" + x.network.way(toTelegram, strings.TrimPrefix(p.url, "http://"))
	for _, h := range x.both {
		gate := x.network.gate(h)
		x.gates = append(x.gates, "http://"+gate)
		delete(h.env, "HERMES_DB")
		h.set(
			"HERMES_STORE="+store, "HERMES_HOOK_TOKEN="+pairToken, "HERMES_LEASE="+lease.String(), "HERMES_TELEGRAM_API_URL="+telegram,
			"HERMES_PUBLIC_URL=http://"+gate,
		)
		h.set(crowdSettings(t, h.home)...)
	}
	return x
}

// serves tells both of the one OpenCode that listens.
func (x *pair) serves(url string) {
	address := x.network.way(toOpenCode, strings.TrimPrefix(url, "http://"))
	for _, h := range x.both {
		h.serves("http://" + address)
	}
}

// installPlugin installs a plugin that knows both, with a link of its own.
func (x *pair) installPlugin(t testing.TB, configDir string, flags ...string) {
	t.Helper()
	x.start()
	acting, _ := x.roles()
	token, err := acting.command("link", "add", "laptop").Output()
	if err != nil {
		t.Fatalf("hermes link add: %v", err)
	}
	acting.installPlugin(t, configDir, append(flags, "--url", strings.Join(x.gates, ","), "--token-file", testenv.WriteFile(t, "token", string(token)))...)
}

// start starts both, the first time.
func (x *pair) start() {
	x.t.Helper()
	if x.started {
		return
	}
	x.started = true
	for _, h := range x.both {
		h.start(x.t)
	}
}

// roles waits until one acts and the other stands by.
func (x *pair) roles() (acting, standby *hermes) {
	x.t.Helper()
	eventually(x.t, "one hermes acts, and the other is a standby", func() bool {
		first, second := x.both[0], x.both[1]
		switch {
		case first.acts() && second.stands():
			acting, standby = first, second
		case second.acts() && first.stands():
			acting, standby = second, first
		}
		return acting != nil
	})
	return acting, standby
}

func (h *hermes) acts() bool { return h.metric("hermes_acting") == 1 }

func (h *hermes) stands() bool { return strings.Contains(h.get("/readyz"), "standby") }

// metric is a number that hermes tells; -1 if it tells none now.
func (h *hermes) metric(name string) float64 {
	for line := range strings.Lines(h.get("/metrics")) {
		var n float64
		if text, ok := strings.CutPrefix(line, name+" "); ok {
			if _, err := fmt.Sscan(text, &n); err == nil {
				return n
			}
		}
	}
	return -1
}

// stop stops both at once, and holds them to a clean exit.
func (x *pair) stop() {
	x.t.Helper()
	for _, h := range x.both {
		h.stop(x.t)
	}
}
