package daemon

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"hermes/internal/api"
	"hermes/internal/question"
	"hermes/internal/version"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// getStatus answers GET /v1/status: what hermes doctor asks a running hermes, and how that has been running. What cannot be found out in
// time is left out.
func (d *Daemon) getStatus(r *http.Request) (any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	s := api.Status{
		Version: version.Own(), Plugin: plugin.Version(), Protocol: link.Protocol,
		Servers: append([]string{}, d.config.OpenCodeURLs...), NotReady: append([]string{}, d.obstacles(ctx)...),
		Open: api.LinksOf(d.links.withNames(d.Gateway.Links())), Refused: api.LinksOf(d.links.withNames(d.Gateway.Refused())),
		LinksMax: maxLinks(d.connections.most), Service: d.Gateway.HasService(), TokenWorked: d.token.hasWorked(),
		Unread: len(d.Store.AtOpen().Skipped), Lease: d.leaseStatus(),
		Started: d.started, Rules: api.RulesInForce{Count: d.Rules.InForce().Count()}, Backups: d.backups.folder != nil, Waiting: map[string]int{},
	}
	s.Links, s.Answer = d.Gateway.Ways()
	if last := d.heartbeat.lastHeard(); !last.IsZero() {
		s.LastPoll = &last
	}
	if err := d.Bot.Health(); err != nil {
		s.Telegram = err.Error()
	}
	if d.config.Rules != "" {
		s.Rules.File = filepath.Base(d.config.Rules)
	}
	if list, err := d.Bridge.Open(ctx); err == nil {
		s.Asks = openAsks(list)
	}
	for limit, held := range d.Bot.Held() {
		s.Waiting[string(limit)] = held.Waiting
	}
	if last := d.backups.newest.Load(); last != 0 {
		at := time.Unix(last, 0).UTC()
		s.LastBackup = &at
	}
	if slices.Contains(s.NotReady, storeAway) {
		s.Store = storeAway
	} else {
		d.addStored(&s)
	}
	return s, nil
}

// addStored adds what the store says.
func (d *Daemon) addStored(to *api.Status) {
	var err error
	if to.Schema, err = d.Store.Schema(); err != nil {
		to.Store = "it cannot be read; see the log"
	}
	if to.Journal, err = d.Store.Last(); err != nil {
		to.Store = "it cannot be read; see the log"
	}
	if n, err := d.Store.Size(); err == nil {
		to.Bytes = n
	}
	if free, err := d.Store.Free(); err == nil {
		to.Free = &free
	}
}

func openAsks(list []question.Thread) (a api.OpenAsks) {
	for _, t := range list {
		if t.Settled() {
			continue
		}
		a.Count++
		if at := t.Asked; a.Oldest == nil || at.Before(*a.Oldest) {
			a.Oldest = &at
		}
	}
	return a
}
