package api

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/opencode/link"
	"hermes/pending"
) // Wire types of /v1/links. Fields are only added.

type (
	LinkName struct {
		Name string `json:"name"`
	}
	// NewLink is the body of POST /v1/links.
	NewLink struct {
		Name  string      `json:"name"`
		Owner chat.UserID `json:"owner,omitempty"` // Telegram's id of the person whose agents ask over it; absent: nobody
	}
	// LinkOwner is the body of PUT /v1/links/{name}/owner, and its answer.
	LinkOwner struct {
		Owner chat.UserID `json:"owner"` // 0: nobody
	}
	// Rename is the body of PUT /v1/links/{name}/name.
	Rename struct {
		Name string `json:"name"`
	}
	// Renamed is its answer.
	Renamed struct {
		Name string `json:"name"`
		// Rules are those of the rules file in force that name the link by its old name and do not fit the new one.
		Rules []string `json:"rules,omitempty"`
	}
	LinkToken struct {
		Name  string `json:"name"`
		Token string `json:"token"` // told here and never again
	}
	// Exchange is the body of POST /v1/link-codes, by which a machine gets a link for the code of its owner: no token is needed, and
	// none crosses.
	Exchange struct {
		Code      string `json:"code"`
		TokenHash string `json:"token_hash"` // SHA-256, in hexadecimal, of the token that the machine has made for its link
		Host      string `json:"host"`       // what the machine calls itself
	}
	NamedLink struct {
		ID        string      `json:"id"` // as the log names it: it stays when the link is renamed
		Name      string      `json:"name"`
		Made      time.Time   `json:"made"`
		Seen      *time.Time  `json:"seen,omitempty"`       // when OpenCode last used it; absent: never
		Host      string      `json:"host,omitempty"`       // from where, as the plugin says
		Open      int         `json:"open"`                 // links that are open with it now
		Owner     chat.UserID `json:"owner,omitempty"`      // absent: nobody
		OwnerName string      `json:"owner_name,omitempty"` // as the rules have it; absent: not on the list of people
		ByMachine bool        `json:"named_by_machine"`     // its machine chose the name, and nobody has given it one since

		Waiting int `json:"waiting"` // asks that nobody has answered

		// OpenCodes are what is linked with it now, or was refused lately, each kind and version once.
		OpenCodes []LinkedOpenCode `json:"opencodes,omitempty"`
	}
	LinkedOpenCode struct {
		By       string `json:"by"`                // what linked it: LinkedByPlugin or LinkedByProcess
		Version  string `json:"version"`           // of OpenCode; "": it did not say
		Plugin   string `json:"plugin"`            // of the plugin, or of hermes beside the service; "": it did not say
		Protocol int    `json:"link_protocol"`     // that it speaks
		Refused  bool   `json:"refused,omitempty"` // it is not linked, as it speaks another protocol than this hermes
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

// ExchangePath is where machines exchange codes for links.
const ExchangePath = "/v1/link-codes"

// CodeRefused is what is said of a code that makes no link, whatever the reason.
const CodeRefused = "this code makes no link: it is unknown, was used, or is older than ten minutes; write /link to the bot for another one"

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

// Linking is what is known of the OpenCodes behind links.
type Linking struct {
	Open    []link.Hello // what is open now
	Refused []link.Hello // what was refused lately
	Asks    []question.Thread
}

// OpenCodes are those of each link, by its id.
func (l Linking) OpenCodes() map[string][]LinkedOpenCode {
	linked := map[string][]LinkedOpenCode{}
	add := func(list []link.Hello, refused bool) {
		for _, h := range list {
			one := LinkedOpenCode{linkedBy(h.Kind), h.Version, h.Plugin, h.Protocol, refused}
			if !slices.Contains(linked[h.Token], one) {
				linked[h.Token] = append(linked[h.Token], one)
			}
		}
	}
	add(l.Open, false)
	add(l.Refused, true)
	return linked
}

// NamedLinksOf lists links.
func NamedLinksOf(list []pending.Link, now Linking) NamedLinks {
	count, waiting, linked := map[string]int{}, map[string]int{}, now.OpenCodes()
	for _, h := range now.Open {
		count[h.Token]++
	}
	for _, t := range now.Asks {
		if o := t.LastOrigin(); t.Open() && o.Way == session.Link {
			waiting[o.Token]++
		}
	}
	a := NamedLinks{Links: []NamedLink{}, Unnamed: count[""]}
	for _, l := range list {
		a.Links = append(a.Links, NamedLink{
			ID: l.ID, Name: l.Name, Made: l.Made, Seen: timeOrAbsent(l.Seen), Host: l.Host, Open: count[l.ID], Waiting: waiting[l.ID], OpenCodes: linked[l.ID], Owner: l.Owner, ByMachine: l.ByMachine,
		})
	}
	return a
}

// NameOwners adds the names of the owners who are on the list of people.
func (a *NamedLinks) NameOwners(people map[chat.UserID]string) {
	for i, l := range a.Links {
		a.Links[i].OwnerName = people[l.Owner]
	}
}

// AddLink stores a new link, with its entry in the journal.
func AddLink(links pending.Links, in NewLink, by question.Actor) (secret.Text, pending.Link, error) {
	token, now := link.NewToken(), time.Now()
	l := pending.Link{ID: session.NewLinkID(in.Name), Name: in.Name, Hash: link.HashOf(token), Made: now, Owner: in.Owner}
	e := LinkEntry(storage.EntryLinked, in.Name, by)
	e.Detail = ownerDetail(in.Owner)
	return token, l, links.Add(l, e)
}

// OwnerEntry is the journal's entry of a link that is given to a person now.
func OwnerEntry(name string, owner chat.UserID, by question.Actor) storage.Entry {
	e := LinkEntry(storage.EntryOwned, name, by)
	e.Detail = ownerDetail(owner)
	return e
}

// RenameEntry is the journal's entry of a link that gets another name now.
func RenameEntry(name, next string, by question.Actor) storage.Entry {
	e := LinkEntry(storage.EntryRenamed, next, by)
	e.Detail = name
	return e
}

func ownerDetail(owner chat.UserID) string {
	if owner == 0 {
		return ""
	}
	return strconv.FormatInt(int64(owner), 10)
}

// LinkEntry is the journal's entry of a link that was made or revoked now.
func LinkEntry(kind storage.EntryKind, name string, by question.Actor) storage.Entry {
	return storage.Entry{At: time.Now(), Kind: kind, By: by, Note: name}
}

// LinkNameFor makes the name of a link of the name of a host.
func LinkNameFor(host string) string {
	odd := regexp.MustCompile(`[^A-Za-z0-9._-]+`)
	name := strings.TrimLeft(odd.ReplaceAllString(host, "-"), "._-")
	if name == "" {
		return "machine"
	}
	return name[:min(len(name), 56)]
}

// LinkExists is the error for a name that is taken. It is pending.ErrLinkExists.
func LinkExists(name string) error {
	return fmt.Errorf("%w already: %s; revoke it first, or choose another name", pending.ErrLinkExists, name)
}

// NoLink is the error for a name that no link has. It is pending.ErrNoLink.
func NoLink(name string) error {
	return fmt.Errorf("%w: %s; hermes link list tells the names", pending.ErrNoLink, letters.Escaped(name))
}

// NoSuchOwner is the error for an owner who is not on the list of people: nobody would get what the link asks.
func NoSuchOwner(owner chat.UserID) error {
	return fmt.Errorf("%d is not on the list of people; add them to the rules file, HERMES_TELEGRAM_USERS or with hermes pair first", owner)
}
