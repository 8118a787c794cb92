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
	Version     string     `json:"version"`       // as hermes version prints it
	Plugin      string     `json:"plugin"`        // version of the plugin in this hermes
	Protocol    int        `json:"link_protocol"` // that a plugin must speak
	Links       int        `json:"links"`         // open now
	Servers     []string   `json:"servers"`       // those of HERMES_OPENCODE_URLS
	Answer      int        `json:"servers_connected"`
	LastPoll    *time.Time `json:"last_poll,omitempty"` // when Telegram was last heard; absent: never by this process
	Telegram    string     `json:"telegram"`            // what is wrong with the way to Telegram, "" for nothing
	TokenWorked bool       `json:"token_worked"`        // Telegram has taken the bot's token, now or before with this database
	Store       string     `json:"store"`               // what is wrong with the database, "" for nothing
	Schema      int        `json:"schema"`              // of the database; 0: it cannot be read
	Unread      int        `json:"unreadable"`          // records of the database that cannot be read
	Open        []apiLink  `json:"open_links"`
	Refused     []apiLink  `json:"refused_links"` // of late, for their plugin speaks another protocol
	Journal     uint64     `json:"journal"`       // number of its last entry
	NotReady    []string   `json:"not_ready"`     // why no question could reach a person now, as /readyz says it
}

// apiLink is what a plugin said of itself and its OpenCode. What it did not say is "".
type apiLink struct {
	Directory string `json:"directory"`
	Host      string `json:"host"`
	OpenCode  string `json:"opencode"` // version
	Plugin    string `json:"plugin"`   // version
	Protocol  int    `json:"link_protocol"`
	Link      string `json:"link"` // name of its token; "": it has the API's
}

func linksToAPI(list []link.Hello) []apiLink {
	out := make([]apiLink, 0, len(list))
	for _, h := range list {
		out = append(out, apiLink{h.Directory, h.Host, h.Version, h.Plugin, h.Protocol, h.Token})
	}
	return out
}

// getStatus answers GET /v1/status.
func (d *daemon) getStatus(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	s := apiStatus{
		Version: ownVersion(), Plugin: plugin.Version(), Protocol: link.Protocol,
		Servers: append([]string{}, d.config.OpenCodeURLs...), NotReady: append([]string{}, d.unready(ctx)...),
		Open: linksToAPI(d.gateway.Links()), Refused: linksToAPI(d.gateway.Refused()),
	}
	s.Links, s.Answer = d.gateway.Ways()
	s.TokenWorked = d.token.worked()
	if last := d.pulse.heard(); !last.IsZero() {
		s.LastPoll = &last
	}
	if err := d.bot.Health(); err != nil {
		s.Telegram = err.Error()
	}
	err := d.bridge.Trouble(ctx)
	if errors.Is(err, bridge.ErrStore) {
		s.Store = err.Error()
	} else if s.Schema, err = d.store.Schema(); err != nil {
		s.Store = "it cannot be read; see the log"
	}
	if list, err := d.store.Unreadable(); err != nil {
		s.Store = "it cannot be read; see the log"
	} else {
		s.Unread = len(list)
	}
	if s.Journal, err = d.store.Last(); err != nil {
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
