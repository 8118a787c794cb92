package pending

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hermes/internal/chat"
	"hermes/internal/storage"
	"hermes/pending/kv"
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
type Links struct{ file *database }

// Links are the links of the file.
func (s *Store) Links() Links { return Links{s.database} }

// All returns all links, sorted by name.
func (ls Links) All() (list []Link, err error) {
	err = ls.file.view(func(tx kv.Tx) error { return links.appendTo(&list, tx) })
	return list, err
}

// Add stores a new link together with its journal entry, or fails with [ErrLinkExists].
func (ls Links) Add(l Link, e storage.Entry) error {
	return ls.update(func(tx kv.Tx) error {
		if tx.Bucket(bucketLinks).Get([]byte(l.Name)) != nil {
			return ErrLinkExists
		}
		// The commit point: from here on the token opens links. A crash before it leaves a token that nothing knows.
		return inOrder(
			func() error { return links.put(tx, l) },
			func() error { return appendEntries(tx, []storage.Entry{e}) },
		)
	})
}

// Remove deletes a link, with its journal entry, or fails with [ErrNoLink].
func (ls Links) Remove(name string, e storage.Entry) error {
	return ls.update(func(tx kv.Tx) error {
		if tx.Bucket(bucketLinks).Get([]byte(name)) == nil {
			return ErrNoLink
		}
		// The commit point: from here on no restart knows the token.
		return inOrder(
			func() error { return tx.Bucket(bucketLinks).Delete([]byte(name)) },
			func() error { return appendEntries(tx, []storage.Entry{e}) },
		)
	})
}

// Rename gives a link a name, with its journal entry: another one, or by somebody's word the one that its machine chose. Its token, its owner and all that came over it stay as they are. It fails with
// [ErrNoLink], or with [ErrLinkExists] if the new name is taken.
func (ls Links) Rename(name, next string, e storage.Entry) error {
	return ls.update(func(tx kv.Tx) error {
		l, err := findLink(tx, name)
		if err != nil {
			return err
		}
		b := tx.Bucket(bucketLinks)
		if b.Get([]byte(next)) != nil && (next != name || !l.ByMachine) {
			return ErrLinkExists
		}
		l.Name, l.ByMachine = next, false
		// The commit point: from here on it has the new name, and the old one is free.
		return inOrder(
			func() error { return b.Delete([]byte(name)) },
			func() error { return links.put(tx, l) },
			func() error { return appendEntries(tx, []storage.Entry{e}) },
		)
	})
}

// SetOwner gives a link to a person, or to nobody (0), with its journal entry. It fails with [ErrNoLink].
func (ls Links) SetOwner(name string, owner chat.UserID, e storage.Entry) error {
	return ls.update(func(tx kv.Tx) error {
		l, err := findLink(tx, name)
		if err != nil {
			return err
		}
		l.Owner = owner
		// The commit point: from here on what the link asks is for this person.
		return inOrder(
			func() error { return links.put(tx, l) },
			func() error { return appendEntries(tx, []storage.Entry{e}) },
		)
	})
}

// NoteUse notes when links were last used, and from where (Seen and Host), in one commit. Those that were removed meanwhile stay removed, and
// a record that cannot be read stays as it is; the rest of them is noted all the same.
func (ls Links) NoteUse(used ...Link) error {
	var unreadable []error
	err := ls.update(func(tx kv.Tx) error {
		unreadable = nil
		for _, l := range used {
			kept, err := findLink(tx, l.Name)
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
			if err := links.put(tx, kept); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(append(unreadable, err)...)
}

func findLink(tx kv.Tx, name string) (Link, error) {
	l, found, err := links.get(tx, []byte(name))
	switch {
	case err != nil:
		return Link{}, fmt.Errorf("the record of link %q: %w", name, err)
	case !found:
		return Link{}, ErrNoLink
	}
	return l, nil
}

// update writes to the file, and returns [ErrLinkExists], [ErrNoLink] and [ErrNoLinkCode] as they are.
func (ls Links) update(fn func(kv.Tx) error) error {
	err := ls.file.update(fn)
	for _, refusal := range []error{ErrLinkExists, ErrNoLink, ErrNoLinkCode} {
		if errors.Is(err, refusal) {
			return refusal
		}
	}
	return err
}
