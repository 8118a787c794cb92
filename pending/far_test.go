package pending

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending/kv"
	"hermes/pending/kv/kvtest"
)

const (
	farTrip  = 5 * time.Millisecond // of each read
	farLimit = 2 * time.Second      // of a change: the shortest lease
)

// far is a database over a network. A change that takes too long is not stored.
type far struct{ kv.DB }

func (d far) Update(fn func(kv.Tx) error) error {
	began := time.Now()
	return d.DB.Update(func(tx kv.Tx) error {
		if err := fn(farTx{tx}); err != nil {
			return err
		}
		if time.Since(began) > farLimit {
			return errors.New("the change took longer than the lease")
		}
		return nil
	})
}

type farTx struct{ kv.Tx }

func (t farTx) Bucket(name string) kv.Bucket { return farBucket{t.Tx.Bucket(name)} }

type farBucket struct{ kv.Bucket }

func (b farBucket) Get(key []byte) []byte {
	time.Sleep(farTrip) // in a bubble
	return b.Bucket.Get(key)
}

func (b farBucket) NextSequence() (uint64, error) {
	time.Sleep(farTrip)
	return b.Bucket.NextSequence()
}

// What prunes goes on where each read is a round trip, however much there is to prune.
func TestPrune_FarDatabase(t *testing.T) {
	ofFile(t) // it has a database of its own
	synctest.Test(t, func(t *testing.T) {
		s, err := OpenShared(far{new(kvtest.Memory).Open()}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		const many = 300
		old := time.Now().Add(-time.Hour)
		for n := range many {
			commit(t, s, storage.Change{Retired: []question.Thread{settled(n, old)}})
		}
		if n, err := s.Prune(time.Now()); err != nil || n != many {
			t.Errorf("pruned %d, %v; want %d", n, err, many)
		}
	})
}

// So does what sets aside, at the start, records that this hermes cannot read.
func TestOpenShared_ManyUnreadableInAFarDatabase(t *testing.T) {
	ofFile(t)
	synctest.Test(t, func(t *testing.T) {
		m := new(kvtest.Memory)
		openShared(t, m)
		const many = 1000
		err := m.Open().Update(func(tx kv.Tx) error {
			for n := range many {
				if err := tx.Bucket(bucketSettled).Put(fmt.Appendf(nil, "thread%d", n), []byte("{")); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := OpenShared(far{m.Open()}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.AtOpen().SetAside); n != many {
			t.Errorf("%d were set aside, want %d", n, many)
		}
	})
}
