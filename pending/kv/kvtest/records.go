package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"hermes/pending/kv"
)

// bytesAsTheyAre stores every byte, and the longest key, as it is.
func bytesAsTheyAre(t *testing.T, db kv.DB) {
	m := newModel()
	b := m["one"]
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
		b[string(all[i:i+1])] = string(all[:i])
	}
	long := make([]byte, kv.MaxKey) // which nothing can make shorter
	random := rand.New(rand.NewPCG(1, 2))
	for i := range long {
		long[i] = byte(random.Uint32())
	}
	b[string(long)] = string(bytes.Repeat(long, 1000)) // two megabytes
	b[string(long[:kv.MaxKey-1])] = "its neighbour"
	mustUpdate(t, db, func(tx kv.Tx) error {
		for key, value := range b {
			if err := tx.Bucket("one").Put([]byte(key), []byte(value)); err != nil {
				return fmt.Errorf("%s: %w", short(key), err)
			}
		}
		return m.differs(tx)
	})
	mustView(t, db, m.differs)
}

// failedChange returns the error of the function.
func failedChange(t *testing.T, db kv.DB) {
	m := newModel()
	m["one"]["kept"] = "1"
	mustUpdate(t, db, func(tx kv.Tx) error { return tx.Bucket("one").Put([]byte("kept"), []byte("1")) })
	err := db.Update(func(tx kv.Tx) error {
		return errors.Join(tx.Bucket("one").Delete([]byte("kept")), tx.Bucket("two").Put([]byte("new"), nil), errUndo)
	})
	if !errors.Is(err, errUndo) {
		t.Errorf("Update returned %v", err)
	}
	mustView(t, db, m.differs)
	if err := db.View(func(kv.Tx) error { return errUndo }); !errors.Is(err, errUndo) {
		t.Errorf("View returned %v", err)
	}
}

// valuesStay reads a value, and then changes it.
func valuesStay(t *testing.T, db kv.DB) {
	key := []byte("key")
	mustUpdate(t, db, func(tx kv.Tx) error { return tx.Bucket("one").Put(key, []byte("first")) })
	mustUpdate(t, db, func(tx kv.Tx) error {
		b := tx.Bucket("one")
		first := b.Get(key)
		var gone, value []byte
		for k, v := range b.From(key) {
			gone, value = k, v
		}
		if err := b.Put(key, []byte("second")); err != nil {
			return err
		}
		second := b.Get(key)
		if err := b.Delete(key); err != nil {
			return err
		}
		if third := b.Get(key); string(first) != "first" || string(value) != "first" || string(gone) != "key" || string(second) != "second" || third != nil {
			return fmt.Errorf("%q, gone over %q = %q, then %q, then %q", first, gone, value, second, third)
		}
		return nil
	})
}
