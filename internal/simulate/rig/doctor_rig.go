package rig

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/secret"
	"hermes/internal/storage"
	"hermes/opencode/link"
	"hermes/pending"
)

// AddLinkTo stores a link of a known token in a database that no hermes has open.
func AddLinkTo(t *testing.T, db, name string, token secret.Text) {
	t.Helper()
	store, err := pending.Open(db, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = store.Links().Add(pending.Link{Name: name, Hash: link.HashOf(token), Made: time.Now()}, storage.Entry{At: time.Now(), Kind: storage.EntryLinked, Note: name})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
}
