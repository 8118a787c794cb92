package daemon

import (
	"context"
	"errors"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
)

// postLink answers POST /v1/links.
func (d *Daemon) postLink(r *http.Request) (any, error) {
	var in api.NewLink
	if err := decode(r, &in, `{"name":"laptop-7"}, with "owner": a person's numeric Telegram id, if it has one`); err != nil {
		return nil, err
	}
	if !api.LinkNameForm.MatchString(in.Name) {
		return nil, refused(http.StatusBadRequest, api.LinkNameRule)
	}
	if err := d.checkOwner(r.Context(), in.Owner); err != nil {
		return nil, err
	}
	token, err := d.links.add(in, question.OverAPI())
	if err != nil {
		return nil, linkRefusal(err, "", in.Name)
	}
	d.counted.announce(storage.EntryLinked)
	d.log.Info("a link was made", "link", in.Name)
	return api.LinkToken{Name: in.Name, Token: token.Reveal()}, nil
}

// linkRefusal says which link there is not, or which other one has the name already.
func linkRefusal(err error, name, next string) error {
	switch {
	case errors.Is(err, pending.ErrNoLink):
		return refused(http.StatusNotFound, api.NoLink(name).Error())
	case errors.Is(err, pending.ErrLinkExists):
		return refused(http.StatusConflict, api.LinkExists(next).Error())
	}
	return err
}

// listLinks answers GET /v1/links.
func (d *Daemon) listLinks(r *http.Request) (any, error) {
	people, err := d.Bridge.People(r.Context())
	if err != nil {
		return nil, err
	}
	asks, err := d.Bridge.Open(r.Context())
	if err != nil {
		return nil, err
	}
	list := api.NamedLinksOf(d.links.list(), api.Linking{Open: d.Gateway.Links(), Refused: d.Gateway.Refused(), Asks: asks})
	list.NameOwners(people)
	return list, nil
}

// putOwner answers PUT /v1/links/{name}/owner.
func (d *Daemon) putOwner(r *http.Request) (any, error) {
	name, in := r.PathValue("name"), api.LinkOwner{}
	if err := decode(r, &in, `{"owner":123456789}, a person's numeric Telegram id, or 0 for nobody`); err != nil {
		return nil, err
	}
	if err := d.checkOwner(r.Context(), in.Owner); err != nil {
		return nil, err
	}
	if err := d.links.setOwner(name, in.Owner, question.OverAPI()); err != nil {
		return nil, linkRefusal(err, name, "")
	}
	d.counted.announce(storage.EntryOwned)
	if err := d.Bridge.LinksChanged(context.WithoutCancel(r.Context())); err != nil { // it is stored, whoever waits for the answer
		return nil, err
	}
	d.log.Info("a link has another owner", "link", name)
	return in, nil
}

// putName answers PUT /v1/links/{name}/name.
func (d *Daemon) putName(r *http.Request) (any, error) {
	name, in := r.PathValue("name"), api.Rename{}
	if err := decode(r, &in, `{"name":"bobs-laptop"}`); err != nil {
		return nil, err
	}
	if !api.LinkNameForm.MatchString(in.Name) {
		return nil, refused(http.StatusBadRequest, api.LinkNameRule)
	}
	if err := d.links.rename(name, in.Name, question.OverAPI()); err != nil {
		return nil, linkRefusal(err, name, in.Name)
	}
	d.counted.announce(storage.EntryRenamed)
	d.log.Info("a link was renamed", "link", name, "to", in.Name)
	if err := d.Bridge.LinksChanged(context.WithoutCancel(r.Context())); err != nil { // it is stored, whoever waits for the answer
		return nil, err
	}
	return api.Renamed{Name: in.Name, Rules: d.Rules.InForce().NamedLink(name, in.Name)}, nil
}

// checkOwner fails for an owner who is not on the list of people.
func (d *Daemon) checkOwner(ctx context.Context, owner chat.UserID) error {
	if owner == 0 {
		return nil
	}
	people, err := d.Bridge.People(ctx)
	if _, known := people[owner]; err == nil && !known {
		err = refused(http.StatusBadRequest, api.NoSuchOwner(owner).Error())
	}
	return err
}

// deleteLink answers DELETE /v1/links/{name}.
func (d *Daemon) deleteLink(r *http.Request) (any, error) {
	name := r.PathValue("name")
	id, err := d.links.revoke(name, question.OverAPI())
	if err != nil {
		return nil, linkRefusal(err, name, "")
	}
	d.counted.announce(storage.EntryUnlinked)
	d.Gateway.Revoke(id)
	d.log.Info("a link was revoked", "link", name)
	return map[string]string{"revoked": name}, nil
}
