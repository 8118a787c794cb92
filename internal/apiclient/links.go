package apiclient

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"

	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/internal/storage"
	"hermes/opencode/link"
	"hermes/pending"
)

// Links makes, lists and revokes links: through the running hermes with this configuration, else in the database, which no
// hermes uses then.
type Links struct{ Client Client }

// Add makes a link and returns its token. It fails with pending.ErrLinkExists if the name is taken. Where there is no database
// yet it makes one: links can be made before the first start. An owner must be on the list of people.
func (a Links) Add(ctx context.Context, name string, owner chat.UserID) (secret.Text, error) {
	if !api.LinkNameForm.Match(name) {
		return "", config.Mistakes{api.LinkNameRule}
	}
	var made api.LinkToken
	in := api.NewLink{Name: name, Owner: owner}
	err := a.Client.Fetch(ctx, http.MethodPost, "/v1/links", in, &made)
	switch {
	case errors.Is(err, ErrNotRunning):
		var token secret.Text
		if err = a.checkOwner(ctx, owner); err != nil {
			return "", err
		}
		err = a.inStore(ctx, true, func(s *pending.Store) (err error) {
			token, _, err = api.AddLink(s.Links(), in, question.Actor{Kind: question.Terminal})
			return err
		})
		return token, aboutLink(err, name)
	case IsRefusal(err, http.StatusConflict):
		return "", api.LinkExists(name)
	}
	return secret.Text(made.Token), err
}

// List tells all links, by name.
func (a Links) List(ctx context.Context) (list api.NamedLinks, err error) {
	err = a.Client.Fetch(ctx, http.MethodGet, "/v1/links", nil, &list)
	if a.Client.MayRead(err) {
		err = a.fromStore(ctx, func(s *pending.Store) error {
			links, err := s.Links().All()
			if err != nil {
				return err
			}
			asks, err := s.Threads()
			list = api.NamedLinksOf(links, api.Linking{Asks: asks})
			return err
		})
	}
	return list, err
}

// Revoke makes a link's token worthless at once, and ends what is open with it. It fails with pending.ErrNoLink.
func (a Links) Revoke(ctx context.Context, name string) error {
	var done struct{ Revoked string }
	err := a.Client.Fetch(ctx, http.MethodDelete, "/v1/links/"+url.PathEscape(name), nil, &done)
	switch {
	case errors.Is(err, ErrNotRunning):
		err = pending.ErrNoLink // where there is no database
		if failed := a.inStore(ctx, false, func(s *pending.Store) error {
			err = s.Links().Remove(name, api.LinkEntry(storage.EntryUnlinked, name, question.Actor{Kind: question.Terminal}))
			return nil
		}); failed != nil {
			err = failed
		}
		return aboutLink(err, name)
	case IsRefusal(err, http.StatusNotFound):
		return api.NoLink(name)
	}
	return err
}

// Rename gives a link another name. All else of it stays. It returns the rules in force that name the link by its old name alone, and
// fails with pending.ErrNoLink, or pending.ErrLinkExists if the new name is taken.
func (a Links) Rename(ctx context.Context, name, next string) (rules []string, err error) {
	if !api.LinkNameForm.Match(next) {
		return nil, config.Mistakes{api.LinkNameRule}
	}
	var done api.Renamed
	err = a.Client.Fetch(ctx, http.MethodPut, "/v1/links/"+url.PathEscape(name)+"/name", api.Rename{Name: next}, &done)
	switch {
	case errors.Is(err, ErrNotRunning):
		return a.renameInStore(ctx, name, next)
	case IsRefusal(err, http.StatusNotFound):
		return nil, api.NoLink(name)
	case IsRefusal(err, http.StatusConflict):
		return nil, api.LinkExists(next)
	}
	return done.Rules, err
}

func (a Links) renameInStore(ctx context.Context, name, next string) ([]string, error) {
	rules, err := a.Client.Config.Ruleset()
	if err != nil {
		return nil, err
	}
	err = pending.ErrNoLink // where there is no database
	if failed := a.inStore(ctx, false, func(s *pending.Store) error {
		err = s.Links().Rename(name, next, api.RenameEntry(name, next, question.Actor{Kind: question.Terminal}))
		return nil
	}); failed != nil {
		return nil, failed
	}
	if errors.Is(err, pending.ErrLinkExists) {
		return nil, api.LinkExists(next)
	}
	return rules.NamedLink(name, next), aboutLink(err, name)
}

// SetOwner gives a link to a person on the list of people, or to nobody (0). What it has asked and nobody has answered moves to
// them. It fails with pending.ErrNoLink.
func (a Links) SetOwner(ctx context.Context, name string, owner chat.UserID) error {
	err := a.Client.Fetch(ctx, http.MethodPut, "/v1/links/"+url.PathEscape(name)+"/owner", api.LinkOwner{Owner: owner}, new(api.LinkOwner))
	switch {
	case errors.Is(err, ErrNotRunning):
		if err = a.checkOwner(ctx, owner); err != nil {
			return err
		}
		err = pending.ErrNoLink // where there is no database
		if failed := a.inStore(ctx, false, func(s *pending.Store) error {
			err = s.Links().SetOwner(name, owner, api.OwnerEntry(name, owner, question.Actor{Kind: question.Terminal}))
			return nil
		}); failed != nil {
			err = failed
		}
		return aboutLink(err, name)
	case IsRefusal(err, http.StatusNotFound):
		return api.NoLink(name)
	}
	return err
}

// checkOwner refuses an owner who is not on the list of people, as far as the configuration says: those that hermes pair let in
// are in the database, so a running hermes knows better.
func (a Links) checkOwner(ctx context.Context, owner chat.UserID) error {
	rules, err := a.Client.Config.Ruleset()
	if err != nil || owner == 0 {
		return err
	}
	return a.fromPeople(ctx, rules, owner)
}

// fromPeople looks for the owner in the configuration, then among those who were let in.
func (a Links) fromPeople(ctx context.Context, rules *policy.Ruleset, owner chat.UserID) error {
	known := func(r *policy.Ruleset) bool { _, ok := r.Person(owner); return ok }
	if known(rules) {
		return nil
	}
	err := a.fromStore(ctx, func(s *pending.Store) error {
		paired, err := s.Pairings()
		rules = rules.WithPaired(paired, func(id chat.ID) chat.ID { return id })
		return err
	})
	if err == nil && !known(rules) {
		err = api.NoSuchOwner(owner)
	}
	return err
}

// Knows reports whether hermes takes this token for a link.
func (a Links) Knows(ctx context.Context, token secret.Text) (known bool, err error) {
	if !link.IsToken(token) {
		return false, nil
	}
	as, whose := a.Client, api.LinkName{}
	as.Token = token
	err = as.Fetch(ctx, http.MethodGet, "/v1/link", nil, &whose)
	switch {
	case errors.Is(err, ErrNotRunning):
		err = a.fromStore(ctx, func(s *pending.Store) error {
			links, err := s.Links().All()
			for _, l := range links {
				known = known || l.Hash == link.HashOf(token)
			}
			return err
		})
		return known, err
	case IsRefusal(err, http.StatusUnauthorized), IsRefusal(err, http.StatusMethodNotAllowed): // the latter: a hermes from before
		return false, nil
	}
	return err == nil, err
}

// fromStore reads the database that no hermes has open, and changes nothing in it. Where there is none there is nothing to do.
func (a Links) fromStore(ctx context.Context, read func(*pending.Store) error) error {
	s, err := database.Read(ctx, a.Client.Config)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return a.databaseError(err)
	}
	return errors.Join(read(s), s.Close())
}

// inStore uses the database that no hermes has open. One that is not there yet is made, or else there is nothing to do.
func (a Links) inStore(ctx context.Context, make bool, do func(*pending.Store) error) error {
	s, err := database.Read(ctx, a.Client.Config)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing && !make {
		return nil
	}
	if err == nil {
		err = s.Close()
	}
	if err == nil || missing {
		s, err = database.Open(ctx, a.Client.Config)
	}
	if err != nil {
		return a.databaseError(err)
	}
	return errors.Join(do(s), s.Close())
}

// databaseError words why the database cannot be opened.
func (a Links) databaseError(err error) error {
	if a.Client.Config.Store != "" {
		return err
	}
	if errors.Is(err, pending.ErrLocked) {
		return fmt.Errorf("another process uses %s, and no hermes answers at %s; give this command the same HERMES_LISTEN as hermes serve has", a.Client.Config.DB, a.Client.Config.OwnURL())
	}
	return fmt.Errorf("HERMES_DB: %w", err)
}

// freeName makes a link under the name, or under the first free one of name-2, name-3 and so on.
func (a Links) freeName(ctx context.Context, name string) (taken string, token secret.Text, err error) {
	taken = name
	for n := 2; n < 100; n++ {
		token, err = a.Add(ctx, taken, 0)
		if !errors.Is(err, pending.ErrLinkExists) {
			return taken, token, err
		}
		taken = fmt.Sprintf("%s-%d", name, n)
	}
	return "", "", err
}

// OwnLinkName is the name of a link of this machine.
func OwnLinkName() string { return api.LinkNameFor(Hostname()) }

// aboutLink says which link an error is about.
func aboutLink(err error, name string) error {
	switch {
	case errors.Is(err, pending.ErrLinkExists):
		return api.LinkExists(name)
	case errors.Is(err, pending.ErrNoLink):
		return api.NoLink(name)
	}
	return err
}

// Hostname is this machine's, as a plugin here would say it; empty: not known.
func Hostname() string {
	name, _ := os.Hostname()
	return name
}
