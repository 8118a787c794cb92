//go:build postgres && unix

package postgres_test

import (
	"context"
	"testing"
	"time"

	"hermes/internal/standby"
	"hermes/pending/kv"
	"hermes/pending/kv/kvtest"
	"hermes/pending/postgres"
	"hermes/pending/postgres/pgtest"
)

// open opens a database, with the shortest lease.
func open(t testing.TB, url string) *postgres.Database {
	t.Helper()
	return openFor(t, url, 2*time.Second)
}

func openFor(t testing.TB, url string, lease time.Duration) *postgres.Database {
	t.Helper()
	d, err := postgres.Open(t.Context(), url, postgres.Options{Lease: lease})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func acquire(t testing.TB, d *postgres.Database, name string) standby.Lease {
	t.Helper()
	l, err := d.Acquire(t.Context(), standby.Holder{Name: name, Address: "http://" + name})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLease_OneAfterTheOther(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	a, b := openFor(t, s.URL(), 20*time.Second), openFor(t, s.URL(), 20*time.Second)
	first := acquire(t, a, "a")
	put(t, first.DB(), "key", "value")
	if got, err := b.Look(t.Context()); err != nil || got.Name != "a" || got.Address != "http://a" || got.Epoch != first.Epoch() || !got.Held {
		t.Errorf("got %+v, %v", got, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := b.Acquire(ctx, standby.Holder{Name: "b"}); err == nil {
		t.Fatal("two have the lease")
	}
	if err := first.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	second := acquire(t, b, "b")
	if took := time.Since(start); took > 5*time.Second || second.Epoch() != first.Epoch()+1 {
		t.Errorf("it took %v, epoch %d", took, second.Epoch())
	}
	if got := get(t, second.DB(), "key"); got != "value" {
		t.Errorf("got %q", got)
	}
	if first.Valid() == nil || first.DB().Update(func(kv.Tx) error { return nil }) == nil {
		t.Error("a released lease is good")
	}
}

func put(t testing.TB, db kv.DB, key, value string) {
	t.Helper()
	if err := db.Update(func(tx kv.Tx) error { return tx.Bucket("b").Put([]byte(key), []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, db kv.DB, key string) (value string) {
	t.Helper()
	if err := db.View(func(tx kv.Tx) error {
		value = string(tx.Bucket("b").Get([]byte(key)))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestDatabase_IsAnEngine(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	kvtest.Run(t, func(t *testing.T) kv.DB { return acquire(t, openFor(t, s.NewDatabase(t), time.Minute), "a").DB() })
}
