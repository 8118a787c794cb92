package pending

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// ErrNoLinkCode means that a code makes no link: it is not known, was used, or is too old.
var ErrNoLinkCode = errors.New("the code makes no link")

// linkCodeRecord is a code for a machine. The rule on [threadRecord] holds for it. The code is in no field: its hash is the key.
type linkCodeRecord struct {
	ID    text        `json:"id"`
	Owner chat.UserID `json:"owner"`
	Chat  chat.ID     `json:"chat"`
	Lang  text        `json:"lang,omitzero"`
	Made  time.Time   `json:"made,omitzero"`
	Until time.Time   `json:"until,omitzero"`
	Used  time.Time   `json:"used,omitzero"`
	Token string      `json:"token,omitzero"` // hexadecimal: the hash of the link's token
	Link  text        `json:"link,omitzero"`
	Host  text        `json:"host,omitzero"`
	Told  bool        `json:"told,omitzero"`
}

// keepUsedCodes is how long a code that was used, or ran out, is kept beyond its time.
const keepUsedCodes = 7 * 24 * time.Hour

// LinkCodes are the codes that are known, those that were used among them.
func (s *Store) LinkCodes() (list []storage.LinkCode, err error) {
	err = s.view(func(tx kv.Tx) error {
		return collectRecords(s.database, tx, bucketLinkCodes, &list, toLinkCode)
	})
	return list, err
}

// Exchange is what a machine gives for a link.
type Exchange struct {
	Code  storage.CodeHash
	Token [32]byte // the hash of the token that the machine has made for itself
	Name  string   // that the link gets, or the first free one of NAME-2, NAME-3 and so on
	Host  string
}

// Redeem makes the link of a code for its owner, with its journal entry, and returns what the code has become. The same exchange
// once more, while the code would still count, changes nothing and returns the same: its answer may have been lost. Anything else
// fails with [ErrNoLinkCode], as does a code of somebody who may not have links now.
func (ls Links) Redeem(x Exchange, now time.Time, may func(chat.UserID) bool) (c storage.LinkCode, l Link, err error) {
	err = ls.update(func(tx kv.Tx) error {
		if c, err = findLinkCode(tx, x.Code); err != nil {
			return err
		}
		if !now.Before(c.Until) || !may(c.Owner) {
			return ErrNoLinkCode
		}
		if !c.Used.IsZero() {
			l, err = linkOfCode(tx, c, x)
			return err
		}
		if c.Link, err = freeLinkName(tx, x); err != nil {
			return err
		}
		c.Used, c.Token, c.Host = now, x.Token, x.Host
		l = Link{ID: session.NewLinkID(c.Link), Name: c.Link, Hash: x.Token, Made: now, Owner: c.Owner, Host: x.Host, ByMachine: true}
		// The commit point: from here on the token opens links, and the code makes no other. A crash before it leaves the code as
		// it was; behind it, the machine asks again and gets the same, and the owner is told at the next start.
		return inOrder(
			func() error { return putJSON(tx, bucketLinks, []byte(l.Name), linkToRecord(l)) },
			func() error { return putJSON(tx, bucketLinkCodes, c.Hash[:], linkCodeToRecord(c)) },
			func() error { return appendEntries(tx, []storage.Entry{entryOfExchange(c)}) },
		)
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

func findLinkCode(tx kv.Tx, hash storage.CodeHash) (storage.LinkCode, error) {
	value := tx.Bucket(bucketLinkCodes).Get(hash[:])
	if value == nil {
		return storage.LinkCode{}, ErrNoLinkCode
	}
	var r linkCodeRecord
	if err := json.Unmarshal(value, &r); err != nil {
		return storage.LinkCode{}, fmt.Errorf("the record of a code: %w", err)
	}
	return toLinkCode(hash[:], r), nil
}

// linkOfCode is the link that was made with a code, if this machine made it and it was not revoked since.
func linkOfCode(tx kv.Tx, c storage.LinkCode, x Exchange) (Link, error) {
	if c.Token != x.Token {
		return Link{}, ErrNoLinkCode
	}
	var found *Link
	err := tx.Bucket(bucketLinks).ForEach(func(name, value []byte) error { // it may have been renamed since
		var r linkRecord
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("the record of link %q: %w", name, err)
		}
		if l := r.toLink(string(name)); l.Hash == x.Token {
			found = &l
		}
		return nil
	})
	switch {
	case err != nil:
		return Link{}, err
	case found == nil:
		return Link{}, ErrNoLinkCode
	}
	return *found, nil
}

// maxSameName bounds how many links can have names that begin alike and end in a number.
const maxSameName = 1000

// freeLinkName finds a name that no link has. A token that some link has makes no other.
func freeLinkName(tx kv.Tx, x Exchange) (string, error) {
	b := tx.Bucket(bucketLinks)
	err := b.ForEach(func(_, value []byte) error {
		var r linkRecord
		if err := json.Unmarshal(value, &r); err != nil {
			return err
		}
		if r.Hash == hex.EncodeToString(x.Token[:]) {
			return ErrNoLinkCode
		}
		return nil
	})
	for n, name := 2, x.Name; err == nil && n < maxSameName; n++ {
		if b.Get([]byte(name)) == nil {
			return name, nil
		}
		name = fmt.Sprintf("%s-%d", x.Name, n)
	}
	if err == nil {
		err = ErrLinkExists
	}
	return "", err
}

// putLinkCode stores a code. A new one takes the place of those that its owner did not use, and of all that are long over.
func putLinkCode(tx kv.Tx, c storage.LinkCode) error {
	b := tx.Bucket(bucketLinkCodes)
	if c.Used.IsZero() {
		var gone [][]byte
		if err := b.ForEach(func(key, value []byte) error {
			var r linkCodeRecord
			if err := json.Unmarshal(value, &r); err != nil {
				return err
			}
			if r.Owner == c.Owner && r.Used.IsZero() || r.Until.Add(keepUsedCodes).Before(c.Made) {
				gone = append(gone, key)
			}
			return nil
		}); err != nil {
			return err
		}
		if err := each(gone, b.Delete); err != nil {
			return err
		}
	}
	return putJSON(tx, bucketLinkCodes, c.Hash[:], linkCodeToRecord(c))
}

func linkCodeToRecord(c storage.LinkCode) linkCodeRecord {
	r := linkCodeRecord{
		ID: text(c.ID), Owner: c.Owner, Chat: c.Chat, Lang: text(c.Lang), Made: utc(c.Made), Until: utc(c.Until), Used: utc(c.Used),
		Link: text(c.Link), Host: text(c.Host), Told: c.Told,
	}
	if !c.Used.IsZero() {
		r.Token = hex.EncodeToString(c.Token[:])
	}
	return r
}

func toLinkCode(key []byte, r linkCodeRecord) storage.LinkCode {
	c := storage.LinkCode{
		ID: question.ID(r.ID), Owner: r.Owner, Chat: r.Chat, Lang: string(r.Lang), Made: r.Made, Until: r.Until, Used: r.Used,
		Link: string(r.Link), Host: string(r.Host), Told: r.Told,
	}
	copy(c.Hash[:], key)
	if hash, err := hex.DecodeString(r.Token); err == nil && len(hash) == len(c.Token) {
		copy(c.Token[:], hash)
	}
	return c
}
