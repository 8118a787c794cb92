package api

import (
	"fmt"
	"regexp"
	"time"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/internal/storage"
	"hermes/opencode/link"
	"hermes/pending"
) // Wire types of /v1/links. Fields are only added.

type (
	LinkName struct {
		Name string `json:"name"`
	}
	LinkToken struct {
		Name  string `json:"name"`
		Token string `json:"token"` // told here and never again
	}
	NamedLink struct {
		Name string     `json:"name"`
		Made time.Time  `json:"made"`
		Seen *time.Time `json:"seen,omitempty"` // when OpenCode last used it; absent: never
		Host string     `json:"host,omitempty"` // from where, as the plugin says
		Open int        `json:"open"`           // links that are open with it now
	}
	NamedLinks struct {
		Links []NamedLink `json:"links"`
		// Unnamed counts the open links of plugins that hold the API's token, as plugins did before links had tokens.
		Unnamed int `json:"open_with_api_token"`
	}
)

// LinkNameForm matches the names that links may have.
var LinkNameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// LinkNameRule says LinkNameForm in words.
const LinkNameRule = "a link's name has 1 to 63 letters, digits, dots, dashes and underscores, and begins with a letter or a digit"

// NamedLinksOf lists links; open has how many are open by the name of their token, "" for the API's.
func NamedLinksOf(list []pending.Link, open map[string]int) NamedLinks {
	a := NamedLinks{Links: []NamedLink{}, Unnamed: open[""]}
	for _, l := range list {
		a.Links = append(a.Links, NamedLink{l.Name, l.Made, timeOrAbsent(l.Seen), l.Host, open[l.Name]})
	}
	return a
}

// AddLink stores a new link, with its entry in the journal.
func AddLink(links pending.Links, name string, by question.Actor) (secret.Text, pending.Link, error) {
	token, now := link.NewToken(), time.Now()
	l := pending.Link{Name: name, Hash: link.HashOf(token), Made: now}
	return token, l, links.Add(l, LinkEntry(storage.EntryLinked, name, by))
}

// LinkEntry is the journal's entry of a link that was made or revoked now.
func LinkEntry(kind storage.EntryKind, name string, by question.Actor) storage.Entry {
	return storage.Entry{At: time.Now(), Kind: kind, By: by, Note: name}
}

// LinkExists is the error for a name that is taken. It is pending.ErrLinkExists.
func LinkExists(name string) error {
	return fmt.Errorf("%w already: %s; revoke it first, or choose another name", pending.ErrLinkExists, name)
}

// NoLink is the error for a name that no link has. It is pending.ErrNoLink.
func NoLink(name string) error {
	return fmt.Errorf("%w: %s; hermes link list tells the names", pending.ErrNoLink, letters.Escaped(name))
}
