//go:build postgres && unix

package postgres_test

import (
	"bytes"
	"fmt"
	"iter"
	"testing"
	"time"

	"hermes/pending/kv"
	"hermes/pending/postgres/pgtest"
)

// Agents write records of a megabyte, and many. A page of them must come within a lease, and into memory.
func TestRange_PagesOfLargeRecords(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	p := pgtest.NewProxy(t, s.Address())
	db := acquire(t, openFor(t, p.Through(s.URL()), time.Minute), "a").DB()
	const many = 32
	for n := range 2 * many { // small ones first, by which a page cannot tell what comes
		if err := db.Update(func(tx kv.Tx) error {
			return tx.Bucket("b").Put(fmt.Appendf(nil, "%03d", n), bytes.Repeat([]byte{byte(n)}, max(1, n/many*1<<20)))
		}); err != nil {
			t.Fatal(err)
		}
	}
	for name, all := range map[string]func(kv.Bucket) iter.Seq2[[]byte, []byte]{
		"forward":  func(b kv.Bucket) iter.Seq2[[]byte, []byte] { return b.From(nil) },
		"backward": kv.Bucket.Backward,
	} {
		p.RoundTrips()
		seen := map[string]bool{}
		if err := db.View(func(tx kv.Tx) error {
			for key := range all(tx.Bucket("b")) {
				seen[string(key)] = true
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if trips := p.RoundTrips(); len(seen) != 2*many || trips < many {
			t.Errorf("%s: %d records of %d came in %d pages", name, len(seen), 2*many, trips)
		}
	}
}
