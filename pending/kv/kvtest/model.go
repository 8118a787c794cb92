package kvtest

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"

	"hermes/pending/kv"
)

// model is what a database should hold.
type model map[string]bucketModel

type bucketModel map[string]string

func newModel() model {
	m := model{}
	for _, name := range Buckets() {
		m[name] = bucketModel{}
	}
	return m
}

func (m model) clone() model {
	c := model{}
	for name, b := range m {
		c[name] = maps.Clone(b)
	}
	return c
}

func (b bucketModel) keys() []string { return slices.Sorted(maps.Keys(b)) }

// differs says where the database is not as the model.
func (m model) differs(tx kv.Tx) error {
	for _, name := range Buckets() {
		if err := m[name].differs(tx.Bucket(name)); err != nil {
			return fmt.Errorf("bucket %s: %w", name, err)
		}
	}
	return nil
}

func (b bucketModel) differs(in kv.Bucket) error {
	keys := b.keys()
	if err := b.areIn("From", keys, in.From(nil)); err != nil {
		return err
	}
	slices.Reverse(keys)
	if err := b.areIn("Backward", keys, in.Backward()); err != nil {
		return err
	}
	for key := range b {
		if err := b.differsAt(in, key); err != nil {
			return err
		}
	}
	return nil
}

// areIn says how what was gone over is not the records of these keys.
func (b bucketModel) areIn(how string, keys []string, got iter.Seq2[[]byte, []byte]) error {
	n := 0
	for key, value := range got {
		if n == len(keys) {
			return fmt.Errorf("%s gave %s, want no more", how, short(string(key)))
		}
		if key == nil || value == nil || string(key) != keys[n] || string(value) != b[keys[n]] {
			return fmt.Errorf("%s gave %s = %s, want %s = %s", how, short(string(key)), short(string(value)), short(keys[n]), short(b[keys[n]]))
		}
		n++
	}
	if n < len(keys) {
		return fmt.Errorf("%s gave %d records of %d", how, n, len(keys))
	}
	return nil
}

func (b bucketModel) differsAt(in kv.Bucket, key string) error {
	got := in.Get([]byte(key))
	want, there := b[key]
	if there != (got != nil) || string(got) != want {
		return fmt.Errorf("Get(%s) is %s, want %s (there: %v)", short(key), short(string(got)), short(want), there)
	}
	return nil
}

// differsFrom compares the first records from a key on, and goes no further.
func (b bucketModel) differsFrom(in kv.Bucket, from string, most int) error {
	keys := b.keys()
	keys = keys[sort.SearchStrings(keys, from):]
	keys = keys[:min(len(keys), most)]
	return b.areIn("From("+short(from)+")", keys, func(yield func(key, value []byte) bool) {
		n := 0
		for key, value := range in.From([]byte(from)) {
			if n++; n > most || !yield(key, value) {
				return
			}
		}
	})
}

func short(s string) string { return fmt.Sprintf("%.20q", s) }
