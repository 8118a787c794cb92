package daemon

import (
	"errors"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
)

// postLink answers POST /v1/links.
func (d *Daemon) postLink(w http.ResponseWriter, r *http.Request) {
	var in api.LinkName
	if err := api.Decode(http.MaxBytesReader(w, r.Body, 64<<10), &in); err != nil {
		api.Refuse(w, http.StatusBadRequest, `the body must be {"name":"laptop-7"}`)
		return
	}
	if !api.LinkNameForm.MatchString(in.Name) {
		api.Refuse(w, http.StatusBadRequest, api.LinkNameRule)
		return
	}
	token, err := d.links.add(in.Name, question.OverAPI())
	if errors.Is(err, pending.ErrLinkExists) {
		api.Refuse(w, http.StatusConflict, api.LinkExists(in.Name).Error())
		return
	}
	if err != nil {
		d.fail(w, err)
		return
	}
	d.journaled(storage.EntryLinked)
	d.log.Info("a link was made", "link", in.Name)
	api.Reply(w, http.StatusOK, api.LinkToken{Name: in.Name, Token: token.Reveal()})
}

// listLinks answers GET /v1/links.
func (d *Daemon) listLinks(w http.ResponseWriter, _ *http.Request) {
	open := map[string]int{}
	for _, hello := range d.Gateway.Links() {
		open[hello.Token]++
	}
	api.Reply(w, http.StatusOK, api.NamedLinksOf(d.links.list(), open))
}

// deleteLink answers DELETE /v1/links/{name}.
func (d *Daemon) deleteLink(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	err := d.links.revoke(name, question.OverAPI())
	if errors.Is(err, pending.ErrNoLink) {
		api.Refuse(w, http.StatusNotFound, api.NoLink(name).Error())
		return
	}
	if err != nil {
		d.fail(w, err)
		return
	}
	d.journaled(storage.EntryUnlinked)
	d.Gateway.Revoke(name)
	d.log.Info("a link was revoked", "link", name)
	api.Reply(w, http.StatusOK, map[string]string{"revoked": name})
}

// journaled counts an entry that was not stored by way of counted, and wakes those who wait for the journal.
func (d *Daemon) journaled(kind storage.EntryKind) {
	d.metrics.entries.WithLabelValues(string(kind)).Inc()
	d.entries.ring()
}
