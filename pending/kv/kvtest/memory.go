package kvtest

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
	"slices"
	"sync"

	"hermes/pending/kv"
)

// Memory is a database in memory. The zero value is an empty one. What was stored is there as long as the Memory is, also behind a Close.
type Memory struct {
	writing sync.Mutex // held while a change is made
	mu      sync.Mutex // over what is stored
	stored  contents
}

// contents are never changed: a change makes new ones.
type contents map[string]*records

// records are those of a bucket, sorted. The change that made them may change them.
type records struct{ list []record }

type record struct{ key, value []byte }

// Open connects to the database. Each connection is closed on its own.
func (m *Memory) Open() kv.DB { return &connection{memory: m} }

func (m *Memory) now() contents {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stored
}

func (m *Memory) change(fn func(kv.Tx) error) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	tx := &transaction{stored: m.now(), changed: contents{}}
	if err := fn(tx); err != nil {
		return err
	}
	next := contents{}
	for _, all := range []contents{tx.stored, tx.changed} {
		for name, r := range all {
			next[name] = r
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stored = next
	return nil
}

type connection struct {
	memory *Memory
	mu     sync.Mutex // over closed, and who begins
	closed bool
	busy   sync.WaitGroup
}

var errClosed = errors.New("the database is closed")

func (c *connection) View(fn func(kv.Tx) error) error {
	return c.with(func() error { return fn(&transaction{stored: c.memory.now()}) })
}

func (c *connection) Update(fn func(kv.Tx) error) error {
	return c.with(func() error { return c.memory.change(fn) })
}

func (c *connection) with(do func() error) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errClosed
	}
	c.busy.Add(1)
	c.mu.Unlock()
	defer c.busy.Done()
	return do()
}

func (c *connection) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.busy.Wait()
	return nil
}

// transaction reads alone where changed is nil.
type transaction struct{ stored, changed contents }

func (t *transaction) Bucket(name string) kv.Bucket { return bucket{t, name} }

type bucket struct {
	tx   *transaction
	name string
}

func (b bucket) records() *records {
	return cmp.Or(b.tx.changed[b.name], b.tx.stored[b.name], &records{})
}

// own are records that the change may change.
func (b bucket) own() (*records, error) {
	if b.tx.changed == nil {
		return nil, errors.New("a write in a transaction that reads")
	}
	if b.tx.changed[b.name] == nil {
		was := b.records()
		b.tx.changed[b.name] = &records{slices.Clone(was.list)}
	}
	return b.tx.changed[b.name], nil
}

func (r *records) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(r.list, key, func(r record, key []byte) int { return bytes.Compare(r.key, key) })
}

func (b bucket) Get(key []byte) []byte {
	r := b.records()
	if n, found := r.find(key); found {
		return r.list[n].value
	}
	return nil
}

func (b bucket) Put(key, value []byte) error {
	if len(key) == 0 || len(key) > kv.MaxKey {
		return errors.New("a key of no length or of too much")
	}
	r, err := b.own()
	if err != nil {
		return err
	}
	one := record{bytes.Clone(key), append([]byte{}, value...)}
	n, found := r.find(key)
	if found {
		r.list[n] = one
		return nil
	}
	r.list = slices.Insert(r.list, n, one)
	return nil
}

func (b bucket) Delete(key []byte) error {
	r, err := b.own()
	if err != nil {
		return err
	}
	if n, found := r.find(key); found {
		r.list = slices.Delete(r.list, n, n+1)
	}
	return nil
}

func (b bucket) From(key []byte) iter.Seq2[[]byte, []byte] {
	r := b.records()
	n, _ := r.find(key)
	return over(slices.All(r.list[n:]))
}

func (b bucket) Backward() iter.Seq2[[]byte, []byte] { return over(slices.Backward(b.records().list)) }

func over(list iter.Seq2[int, record]) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		for _, r := range list {
			if !yield(r.key, r.value) {
				return
			}
		}
	}
}
