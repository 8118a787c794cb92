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
			m["one"].records[numbered(n)] = fmt.Sprint(n)
			if err := tx.Bucket("one").Put([]byte(numbered(n)), []byte(fmt.Sprint(n))); err != nil {
				return err
			}
		}
		return nil
	})
}

// cursorOverBoth reads in a change what it has just written, between what was there, without what it has just deleted.
func cursorOverBoth(t *testing.T, db kv.DB) {
	stored := newModel()
	fill(t, db, stored)
	var changed model
	mustUpdate(t, db, func(tx kv.Tx) error {
		changed = stored.clone()
		in, b := tx.Bucket("one"), changed["one"]
		for n := range many {
			switch {
			case n%2 == 1:
				b.records[numbered(n)] = "new"
				if err := in.Put([]byte(numbered(n)), []byte("new")); err != nil {
					return err
				}
			case n%3 == 0:
				delete(b.records, numbered(n))
				if err := in.Delete([]byte(numbered(n))); err != nil {
					return err
				}
			}
		}
		return seekAbout(in, b)
	})
	mustView(t, db, changed.differs)
}

// cursorOverHoles deletes long runs of keys, and looks from their edges and their middle.
func cursorOverHoles(t *testing.T, db kv.DB) {
	stored := newModel()
	fill(t, db, stored)
	for _, hole := range []struct{ from, to int }{{0, many / 4}, {many / 3, many / 2}, {many * 3 / 4, many}, {0, many}} {
		err := db.Update(func(tx kv.Tx) error {
			changed := stored.clone()
			in, b := tx.Bucket("one"), changed["one"]
			for n := hole.from; n < hole.to; n++ {
				delete(b.records, numbered(n))
				if err := in.Delete([]byte(numbered(n))); err != nil {
					return err
				}
			}
			return seekAbout(in, b)
		})
		if err != nil {
			t.Fatalf("without the keys from %d to %d: %v", hole.from, hole.to, err)
		}
		mustUpdate(t, db, func(tx kv.Tx) error { // as it was
			for key, value := range stored["one"].records {
				if err := tx.Bucket("one").Put([]byte(key), []byte(value)); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// seekAbout compares all of a bucket, and the ways from many places of it.
func seekAbout(in kv.Bucket, b *bucketModel) error {
	if err := b.differs(in); err != nil {
		return err
	}
	there, back := []bool{true, true, false, false, false}, []bool{false, false, true, true, true}
	for n := 0; n <= many; n += many / 60 {
		for _, seek := range []string{numbered(n), numbered(n) + "+"} {
			if err := b.differsFrom(in, seek, there); err != nil {
				return err
			}
			if err := b.differsFrom(in, seek, back); err != nil {
				return err
			}
		}
	}
	return nil
}

// cursorOfNothing looks at an empty bucket beside one that is not.
func cursorOfNothing(t *testing.T, db kv.DB) {
	m := newModel()
	m["one"].records["a"], m["three"].records["z"] = "1", "2"
	mustUpdate(t, db, func(tx kv.Tx) error {
		if err := tx.Bucket("one").Put([]byte("a"), []byte("1")); err != nil {
			return err
		}
		return tx.Bucket("three").Put([]byte("z"), []byte("2"))
	})
	look := func(tx kv.Tx) error {
		if err := m["two"].differsFrom(tx.Bucket("two"), "k", nil); err != nil {
			return err
		}
		return m.differs(tx)
	}
	mustView(t, db, look)
	mustUpdate(t, db, look)
}
