package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"time"

	"hermes/internal/question"
	"hermes/pending"
)

// Wire types of /v1/links. Fields are only added.
type (
	apiLinkName struct {
		Name string `json:"name"`
	}
	apiLinkToken struct {
		Name  string `json:"name"`
		Token string `json:"token"` // told here and never again
	}
	apiNamedLink struct {
		Name string     `json:"name"`
		Made time.Time  `json:"made"`
		Seen *time.Time `json:"seen,omitempty"` // when OpenCode last used it; absent: never
		Host string     `json:"host,omitempty"` // from where, as the plugin says
		Open int        `json:"open"`           // links that are open with it now
	}
	apiNamedLinks struct {
		Links []apiNamedLink `json:"links"`
		// Unnamed counts the open links of plugins that hold the API's token, as plugins did before links had tokens.
		Unnamed int `json:"open_with_api_token"`
	}
)

var linkNameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

const linkNameRule = "a link's name has 1 to 63 letters, digits, dots, dashes and underscores, and begins with a letter or a digit"

// postLink answers POST /v1/links.
func (d *daemon) postLink(w http.ResponseWriter, r *http.Request) {
	var in apiLinkName
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&in)
	if err == nil {
		err = atEnd(decoder)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, `the body must be {"name":"laptop-7"}`)
		return
	}
	if !linkNameForm.MatchString(in.Name) {
		refuse(w, http.StatusBadRequest, linkNameRule)
		return
	}
	token, err := d.links.add(in.Name, question.OverAPI())
	if errors.Is(err, pending.ErrLinkExists) {
		refuse(w, http.StatusConflict, linkExists(in.Name).Error())
		return
	}
	if err != nil {
		d.fail(w, err)
		return
	}
	d.journaled(question.EntryLinked)
	d.log.Info("a link was made", "link", in.Name)
	reply(w, http.StatusOK, apiLinkToken{Name: in.Name, Token: token.Reveal()})
}

// listLinks answers GET /v1/links.
func (d *daemon) listLinks(w http.ResponseWriter, _ *http.Request) {
	open := map[string]int{}
	for _, hello := range d.gateway.Links() {
		open[hello.Token]++
	}
	reply(w, http.StatusOK, namedLinks(d.links.list(), open))
}

func namedLinks(list []pending.Link, open map[string]int) apiNamedLinks {
	a := apiNamedLinks{Links: []apiNamedLink{}, Unnamed: open[""]}
	for _, l := range list {
		a.Links = append(a.Links, apiNamedLink{l.Name, l.Made, timeToAPI(l.Seen), l.Host, open[l.Name]})
	}
	return a
}

// deleteLink answers DELETE /v1/links/{name}.
func (d *daemon) deleteLink(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	err := d.links.revoke(name, question.OverAPI())
	if errors.Is(err, pending.ErrNoLink) {
		refuse(w, http.StatusNotFound, noLink(name).Error())
		return
	}
	if err != nil {
		d.fail(w, err)
		return
	}
	d.journaled(question.EntryUnlinked)
	d.gateway.Revoke(name)
	d.log.Info("a link was revoked", "link", name)
	reply(w, http.StatusOK, map[string]string{"revoked": name})
}

// journaled counts an entry that was not stored by way of counted, and wakes those who wait for the journal.
func (d *daemon) journaled(kind question.EntryKind) {
	d.metrics.entries.WithLabelValues(string(kind)).Inc()
	d.entries.ring()
}
