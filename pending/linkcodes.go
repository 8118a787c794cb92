package pending

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// ErrNoLinkCode means that a code makes no link: it is not known, was used, or is too old.
var ErrNoLinkCode = errors.New("the code makes no link")

// keepUsedCodes is how long a code that was used, or ran out, is kept beyond its time.
const keepUsedCodes = 7 * 24 * time.Hour

// LinkCodes are the codes that are known, those that were used among them.
func (s *Store) LinkCodes() (list []storage.LinkCode, err error) {
	err = s.view(func(tx kv.Tx) error { return linkCodes.appendTo(&list, tx) })
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
			func() error { return links.put(tx, l) },
			func() error { return linkCodes.put(tx, c) },
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
	c, found, err := linkCodes.get(tx, hash[:])
	switch {
	case err != nil:
		return storage.LinkCode{}, fmt.Errorf("the record of a code: %w", err)
	case !found:
		return storage.LinkCode{}, ErrNoLinkCode
	}
	return c, nil
}

// linkOfCode is the link that was made with a code, if this machine made it and it was not revoked since.
func linkOfCode(tx kv.Tx, c storage.LinkCode, x Exchange) (Link, error) {
	l, found, err := linkOfToken(tx, x.Token) // it may have been renamed since
	if err == nil && (c.Token != x.Token || !found) {
		err = ErrNoLinkCode
	}
	return l, err
}

func linkOfToken(tx kv.Tx, token storage.TokenHash) (Link, bool, error) {
	var all []Link
	err := links.appendTo(&all, tx)
	if i := slices.IndexFunc(all, func(l Link) bool { return l.Hash == token }); i >= 0 {
		return all[i], true, err
	}
	return Link{}, false, err
}

// maxSameName bounds how many links can have names that begin alike and end in a number.
const maxSameName = 1000

// freeLinkName finds a name that no link has. A token that some link has makes no other.
func freeLinkName(tx kv.Tx, x Exchange) (string, error) {
	_, taken, err := linkOfToken(tx, x.Token)
	if err == nil && taken {
		err = ErrNoLinkCode
	}
	for n, name := 2, x.Name; err == nil && n < maxSameName; n++ {
		if tx.Bucket(bucketLinks).Get([]byte(name)) == nil {
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
	if c.Used.IsZero() {
		var all []storage.LinkCode
		if err := linkCodes.appendTo(&all, tx); err != nil {
			return err
		}
		gone := slices.DeleteFunc(all, func(old storage.LinkCode) bool {
			replaced, over := old.Owner == c.Owner && old.Used.IsZero(), old.Until.Add(keepUsedCodes).Before(c.Made)
			return !replaced && !over
		})
		if err := linkCodes.remove(tx, gone...); err != nil {
			return err
		}
	}
	return linkCodes.put(tx, c)
}
