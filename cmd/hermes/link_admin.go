package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"hermes/internal/question"
	"hermes/opencode/link"
	"hermes/pending"
)

// linkAdmin makes, lists and revokes links: through the hermes that runs with this configuration, else in the database, which no
// hermes uses then.
type linkAdmin struct{ hermes running }

// add makes a link and returns its token. It fails with pending.ErrLinkExists if the name is taken. Where there is no database
// yet it makes one: links can be made before the first start.
func (a linkAdmin) add(ctx context.Context, name string) (secret, error) {
	if !linkNameForm.MatchString(name) {
		return "", mistakes{linkNameRule}
	}
	var made apiLinkToken
	err := a.hermes.fetch(ctx, http.MethodPost, "/v1/links", apiLinkName{Name: name}, &made)
	switch {
	case errors.Is(err, errNotRunning):
		var token secret
		err = a.inFile(true, func(s *pending.Store) (err error) {
			token, _, err = addLink(s, name, question.Actor{Kind: question.Terminal})
			return err
		})
		return token, aboutLink(err, name)
	case refusedWith(err, http.StatusConflict):
		return "", linkExists(name)
	}
	return secret(made.Token), err
}

// list tells all links, by name.
func (a linkAdmin) list(ctx context.Context) (list apiNamedLinks, err error) {
	err = a.hermes.fetch(ctx, http.MethodGet, "/v1/links", nil, &list)
	if errors.Is(err, errNotRunning) {
		err = a.fromFile(func(s *pending.Store) error {
			links, err := s.Links()
			list = namedLinks(links, nil)
			return err
		})
	}
	return list, err
}

// revoke makes a link's token worthless at once, and ends what is open with it. It fails with pending.ErrNoLink.
func (a linkAdmin) revoke(ctx context.Context, name string) error {
	var done struct{ Revoked string }
	err := a.hermes.fetch(ctx, http.MethodDelete, "/v1/links/"+url.PathEscape(name), nil, &done)
	switch {
	case errors.Is(err, errNotRunning):
		err = pending.ErrNoLink // where there is no database
		if inFile := a.inFile(false, func(s *pending.Store) error {
			err = s.RemoveLink(name, linkEntry(question.EntryUnlinked, name, question.Actor{Kind: question.Terminal}))
			return nil
		}); inFile != nil {
			err = inFile
		}
		return aboutLink(err, name)
	case refusedWith(err, http.StatusNotFound):
		return noLink(name)
	}
	return err
}

// knows reports whether hermes takes this token for a link.
func (a linkAdmin) knows(ctx context.Context, token secret) (known bool, err error) {
	if !link.IsToken(token) {
		return false, nil
	}
	as, whose := a.hermes, apiLinkName{}
	as.token = token
	err = as.fetch(ctx, http.MethodGet, "/v1/link", nil, &whose)
	switch {
	case errors.Is(err, errNotRunning):
		err = a.fromFile(func(s *pending.Store) error {
			links, err := s.Links()
			for _, l := range links {
				known = known || l.Hash == link.HashOf(token)
			}
			return err
		})
		return known, err
	case refusedWith(err, http.StatusUnauthorized), refusedWith(err, http.StatusMethodNotAllowed): // the latter: a hermes from before
		return false, nil
	}
	return err == nil, err
}

// fromFile reads the database that no hermes has open, and changes nothing in it. Where there is none there is nothing to do.
func (a linkAdmin) fromFile(read func(*pending.Store) error) error {
	s, err := pending.Read(a.hermes.config.DB)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return a.unusable(err)
	}
	return errors.Join(read(s), s.Close())
}

// inFile uses the database that no hermes has open. One that is not there yet is made, or else there is nothing to do.
func (a linkAdmin) inFile(make bool, do func(*pending.Store) error) error {
	path := a.hermes.config.DB
	s, err := pending.Read(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing && !make {
		return nil
	}
	if err == nil {
		err = s.Close()
	}
	if err == nil || missing {
		s, err = pending.Open(path, pending.Options{})
	}
	if err != nil {
		return a.unusable(err)
	}
	return errors.Join(do(s), s.Close())
}

// unusable words why the database cannot be opened.
func (a linkAdmin) unusable(err error) error {
	if errors.Is(err, pending.ErrLocked) {
		return fmt.Errorf("another process uses %s, and no hermes answers at %s; give this command the same HERMES_LISTEN as hermes serve has", a.hermes.config.DB, a.hermes.config.ownURL())
	}
	return fmt.Errorf("HERMES_DB: %w", err)
}

// freeName makes a link under the name, or under the first free one of name-2, name-3 and so on.
func (a linkAdmin) freeName(ctx context.Context, name string) (taken string, token secret, err error) {
	taken = name
	for n := 2; n < 100; n++ {
		token, err = a.add(ctx, taken)
		if !errors.Is(err, pending.ErrLinkExists) {
			return taken, token, err
		}
		taken = fmt.Sprintf("%s-%d", name, n)
	}
	return "", "", err
}

// ownLinkName is the name of a link of this machine.
func ownLinkName() string { return linkNameFor(hostname()) }

// linkNameFor makes the name of a link of the name of a host.
func linkNameFor(host string) string {
	odd := regexp.MustCompile(`[^A-Za-z0-9._-]+`)
	name := strings.TrimLeft(odd.ReplaceAllString(host, "-"), "._-")
	if name == "" {
		return "machine"
	}
	return name[:min(len(name), 56)]
}

// aboutLink says which link an error is about.
func aboutLink(err error, name string) error {
	switch {
	case errors.Is(err, pending.ErrLinkExists):
		return linkExists(name)
	case errors.Is(err, pending.ErrNoLink):
		return noLink(name)
	}
	return err
}

func linkExists(name string) error {
	return fmt.Errorf("%w already: %s; revoke it first, or choose another name", pending.ErrLinkExists, name)
}

func noLink(name string) error {
	return fmt.Errorf("%w: %s; hermes link list tells the names", pending.ErrNoLink, legible(name))
}
