package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/opencode"
	"hermes/pending"
)

// linkAPI serves the links of plugins: /v1/links.
type linkAPI struct {
	tokens  *linkTokens
	bridge  *bridge.Bridge
	gateway *opencode.Gateway
	rules   *Rulebook
	store   countedStore
	log     *slog.Logger
}

func (a linkAPI) addTo(routes map[string]http.Handler) {
	routes["POST /v1/links"] = http.HandlerFunc(a.postLink)
	routes["GET /v1/links"] = http.HandlerFunc(a.listLinks)
	routes["DELETE /v1/links/{name}"] = http.HandlerFunc(a.deleteLink)
	routes["PUT /v1/links/{name}/owner"] = http.HandlerFunc(a.putOwner)
	routes["PUT /v1/links/{name}/name"] = http.HandlerFunc(a.putName)
}

// postLink answers POST /v1/links.
func (a linkAPI) postLink(w http.ResponseWriter, r *http.Request) {
	var in api.NewLink
	if err := api.Decode(http.MaxBytesReader(w, r.Body, 64<<10), &in); err != nil {
		api.Refuse(w, http.StatusBadRequest, `the body must be {"name":"laptop-7"}, with "owner": a person's numeric Telegram id, if it has one`)
		return
	}
	if !api.LinkNameForm.MatchString(in.Name) {
		api.Refuse(w, http.StatusBadRequest, api.LinkNameRule)
		return
	}
	if !a.takesOwner(w, r, in.Owner) {
		return
	}
	token, err := a.tokens.add(in, question.OverAPI())
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
func (a linkAPI) listLinks(w http.ResponseWriter, r *http.Request) {
	people, err := a.bridge.People(r.Context())
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	asks, err := a.bridge.Open(r.Context())
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	list := api.NamedLinksOf(a.tokens.list(), api.Linking{Open: a.gateway.Links(), Refused: a.gateway.Refused(), Asks: asks})
	list.NameOwners(people)
	api.Reply(w, http.StatusOK, list)
}

// putOwner answers PUT /v1/links/{name}/owner.
func (a linkAPI) putOwner(w http.ResponseWriter, r *http.Request) {
	name, in := r.PathValue("name"), api.LinkOwner{}
	if err := api.Decode(http.MaxBytesReader(w, r.Body, 64<<10), &in); err != nil {
		api.Refuse(w, http.StatusBadRequest, `the body must be {"owner":123456789}, a person's numeric Telegram id, or 0 for nobody`)
		return
	}
	if !a.takesOwner(w, r, in.Owner) {
		return
	}
	err := a.tokens.setOwner(name, in.Owner, question.OverAPI())
	if errors.Is(err, pending.ErrNoLink) {
		api.Refuse(w, http.StatusNotFound, api.NoLink(name).Error())
		return
	}
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	a.store.announce(storage.EntryOwned)
	if err := a.bridge.LinksChanged(context.WithoutCancel(r.Context())); err != nil { // it is stored, whoever waits for the answer
		refuseError(w, a.log, err)
		return
	}
	a.log.Info("a link has another owner", "link", name)
	api.Reply(w, http.StatusOK, in)
}

// putName answers PUT /v1/links/{name}/name.
func (a linkAPI) putName(w http.ResponseWriter, r *http.Request) {
	name, in := r.PathValue("name"), api.Rename{}
	if err := api.Decode(http.MaxBytesReader(w, r.Body, 64<<10), &in); err != nil {
		api.Refuse(w, http.StatusBadRequest, `the body must be {"name":"bobs-laptop"}`)
		return
	}
	if !api.LinkNameForm.MatchString(in.Name) {
		api.Refuse(w, http.StatusBadRequest, api.LinkNameRule)
		return
	}
	switch err := a.tokens.rename(name, in.Name, question.OverAPI()); {
	case errors.Is(err, pending.ErrNoLink):
		api.Refuse(w, http.StatusNotFound, api.NoLink(name).Error())
		return
	case errors.Is(err, pending.ErrLinkExists):
		api.Refuse(w, http.StatusConflict, api.LinkExists(in.Name).Error())
		return
	case err != nil:
		refuseError(w, a.log, err)
		return
	}
	a.store.announce(storage.EntryRenamed)
	a.log.Info("a link was renamed", "link", name, "to", in.Name)
	if err := a.bridge.LinksChanged(context.WithoutCancel(r.Context())); err != nil { // it is stored, whoever waits for the answer
		refuseError(w, a.log, err)
		return
	}
	api.Reply(w, http.StatusOK, api.Renamed{Name: in.Name, Rules: a.rules.InForce().NamedLink(name, in.Name)})
}

// takesOwner refuses an owner who is not on the list of people, and reports whether it did not.
func (a linkAPI) takesOwner(w http.ResponseWriter, r *http.Request, owner chat.UserID) bool {
	if owner == 0 {
		return true
	}
	people, err := a.bridge.People(r.Context())
	_, known := people[owner]
	switch {
	case err != nil:
		refuseError(w, a.log, err)
		return false
	case !known:
		api.Refuse(w, http.StatusBadRequest, api.NoSuchOwner(owner).Error())
		return false
	}
	return true
}

// deleteLink answers DELETE /v1/links/{name}.
func (a linkAPI) deleteLink(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	id, err := a.tokens.revoke(name, question.OverAPI())
	if errors.Is(err, pending.ErrNoLink) {
		api.Refuse(w, http.StatusNotFound, api.NoLink(name).Error())
		return
	}
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	a.store.announce(storage.EntryUnlinked)
	a.gateway.Revoke(id)
	a.log.Info("a link was revoked", "link", name)
	api.Reply(w, http.StatusOK, map[string]string{"revoked": name})
}
