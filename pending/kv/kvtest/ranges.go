package kvtest

import (
	"fmt"
	"testing"

	"hermes/pending/kv"
)

// many is more records than an engine fetches at once.
const many = 3000

func numbered(n int) string { return fmt.Sprintf("key %06d", n) }

// fill stores the even numbers.
func fill(t *testing.T, db kv.DB, m model) {
	t.Helper()
	mustUpdate(t, db, func(tx kv.Tx) error {
		for n := 0; n < many; n += 2 {
			m["one"][numbered(n)] = fmt.Sprint(n)
			if err := tx.Bucket("one").Put([]byte(numbered(n)), []byte(fmt.Sprint(n))); err != nil {
				return err
			}
		}
		return nil
	})
}

// rangeOverBoth reads in a change what it has just written, between what was there, without what it has just deleted.
func rangeOverBoth(t *testing.T, db kv.DB) {
	stored := newModel()
	fill(t, db, stored)
	var changed model
	mustUpdate(t, db, func(tx kv.Tx) error {
		changed = stored.clone()
		in, b := tx.Bucket("one"), changed["one"]
		for n := range many {
			switch {
			case n%2 == 1:
				b[numbered(n)] = "new"
				if err := in.Put([]byte(numbered(n)), []byte("new")); err != nil {
					return err
				}
			case n%3 == 0:
				delete(b, numbered(n))
				if err := in.Delete([]byte(numbered(n))); err != nil {
					return err
				}
			}
		}
		return lookFromMany(in, b)
	})
	mustView(t, db, changed.differs)
}

// rangeOverHoles deletes long runs of keys, and looks from their edges and their middle.
func rangeOverHoles(t *testing.T, db kv.DB) {
	stored := newModel()
	fill(t, db, stored)
	for _, hole := range []struct{ from, to int }{{0, many / 4}, {many / 3, many / 2}, {many * 3 / 4, many}, {0, many}} {
		err := db.Update(func(tx kv.Tx) error {
			changed := stored.clone()
			in, b := tx.Bucket("one"), changed["one"]
			for n := hole.from; n < hole.to; n++ {
				delete(b, numbered(n))
				if err := in.Delete([]byte(numbered(n))); err != nil {
					return err
				}
			}
			return lookFromMany(in, b)
		})
		if err != nil {
			t.Fatalf("without the keys from %d to %d: %v", hole.from, hole.to, err)
		}
		mustUpdate(t, db, func(tx kv.Tx) error { // as it was
			for key, value := range stored["one"] {
				if err := tx.Bucket("one").Put([]byte(key), []byte(value)); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// lookFromMany compares all of a bucket, and what is behind many places of it.
func lookFromMany(in kv.Bucket, b bucketModel) error {
	if err := b.differs(in); err != nil {
		return err
	}
	for n := 0; n <= many; n += many / 60 {
		for _, from := range []string{numbered(n), numbered(n) + "+"} {
			if err := b.differsFrom(in, from, 3); err != nil {
				return err
			}
		}
	}
	return nil
}

// rangeOverNothing looks at an empty bucket beside one that is not.
func rangeOverNothing(t *testing.T, db kv.DB) {
	m := newModel()
	m["one"]["a"], m["three"]["z"] = "1", "2"
	mustUpdate(t, db, func(tx kv.Tx) error {
		if err := tx.Bucket("one").Put([]byte("a"), []byte("1")); err != nil {
			return err
		}
		return tx.Bucket("three").Put([]byte("z"), []byte("2"))
	})
	look := func(tx kv.Tx) error {
		if err := m["two"].differsFrom(tx.Bucket("two"), "k", 1); err != nil {
			return err
		}
		return m.differs(tx)
	}
	mustView(t, db, look)
	mustUpdate(t, db, look)
}
