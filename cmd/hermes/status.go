package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"hermes/bridge"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// apiStatus is what GET /v1/status tells of the running hermes. Fields are only
// added.
type apiStatus struct {
	Version  string     `json:"version"`       // as hermes version prints it
	Plugin   string     `json:"plugin"`        // version of the plugin in this hermes
	Protocol int        `json:"link_protocol"` // that a plugin must speak
	Links    int        `json:"links"`         // open now
	Servers  []string   `json:"servers"`       // those of HERMES_OPENCODE_URLS
	Answer   int        `json:"servers_connected"`
	LastPoll *time.Time `json:"last_poll,omitempty"` // when Telegram was last heard; absent: never by this process
	Telegram string     `json:"telegram"`            // what is wrong with the way to Telegram, "" for nothing
	Store    string     `json:"store"`               // what is wrong with the database, "" for nothing
	NotReady []string   `json:"not_ready"`           // why no question could reach a person now, as /readyz says it
}

// getStatus answers GET /v1/status.
func (d *daemon) getStatus(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	s := apiStatus{
		Version: ownVersion(), Plugin: plugin.Version(), Protocol: link.Protocol,
		Servers: append([]string{}, d.config.OpenCodeURLs...), NotReady: append([]string{}, d.unready(ctx)...),
	}
	s.Links, s.Answer = d.gateway.Ways()
	if last := d.pulse.heard(); !last.IsZero() {
		s.LastPoll = &last
	}
	if err := d.bot.Health(); err != nil {
		s.Telegram = err.Error()
	}
	if err := d.bridge.Trouble(ctx); errors.Is(err, bridge.ErrStore) {
		s.Store = err.Error()
	} else if _, err := d.store.LastBeat(); err != nil {
		s.Store = "it cannot be read; see the log"
	}
	reply(w, http.StatusOK, s)
}

// heard is when the last good poll was.
func (p *pulse) heard() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}
