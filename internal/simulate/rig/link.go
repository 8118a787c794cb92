package rig

import (
	"strings"

	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/secret"
)

// Links is the way to the links of the running hermes in the rig.
func (r *Rig) Links() apiclient.Links {
	c := r.Config
	c.HookToken = HookKey
	return apiclient.Links{Client: apiclient.New(c, RoundTripper(r.RoundTrip))}
}

// RequestAs is a request with another token than the API's.
func (r *Rig) RequestAs(token secret.Text, method, path, body string) (int, string) {
	r.T.Helper()
	return r.Request(method, path, body, "Authorization", "Bearer "+token.Reveal())
}

// GiveLink gives a link to a person.
func (r *Rig) GiveLink(name string, owner chat.UserID) {
	r.T.Helper()
	if err := r.Links().SetOwner(r.T.Context(), name, owner); err != nil {
		r.T.Fatal(err)
	}
}

// Exchange is a machine that gives a code for a link.
func (r *Rig) Exchange(url string, code secret.Text, host string) (token secret.Text, name string, err error) {
	return apiclient.Exchange{URLs: strings.Split(url, ","), Code: code, Host: host, Way: RoundTripper(r.RoundTrip)}.Do(r.T.Context())
}

// RenameLink gives a link another name.
func (r *Rig) RenameLink(name, next string) (rules []string) {
	r.T.Helper()
	rules, err := r.Links().Rename(r.T.Context(), name, next)
	if err != nil {
		r.T.Fatal(err)
	}
	return rules
}
