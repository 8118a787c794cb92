package daemon

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// healthz says that the process works: its loop takes things in.
func (d *Daemon) healthz(w http.ResponseWriter, r *http.Request) {
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

// readyz says that a question could reach a person now, or why not. It names no
// address and no secret, as everybody may ask.
func (d *Daemon) readyz(w http.ResponseWriter, r *http.Request) {
	if wrong := d.unready(r.Context()); len(wrong) > 0 {
		http.Error(w, "not ready: "+strings.Join(wrong, "; "), http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

func (d *Daemon) unready(ctx context.Context) []string {
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
		wrong = append(wrong, "no OpenCode is connected; start one with the plugin installed, or check HERMES_OPENCODE_URLS")
	}
	return wrong
}

// webhookPath is where Telegram's updates come in: the path of the public URL.
func (d *Daemon) webhookPath() string {
	u, err := url.Parse(d.config.TelegramWebhookURL)
	if err != nil || d.config.TelegramWebhookURL == "" {
		return ""
	}
	if u.Path == "" {
		return "/"
	}
	return u.Path
}
