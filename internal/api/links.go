package api

import (
	"fmt"
	"regexp"
	"slices"
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
		// OpenCodes are what is linked with it now, each kind and version once.
		OpenCodes []LinkedOpenCode `json:"opencodes,omitempty"`
	}
	LinkedOpenCode struct {
		By      string `json:"by"`      // what linked it: LinkedByPlugin or LinkedByProcess
		Version string `json:"version"` // "": it did not say
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

// What links an OpenCode: its plugin, or, of OpenCode 2, the process hermes link run.
const (
	LinkedByPlugin  = "plugin"
	LinkedByProcess = "process"
)

func linkedBy(k link.Kind) string {
	if k == link.Service {
		return LinkedByProcess
	}
	return LinkedByPlugin
}

// NamedLinksOf lists links; open are those that are open now.
func NamedLinksOf(list []pending.Link, open []link.Hello) NamedLinks {
	count, linked := map[string]int{}, map[string][]LinkedOpenCode{}
	for _, h := range open {
		count[h.Token]++
		if one := (LinkedOpenCode{linkedBy(h.Kind), h.Version}); !slices.Contains(linked[h.Token], one) {
			linked[h.Token] = append(linked[h.Token], one)
		}
	}
	a := NamedLinks{Links: []NamedLink{}, Unnamed: count[""]}
	for _, l := range list {
		a.Links = append(a.Links, NamedLink{l.Name, l.Made, timeOrAbsent(l.Seen), l.Host, count[l.Name], linked[l.Name]})
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
