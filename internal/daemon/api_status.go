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
	err := a.bridge.Trouble(ctx)
	if errors.Is(err, bridge.ErrStore) {
		s.Store = err.Error()
	} else if s.Schema, err = a.store.Schema(); err != nil {
		s.Store = "it cannot be read; see the log"
	}
	if list, err := a.store.Unreadable().All(); err != nil {
		s.Store = "it cannot be read; see the log"
	} else {
		s.Unread = len(list)
	}
	if s.Journal, err = a.store.Last(); err != nil {
		s.Store = "it cannot be read; see the log"
	}
	a.running.addTo(ctx, &s, a.store)
	s.Lease = a.lease()
	api.Reply(w, http.StatusOK, s)
}
