package daemon

import (
	"context"
	"net/http"
	"strings"
	"time"

	"hermes/bridge"
	"hermes/internal/standby"
	"hermes/opencode"
	"hermes/telegram"
)

// health looks at the parts that a question passes on its way to a person.
type health struct {
	bridge  *bridge.Bridge
	bot     *telegram.Bot
	gateway *opencode.Gateway
	turn    standby.Turn // nil: there is none
}

// serveHealthz says that the process works: its loop takes things in.
func (h health) serveHealthz(w http.ResponseWriter, r *http.Request) {
	if !h.isAlive(r.Context()) {
		http.Error(w, "the reconcile loop does not answer", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ok\n"))
}

// isAlive reports whether the bridge's loop answers within two seconds.
func (h health) isAlive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return h.bridge.Ping(ctx) == nil
}

// serveReadyz says that a question could reach a person now, or why not. It names no
// address and no secret, as everybody may ask.
func (h health) serveReadyz(w http.ResponseWriter, r *http.Request) {
	if wrong := h.obstacles(r.Context()); len(wrong) > 0 {
		http.Error(w, "not ready: "+strings.Join(wrong, "; "), http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// storeAway says that the database of several hermes is gone.
const storeAway = "the database of HERMES_STORE does not answer"

// obstacles are why no question would reach a person now; none when one would.
func (h health) obstacles(ctx context.Context) []string {
	if h.turn != nil && h.turn.Reach(ctx) != nil { // everything else waits for it
		return []string{storeAway}
	}
	var wrong []string
	if !h.isAlive(ctx) {
		wrong = append(wrong, "the reconcile loop does not answer")
	} else if err := h.bridge.Trouble(ctx); err != nil {
		wrong = append(wrong, err.Error())
	}
	if err := h.bot.Health(); err != nil {
		wrong = append(wrong, err.Error())
	}
	if links, direct := h.gateway.Ways(); links+direct == 0 {
		wrong = append(wrong, "no OpenCode is connected; start one with the plugin installed or of version 2, or check HERMES_OPENCODE_SERVICE and HERMES_OPENCODE_URLS")
	}
	return wrong
}
