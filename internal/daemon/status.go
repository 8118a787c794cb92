package daemon

import (
	"context"
	"errors"
	"net/http"
	"time"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/version"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// getStatus answers GET /v1/status.
func (d *Daemon) getStatus(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	s := api.Status{
		Version: version.Own(), Plugin: plugin.Version(), Protocol: link.Protocol,
		Servers: append([]string{}, d.config.OpenCodeURLs...), NotReady: append([]string{}, d.unready(ctx)...),
		Open: api.LinksOf(d.Gateway.Links()), Refused: api.LinksOf(d.Gateway.Refused()),
	}
	s.Links, s.Answer = d.Gateway.Ways()
	s.TokenWorked = d.token.worked()
	if last := d.pulse.heard(); !last.IsZero() {
		s.LastPoll = &last
	}
	if err := d.Bot.Health(); err != nil {
		s.Telegram = err.Error()
	}
	err := d.Bridge.Trouble(ctx)
	if errors.Is(err, bridge.ErrStore) {
		s.Store = err.Error()
	} else if s.Schema, err = d.Store.Schema(); err != nil {
		s.Store = "it cannot be read; see the log"
	}
	if list, err := d.Store.Unreadable().All(); err != nil {
		s.Store = "it cannot be read; see the log"
	} else {
		s.Unread = len(list)
	}
	if s.Journal, err = d.Store.Last(); err != nil {
		s.Store = "it cannot be read; see the log"
	}
	api.Reply(w, http.StatusOK, s)
}

// heard is when the last good poll was.
func (p *heartbeat) heard() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}
