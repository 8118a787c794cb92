package daemon

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// serveHealthz says that the process works: its loop takes things in.
func (d *Daemon) serveHealthz(w http.ResponseWriter, r *http.Request) {
	if !d.Alive(r.Context()) {
		http.Error(w, "the reconcile loop does not answer", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ok\n"))
}

// Alive reports whether the bridge's loop answers within two seconds.
func (d *Daemon) Alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return d.Bridge.Ping(ctx) == nil
}

// serveReadyz says that a question could reach a person now, or why not. It names no
// address and no secret, as everybody may ask.
func (d *Daemon) serveReadyz(w http.ResponseWriter, r *http.Request) {
	if wrong := d.obstacles(r.Context()); len(wrong) > 0 {
		http.Error(w, "not ready: "+strings.Join(wrong, "; "), http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// storeAway says that the database of several hermes is gone.
const storeAway = "the database of HERMES_STORE does not answer"

// obstacles are why no question would reach a person now; none when one would.
func (d *Daemon) obstacles(ctx context.Context) []string {
	if turn := d.out.Turn; turn != nil && turn.Reach(ctx) != nil { // everything else waits for it
		return []string{storeAway}
	}
	var wrong []string
	if !d.Alive(ctx) {
		wrong = append(wrong, "the reconcile loop does not answer")
	} else if err := d.Bridge.Trouble(ctx); err != nil {
		wrong = append(wrong, err.Error())
	}
	if err := d.Bot.Health(); err != nil {
		wrong = append(wrong, err.Error())
	}
	if links, direct := d.Gateway.Ways(); links+direct == 0 {
		wrong = append(wrong, "no OpenCode is connected; start one with the plugin installed or of version 2, or check HERMES_OPENCODE_SERVICE and HERMES_OPENCODE_URLS")
	}
	return wrong
}
