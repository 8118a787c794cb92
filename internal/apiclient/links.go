package apiclient

import (
	"context"
	"encoding/json"
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
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/pending"
)

// Links makes, lists and revokes links, through the running hermes with this configuration. Where none runs, only a link without an
// owner can be made, and a token be looked up, in the database: hermes plugin install may come before the first start.
type Links struct{ Client Client }

// Add makes a link and returns its token. It fails with pending.ErrLinkExists if the name is taken. Where there is no database
// yet it makes one: links can be made before the first start. An owner must be on the list of people.
func (a Links) Add(ctx context.Context, name string, owner chat.UserID) (secret.Text, error) {
	if !api.LinkNameForm.MatchString(name) {
		return "", config.Mistakes{api.LinkNameRule}
	}
	var made api.LinkToken
	in := api.NewLink{Name: name, Owner: owner}
	err := a.Client.Fetch(ctx, http.MethodPost, "/v1/links", in, &made)
	switch {
	case errors.Is(err, ErrNotRunning) && owner == 0:
		var token secret.Text
		err = a.inStore(ctx, func(s *pending.Store) (err error) {
			token, _, err = api.AddLink(s.Links(), in, question.Actor{Kind: question.Terminal})
			return err
		})
		if errors.Is(err, pending.ErrLinkExists) {
			err = api.LinkExists(name)
		}
		return token, err
	case IsRefusal(err, http.StatusConflict):
		return "", api.LinkExists(name)
	}
	return secret.Text(made.Token), err
}

// List tells all links, by name.
func (a Links) List(ctx context.Context) (list api.NamedLinks, err error) {
	err = a.Client.Fetch(ctx, http.MethodGet, "/v1/links", nil, &list)
	return list, err
}

// Revoke makes a link's token worthless at once, and ends what is open with it.
func (a Links) Revoke(ctx context.Context, name string) error {
	var done struct{ Revoked string }
	return a.Client.Fetch(ctx, http.MethodDelete, "/v1/links/"+url.PathEscape(name), nil, &done)
}

// Rename gives a link another name. All else of it stays. It returns the rules in force that name the link by its old name alone.
func (a Links) Rename(ctx context.Context, name, next string) (rules []string, err error) {
	if !api.LinkNameForm.MatchString(next) {
		return nil, config.Mistakes{api.LinkNameRule}
	}
	var done api.Renamed
	err = a.Client.Fetch(ctx, http.MethodPut, "/v1/links/"+url.PathEscape(name)+"/name", api.Rename{Name: next}, &done)
	return done.Rules, err
}

// SetOwner gives a link to a person on the list of people, or to nobody (0). What it has asked and nobody has answered moves to
// them.
func (a Links) SetOwner(ctx context.Context, name string, owner chat.UserID) error {
	return a.Client.Fetch(ctx, http.MethodPut, "/v1/links/"+url.PathEscape(name)+"/owner", api.LinkOwner{Owner: owner}, new(api.LinkOwner))
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

// inStore uses the database that no hermes has open. One that is not there yet is made.
func (a Links) inStore(ctx context.Context, do func(*pending.Store) error) error {
	s, err := database.Read(ctx, a.Client.Config)
	if err == nil {
		err = s.Close()
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
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
		return a.Client.LockedElsewhere("this command")
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

// Hostname is this machine's, as a plugin here would say it; empty: not known.
func Hostname() string {
	name, _ := os.Hostname()
	return name
}

// LinkTokenOf is the token in the link file of the installed plugin, "" where there is none that can be read.
func LinkTokenOf(o plugin.Options) secret.Text {
	state, err := plugin.Status(o)
	if err != nil {
		return ""
	}
	var file struct {
		Token string `json:"token"`
	}
	content, _, err := config.ReadSmall(state.Link)
	if err != nil || json.Unmarshal([]byte(content), &file) != nil {
		return ""
	}
	return secret.Text(file.Token)
}

// LinkToken is the token for this machine's plugin: the one that it has if hermes takes that, else the one of a new link, whose
// name is made. No error shows a secret.
func LinkToken(ctx context.Context, hermes Client, o plugin.Options) (token secret.Text, made string, err error) {
	links, old := Links{Client: hermes}, LinkTokenOf(o)
	redact := secret.NewRedactor(append(hermes.Config.Secrets(), hermes.Token, old)...)
	known, err := links.Knows(ctx, old)
	if known || err != nil {
		return old, "", redact.Error(err)
	}
	made, token, err = links.freeName(ctx, OwnLinkName())
	return token, made, redact.Error(err)
}
