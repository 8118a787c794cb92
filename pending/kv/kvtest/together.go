package kvtest

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"hermes/pending/kv"
)

// oneMoment changes the database while a reader reads, and reads while a writer writes.
func oneMoment(t *testing.T, db kv.DB) {
	before, after := newModel(), newModel()
	before["one"]["key"] = "before"
	after["one"]["key"], after["two"]["other"] = "after", ""
	step := func(value string, and ...string) func(kv.Tx) error {
		return func(tx kv.Tx) error {
			for _, key := range and {
				if err := tx.Bucket("two").Put([]byte(key), nil); err != nil {
					return err
				}
			}
			return tx.Bucket("one").Put([]byte("key"), []byte(value))
		}
	}
	mustUpdate(t, db, step("before"))
	mustView(t, db, func(tx kv.Tx) error {
		if err := before.differs(tx); err != nil {
			return err
		}
		changed := make(chan error)
		go func() {
			changed <- db.Update(func(tx kv.Tx) error {
				if err := step("after", "other")(tx); err != nil {
					return err
				}
				if err := db.View(before.differs); err != nil {
					return fmt.Errorf("what is not stored yet is seen: %w", err)
				}
				return after.differs(tx)
			})
		}()
		if err := <-changed; err != nil {
			return err
		}
		if err := before.differs(tx); err != nil {
			return fmt.Errorf("what was stored since is seen: %w", err)
		}
		return nil
	})
	mustView(t, db, after.differs)
}

// oneAfterTheOther counts with many at once.
func oneAfterTheOther(t *testing.T, db kv.DB) {
	const writers, times = 4, 10
	key := []byte("count")
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range times {
				err := db.Update(func(tx kv.Tx) error {
					b := tx.Bucket("one")
					n, _ := strconv.Atoi(string(b.Get(key)))
					return b.Put(key, []byte(strconv.Itoa(n+1)))
				})
				if err != nil {
					t.Errorf("Update: %v", err)
				}
			}
		})
	}
	all.Wait()
	want := newModel()
	want["one"]["count"] = strconv.Itoa(writers * times)
	mustView(t, db, want.differs)
}

// closeWaits closes the database while somebody reads.
func closeWaits(t *testing.T, db kv.DB) {
	begun, goOn, done := make(chan bool), make(chan bool), make(chan error)
	var ended atomic.Bool
	go func() {
		done <- db.View(func(tx kv.Tx) error {
			begun <- true
			<-goOn
			defer ended.Store(true)
			return newModel().differs(tx)
		})
	}()
	<-begun
	closed := make(chan error)
	go func() {
		err := db.Close()
		if !ended.Load() {
			t.Error("Close did not wait")
		}
		closed <- err
	}()
	goOn <- true
	if err := <-done; err != nil {
		t.Errorf("the reader: %v", err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	nothing := func(kv.Tx) error { t.Error("a transaction of a closed database"); return nil }
	if db.View(nothing) == nil || db.Update(nothing) == nil {
		t.Error("a closed database works")
	}
}
