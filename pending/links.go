package pending

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	ID   string // whose asks and sessions these are, whatever it is called; see [session.NewLinkID]
	Name string // for people; it may change
	Hash [sha256.Size]byte
	Made time.Time
	Seen time.Time // when OpenCode used it, to within ten minutes; zero: never
	Host string    // from where, as the plugin there says

	Owner chat.UserID // whose agents ask over it; 0: nobody's in particular

	ByMachine bool // its machine chose the name, and nobody has given it one since
	Told      LinkTold
}

var (
	// ErrLinkExists means that there is a link of this name already.
	ErrLinkExists = errors.New("there is a link of this name")
	// ErrNoLink means that there is no link of this name.
	ErrNoLink = errors.New("there is no link of this name")
)

// linkRecord is a link. The rule on [threadRecord] holds for it. The key is the name.
type linkRecord struct {
	ID   text      `json:"id,omitzero"` // missing: its name, as before links had ids
	Hash string    `json:"hash"`        // hexadecimal
	Made time.Time `json:"made"`
	Seen time.Time `json:"seen,omitzero"`
	Host text      `json:"host,omitzero"`

	Owner chat.UserID `json:"owner,omitzero"`

	NamedBy text `json:"named_by,omitzero"`

	Told linkToldRecord `json:"told,omitzero"`
}

// Links are the tokens of links, which have a bucket of their own. Who holds them can change
// nothing else of the file, but for the entry in the journal that belongs to a change.
type Links struct{ file *database }

// Links are the links of the file.
func (s *Store) Links() Links { return Links{s.database} }

// All returns all links, sorted by name.
func (ls Links) All() (list []Link, err error) {
	err = ls.file.view(func(tx kv.Tx) error {
		return collectRecords(ls.file, tx, bucketLinks, &list, func(key []byte, r linkRecord) Link { return r.toLink(string(key)) })
	})
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
			func() error { return putJSON(tx, bucketLinks, []byte(l.Name), linkToRecord(l)) },
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
		b := tx.Bucket(bucketLinks)
		value := b.Get([]byte(name))
		if value == nil {
			return ErrNoLink
		}
		var r linkRecord
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("the record of link %q: %w", name, err)
		}
		l := r.toLink(name)
		if b.Get([]byte(next)) != nil && (next != name || !l.ByMachine) {
			return ErrLinkExists
		}
		l.Name, l.ByMachine = next, false
		// The commit point: from here on it has the new name, and the old one is free.
		return inOrder(
			func() error { return b.Delete([]byte(name)) },
			func() error { return putJSON(tx, bucketLinks, []byte(next), linkToRecord(l)) },
			func() error { return appendEntries(tx, []storage.Entry{e}) },
		)
	})
}

// SetOwner gives a link to a person, or to nobody (0), with its journal entry. It fails with [ErrNoLink].
func (ls Links) SetOwner(name string, owner chat.UserID, e storage.Entry) error {
	return ls.update(func(tx kv.Tx) error {
		value := tx.Bucket(bucketLinks).Get([]byte(name))
		if value == nil {
			return ErrNoLink
		}
		var r linkRecord
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("the record of link %q: %w", name, err)
		}
		l := r.toLink(name)
		l.Owner = owner
		// The commit point: from here on what the link asks is for this person.
		return inOrder(
			func() error { return putJSON(tx, bucketLinks, []byte(name), linkToRecord(l)) },
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
			value := tx.Bucket(bucketLinks).Get([]byte(l.Name))
			if value == nil {
				continue
			}
			var r linkRecord
			if err := json.Unmarshal(value, &r); err != nil {
				unreadable = append(unreadable, fmt.Errorf("the record of link %q: %w", l.Name, err))
				continue
			}
			if r.toLink(l.Name).ID != l.ID {
				continue // another link has the name by now
			}
			r.Seen, r.Host = utc(l.Seen), text(l.Host)
			if err := putJSON(tx, bucketLinks, []byte(l.Name), r); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(append(unreadable, err)...)
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

// Who chose the name of a link. A record that does not say it is of a link of its owner's machine, which may have been made with a
// code, as all of them were once; or it is nobody's, and then people named it, for each code is somebody's.
const (
	namedByMachine text = "machine"
	namedByPeople  text = "people"
)

func linkToRecord(l Link) linkRecord {
	id := text(l.ID)
	if l.ID == l.Name {
		id = ""
	}
	by := text("")
	if l.ByMachine != (l.Owner != 0) {
		by = map[bool]text{true: namedByMachine, false: namedByPeople}[l.ByMachine]
	}
	return linkRecord{ID: id, NamedBy: by, Hash: hex.EncodeToString(l.Hash[:]), Made: utc(l.Made), Seen: utc(l.Seen), Host: text(l.Host), Owner: l.Owner, Told: linkToldToRecord(l.Told)}
}

// toLink returns zeros for a hash that cannot be read: no token has that hash.
func (r linkRecord) toLink(name string) Link {
	l := Link{ByMachine: r.NamedBy == namedByMachine || r.NamedBy == "" && r.Owner != 0, ID: cmp.Or(string(r.ID), name), Name: name, Made: r.Made, Seen: r.Seen, Host: string(r.Host), Owner: r.Owner, Told: r.Told.toTold()}
	if hash, err := hex.DecodeString(r.Hash); err == nil && len(hash) == len(l.Hash) {
		copy(l.Hash[:], hash)
	}
	return l
}
