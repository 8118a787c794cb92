package kvtest

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"hermes/pending/kv"
)

// model is what a database should hold.
type model map[string]*bucketModel

type bucketModel struct {
	records map[string]string
	last    uint64 // of the sequence
}

func newModel() model {
	m := model{}
	for _, name := range Buckets() {
		m[name] = &bucketModel{records: map[string]string{}}
	}
	return m
}

func (m model) clone() model {
	c := model{}
	for name, b := range m {
		c[name] = &bucketModel{maps.Clone(b.records), b.last}
	}
	return c
}

func (b *bucketModel) keys() []string { return slices.Sorted(maps.Keys(b.records)) }

// differs says where the database is not as the model.
func (m model) differs(tx kv.Tx) error {
	for _, name := range Buckets() {
		if err := m[name].differs(tx.Bucket(name)); err != nil {
			return fmt.Errorf("bucket %s: %w", name, err)
		}
	}
	return nil
}

func (b *bucketModel) differs(in kv.Bucket) error {
	if got := in.Sequence(); got != b.last {
		return fmt.Errorf("Sequence is %d, want %d", got, b.last)
	}
	for _, compare := range []func(kv.Bucket) error{b.differsByForEach, b.differsForward, b.differsBackward, b.differsByGet} {
		if err := compare(in); err != nil {
			return err
		}
	}
	return nil
}

func (b *bucketModel) differsByForEach(in kv.Bucket) error {
	keys := b.keys()
	n := 0
	err := in.ForEach(func(key, value []byte) error {
		n++
		return b.isAt("ForEach", keys, n-1, key, value)
	})
	if err == nil && n != len(keys) {
		err = fmt.Errorf("ForEach gave %d keys of %d", n, len(keys))
	}
	return err
}

func (b *bucketModel) differsForward(in kv.Bucket) error {
	c, keys := in.Cursor(), b.keys()
	key, value := c.First()
	for n := 0; ; n++ {
		if err := b.isAt("First and Next", keys, n, key, value); err != nil || key == nil {
			return err
		}
		key, value = c.Next()
	}
}

func (b *bucketModel) differsBackward(in kv.Bucket) error {
	c, keys := in.Cursor(), b.keys()
	key, value := c.Last()
	for n := len(keys) - 1; ; n-- {
		if err := b.isAt("Last and Prev", keys, n, key, value); err != nil || key == nil {
			return err
		}
		key, value = c.Prev()
	}
}

func (b *bucketModel) differsByGet(in kv.Bucket) error {
	for key := range b.records {
		if err := b.differsAt(in, key); err != nil {
			return err
		}
	}
	return nil
}

func (b *bucketModel) differsAt(in kv.Bucket, key string) error {
	got := in.Get([]byte(key))
	want, there := b.records[key]
	if there != (got != nil) || string(got) != want {
		return fmt.Errorf("Get(%s) is %s, want %s (there: %v)", short(key), short(string(got)), short(want), there)
	}
	return nil
}

// isAt says how what a cursor gave is not the record of that place; outside of the keys it is none.
func (b *bucketModel) isAt(how string, keys []string, n int, key, value []byte) error {
	if n < 0 || n >= len(keys) {
		if key != nil {
			return fmt.Errorf("%s gave %s, want none", how, short(string(key)))
		}
		return nil
	}
	if key == nil || value == nil || string(key) != keys[n] || string(value) != b.records[keys[n]] {
		return fmt.Errorf("%s gave %s = %s, want %s = %s", how, short(string(key)), short(string(value)), short(keys[n]), short(b.records[keys[n]]))
	}
	return nil
}

// differsFrom seeks, and then makes steps from there: forward ones or, below zero, backward ones.
func (b *bucketModel) differsFrom(in kv.Bucket, seek string, steps []bool) error {
	c, keys := in.Cursor(), b.keys()
	n := sort.SearchStrings(keys, seek)
	key, value := c.Seek([]byte(seek))
	if err := b.isAt("Seek("+short(seek)+")", keys, n, key, value); err != nil {
		return err
	}
	if key == nil { // from here Prev alone is of use
		steps = []bool{false}
	}
	for _, forward := range steps {
		how := "Prev"
		if forward {
			n, how = n+1, "Next"
			key, value = c.Next()
		} else {
			n--
			key, value = c.Prev()
		}
		if err := b.isAt(how+" behind Seek("+short(seek)+")", keys, n, key, value); err != nil || key == nil {
			return err
		}
	}
	return nil
}

func short(s string) string { return fmt.Sprintf("%.20q", s) }
