package daemon

import (
	"errors"
	"log/slog"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/opencode"
	"hermes/pending"
)

// linkAPI serves the links of plugins: /v1/links.
type linkAPI struct {
	tokens  *linkTokens
	gateway *opencode.Gateway
	store   countedStore
	log     *slog.Logger
}

func (a linkAPI) addTo(routes map[string]http.Handler) {
	routes["POST /v1/links"] = http.HandlerFunc(a.postLink)
	routes["GET /v1/links"] = http.HandlerFunc(a.listLinks)
	routes["DELETE /v1/links/{name}"] = http.HandlerFunc(a.deleteLink)
}

// postLink answers POST /v1/links.
func (a linkAPI) postLink(w http.ResponseWriter, r *http.Request) {
	var in api.LinkName
	if err := api.Decode(http.MaxBytesReader(w, r.Body, 64<<10), &in); err != nil {
		api.Refuse(w, http.StatusBadRequest, `the body must be {"name":"laptop-7"}`)
		return
	}
	if !api.LinkNameForm.MatchString(in.Name) {
		api.Refuse(w, http.StatusBadRequest, api.LinkNameRule)
		return
	}
	token, err := a.tokens.add(in.Name, question.OverAPI())
	if errors.Is(err, pending.ErrLinkExists) {
		api.Refuse(w, http.StatusConflict, api.LinkExists(in.Name).Error())
		return
	}
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	a.store.announce(storage.EntryLinked)
	a.log.Info("a link was made", "link", in.Name)
	api.Reply(w, http.StatusOK, api.LinkToken{Name: in.Name, Token: token.Reveal()})
}

// listLinks answers GET /v1/links.
func (a linkAPI) listLinks(w http.ResponseWriter, _ *http.Request) {
	api.Reply(w, http.StatusOK, api.NamedLinksOf(a.tokens.list(), a.gateway.Links()))
}

// deleteLink answers DELETE /v1/links/{name}.
func (a linkAPI) deleteLink(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	err := a.tokens.revoke(name, question.OverAPI())
	if errors.Is(err, pending.ErrNoLink) {
		api.Refuse(w, http.StatusNotFound, api.NoLink(name).Error())
		return
	}
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	a.store.announce(storage.EntryUnlinked)
	a.gateway.Revoke(name)
	a.log.Info("a link was revoked", "link", name)
	api.Reply(w, http.StatusOK, map[string]string{"revoked": name})
}
