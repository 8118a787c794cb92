package daemon

import (
	"context"
	"net/http"
	"slices"
	"time"

	"hermes/internal/api"
	"hermes/internal/version"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/pending"
)

// statusAPI serves what hermes doctor asks a running hermes: /v1/status.
type statusAPI struct {
	health
	store     *pending.Store
	token     *knownToken
	heartbeat *heartbeat
	links     *linkTokens
	servers   []string // HERMES_OPENCODE_URLS
	running   runningState
	linksMax  int
	lease     func() *api.Lease // nil: there is none
}

// addStored adds what the store says.
func (a statusAPI) addStored(to *api.Status) {
	var err error
	if to.Schema, err = a.store.Schema(); err != nil {
		to.Store = "it cannot be read; see the log"
	}
	if to.Journal, err = a.store.Last(); err != nil {
		to.Store = "it cannot be read; see the log"
	}
	if n, err := a.store.Size(); err == nil {
		to.Bytes = n
	}
	if free, err := a.store.Free(); err == nil {
		to.Free = &free
	}
}

// getStatus answers GET /v1/status.
func (a statusAPI) getStatus(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	s := api.Status{
		Version: version.Own(), Plugin: plugin.Version(), Protocol: link.Protocol,
		Servers: append([]string{}, a.servers...), NotReady: append([]string{}, a.obstacles(ctx)...),
		Open: api.LinksOf(a.links.withNames(a.gateway.Links())), Refused: api.LinksOf(a.links.withNames(a.gateway.Refused())),
	}
	s.Links, s.Answer = a.gateway.Ways()
	s.LinksMax = a.linksMax
	s.Service = a.gateway.HasService()
	s.TokenWorked = a.token.hasWorked()
	if last := a.heartbeat.lastHeard(); !last.IsZero() {
		s.LastPoll = &last
	}
	if err := a.bot.Health(); err != nil {
		s.Telegram = err.Error()
	}
	a.running.addTo(ctx, &s)
	s.Unread = len(a.store.AtOpen().Skipped)
	s.Lease = a.lease()
	if slices.Contains(s.NotReady, storeAway) {
		s.Store = storeAway
	} else {
		a.addStored(&s)
	}
	api.Reply(w, http.StatusOK, s)
}
