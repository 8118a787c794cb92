package pending

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Link is the token of a link to OpenCode, as hermes keeps it: by its hash.
type Link struct {
	ID   string            `json:"id,omitzero"` // whose asks and sessions these are, whatever it is called; see [session.NewLinkID]
	Name string            `json:"-"`           // for people; it may change
	Hash storage.TokenHash `json:"hash"`
	Made time.Time         `json:"made"`
	Seen time.Time         `json:"seen,omitzero"` // when OpenCode used it, to within ten minutes; zero: never
	Host string            `json:"host,omitzero"` // from where, as the plugin there says

	Owner chat.UserID `json:"owner,omitzero"` // whose agents ask over it; 0: nobody's in particular

	ByMachine bool `json:"-"` // its machine chose the name, and nobody has given it one since
}

// Who chose the name of a link, as it is stored. A record that does not say it is of a link of its owner's machine, which
// may have been made with a code, as all of them were once; or it is nobody's, and then people named it.
const (
	namedByMachine = "machine"
	namedByPeople  = "people"
)

func (l Link) MarshalJSON() ([]byte, error) {
	type fields Link
	by := namedByPeople
	if l.ByMachine {
		by = namedByMachine
	}
	return json.Marshal(struct {
		fields
		NamedBy string `json:"named_by"`
	}{fields(l), by})
}

func (l *Link) UnmarshalJSON(b []byte) error {
	type fields Link
	var stored struct {
		fields
		NamedBy string `json:"named_by"`
	}
	err := json.Unmarshal(b, &stored)
	*l = Link(stored.fields)
	l.ByMachine = stored.NamedBy == namedByMachine || stored.NamedBy == "" && l.Owner != 0
	return err
}

var (
	// ErrLinkExists means that there is a link of this name already.
	ErrLinkExists = errors.New("there is a link of this name")
	// ErrNoLink means that there is no link of this name.
	ErrNoLink = errors.New("there is no link of this name")
)

// Links are the tokens of links, which have a bucket of their own. Who holds them can change
// nothing else of the file, but for the entry in the journal that belongs to a change.
type Links struct{ store *Store }

// Links are the links of the file.
func (s *Store) Links() Links { return Links{s} }

// All returns all links, sorted by name.
func (ls Links) All() (list []Link, err error) {
	err = ls.store.read(func(t *tx) { list = links.all(t) })
	return list, err
}

// Add stores a new link together with its journal entry, or fails with [ErrLinkExists].
func (ls Links) Add(l Link, e storage.Entry) error {
	return ls.update(func(t *tx) error {
		if t.get(bucketLinks, []byte(l.Name)) != nil {
			return ErrLinkExists
		}
		// The commit point: from here on the token opens links. A crash before it leaves a token that nothing knows.
		links.put(t, l)
		appendEntries(t, []storage.Entry{e})
		return nil
	})
}

// Remove deletes a link, with its journal entry, or fails with [ErrNoLink].
func (ls Links) Remove(name string, e storage.Entry) error {
	return ls.update(func(t *tx) error {
		if t.get(bucketLinks, []byte(name)) == nil {
			return ErrNoLink
		}
		// The commit point: from here on no restart knows the token.
		t.delete(bucketLinks, []byte(name))
		appendEntries(t, []storage.Entry{e})
		return nil
	})
}

// Rename gives a link a name, with its journal entry: another one, or by somebody's word the one that its machine chose. Its token, its owner and all that came over it stay as they are. It fails with
// [ErrNoLink], or with [ErrLinkExists] if the new name is taken.
func (ls Links) Rename(name, next string, e storage.Entry) error {
	return ls.update(func(t *tx) error {
		l, err := findLink(t, name)
		if err != nil {
			return err
		}
		if t.get(bucketLinks, []byte(next)) != nil && (next != name || !l.ByMachine) {
			return ErrLinkExists
		}
		l.Name, l.ByMachine = next, false
		// The commit point: from here on it has the new name, and the old one is free.
		t.delete(bucketLinks, []byte(name))
		links.put(t, l)
		appendEntries(t, []storage.Entry{e})
		return nil
	})
}

// SetOwner gives a link to a person, or to nobody (0), with its journal entry. It fails with [ErrNoLink].
func (ls Links) SetOwner(name string, owner chat.UserID, e storage.Entry) error {
	return ls.update(func(t *tx) error {
		l, err := findLink(t, name)
		if err != nil {
			return err
		}
		l.Owner = owner
		// The commit point: from here on what the link asks is for this person.
		links.put(t, l)
		appendEntries(t, []storage.Entry{e})
		return nil
	})
}

// NoteUse notes when links were last used, and from where (Seen and Host), in one commit. Those that were removed meanwhile stay removed, and
// a record that cannot be read stays as it is; the rest of them is noted all the same.
func (ls Links) NoteUse(used ...Link) error {
	var unreadable []error
	err := ls.update(func(t *tx) error {
		unreadable = nil
		for _, l := range used {
			kept, err := findLink(t, l.Name)
			switch {
			case errors.Is(err, ErrNoLink):
				continue
			case err != nil:
				unreadable = append(unreadable, err)
				continue
			case kept.ID != l.ID:
				continue // another link has the name by now
			}
			kept.Seen, kept.Host = l.Seen, l.Host
			links.put(t, kept)
		}
		return nil
	})
	return errors.Join(append(unreadable, err)...)
}

func findLink(t *tx, name string) (Link, error) {
	l, found, err := links.get(t, []byte(name))
	switch {
	case err != nil:
		return Link{}, fmt.Errorf("the record of link %q: %w", name, err)
	case !found:
		return Link{}, ErrNoLink
	}
	return l, nil
}

// update writes to the file, and returns [ErrLinkExists], [ErrNoLink] and [ErrNoLinkCode] as they are.
func (ls Links) update(fn func(*tx) error) error {
	err := ls.store.update(fn)
	for _, refusal := range []error{ErrLinkExists, ErrNoLink, ErrNoLinkCode} {
		if errors.Is(err, refusal) {
			return refusal
		}
	}
	return err
}

// ErrNoLinkCode means that a code makes no link: it is not known, was used, or is too old.
var ErrNoLinkCode = errors.New("the code makes no link")

// keepUsedCodes is how long a code that was used, or ran out, is kept beyond its time.
const keepUsedCodes = 7 * 24 * time.Hour

// LinkCodes are the codes that are known, those that were used among them.
func (s *Store) LinkCodes() (list []storage.LinkCode, err error) {
	err = s.read(func(t *tx) { list = linkCodes.all(t) })
	return list, err
}

// Exchange is what a machine gives for a link.
type Exchange struct {
	Code  storage.CodeHash
	Token storage.TokenHash // the hash of the token that the machine has made for itself
	Name  string            // that the link gets, or the first free one of NAME-2, NAME-3 and so on
	Host  string
}

// Redeem makes the link of a code for its owner, with its journal entry, and returns what the code has become. The same exchange
// once more, while the code would still count, changes nothing and returns the same: its answer may have been lost. Anything else
// fails with [ErrNoLinkCode], as does a code of somebody who may not have links now.
func (ls Links) Redeem(x Exchange, now time.Time, may func(chat.UserID) bool) (c storage.LinkCode, l Link, err error) {
	err = ls.update(func(t *tx) error {
		if c, err = findLinkCode(t, x.Code); err != nil {
			return err
		}
		if !now.Before(c.Until) || !may(c.Owner) {
			return ErrNoLinkCode
		}
		if !c.Used.IsZero() {
			l, err = linkOfCode(t, c, x)
			return err
		}
		if c.Link, err = freeLinkName(t, x); err != nil {
			return err
		}
		c.Used, c.Token, c.Host = now, x.Token, x.Host
		l = Link{ID: session.NewLinkID(c.Link), Name: c.Link, Hash: x.Token, Made: now, Owner: c.Owner, Host: x.Host, ByMachine: true}
		// The commit point: from here on the token opens links, and the code makes no other. A crash before it leaves the code as
		// it was; behind it, the machine asks again and gets the same, and the owner is told at the next start.
		links.put(t, l)
		linkCodes.put(t, c)
		appendEntries(t, []storage.Entry{entryOfExchange(c)})
		return nil
	})
	return c, l, err
}

// entryOfExchange is the journal's: the code's owner has the link of the machine that used it.
func entryOfExchange(c storage.LinkCode) storage.Entry {
	return storage.Entry{
		At: c.Used, Kind: storage.EntryLinked, Thread: c.ID, Note: c.Link, Detail: fmt.Sprint(c.Owner),
		By: question.Actor{Kind: question.Person, User: c.Owner, Chat: c.Chat},
	}
}

func findLinkCode(t *tx, hash storage.CodeHash) (storage.LinkCode, error) {
	c, found, err := linkCodes.get(t, hash[:])
	switch {
	case err != nil:
		return storage.LinkCode{}, fmt.Errorf("the record of a code: %w", err)
	case !found:
		return storage.LinkCode{}, ErrNoLinkCode
	}
	return c, nil
}

// linkOfCode is the link that was made with a code, if this machine made it and it was not revoked since.
func linkOfCode(t *tx, c storage.LinkCode, x Exchange) (Link, error) {
	l, found := linkOfToken(t, x.Token) // it may have been renamed since
	if c.Token != x.Token || !found {
		return Link{}, ErrNoLinkCode
	}
	return l, nil
}

func linkOfToken(t *tx, token storage.TokenHash) (Link, bool) {
	all := links.all(t)
	if i := slices.IndexFunc(all, func(l Link) bool { return l.Hash == token }); i >= 0 {
		return all[i], true
	}
	return Link{}, false
}

// maxSameName bounds how many links can have names that begin alike and end in a number.
const maxSameName = 1000

// freeLinkName finds a name that no link has. A token that some link has makes no other.
func freeLinkName(t *tx, x Exchange) (string, error) {
	if _, taken := linkOfToken(t, x.Token); taken {
		return "", ErrNoLinkCode
	}
	for n, name := 2, x.Name; n < maxSameName; n++ {
		if t.get(bucketLinks, []byte(name)) == nil {
			return name, nil
		}
		name = fmt.Sprintf("%s-%d", x.Name, n)
	}
	return "", ErrLinkExists
}

// putLinkCode stores a code. A new one takes the place of those that its owner did not use, and of all that are long over.
func putLinkCode(t *tx, c storage.LinkCode) {
	if c.Used.IsZero() {
		for _, old := range linkCodes.all(t) {
			replaced, over := old.Owner == c.Owner && old.Used.IsZero(), old.Until.Add(keepUsedCodes).Before(c.Made)
			if replaced || over {
				linkCodes.remove(t, old)
			}
		}
	}
	linkCodes.put(t, c)
}
