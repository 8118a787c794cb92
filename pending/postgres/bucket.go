package postgres

import (
	"errors"
	"fmt"
	"strconv"

	"hermes/pending/kv"
)

// bucket is the rows of a name.
type bucket struct {
	tx   *tx
	name string
}

func (b *bucket) place(key []byte) place { return place{b.name, string(key)} }

func (b *bucket) Get(key []byte) []byte {
	if len(key) == 0 {
		return nil
	}
	value, ok := b.tx.recall(b.place(key))
	if !ok {
		b.tx.read(b.name, key)
		value = b.tx.known[b.place(key)]
	}
	return value
}

func (b *bucket) Put(key, value []byte) error {
	if len(key) == 0 || len(key) > kv.MaxKey {
		return fmt.Errorf("a key of %s has %d bytes: it must have 1 to %d", b.name, len(key), kv.MaxKey)
	}
	value = append([]byte{}, value...) // it is remembered longer than the transaction
	const sql = "insert into hermes_records (bucket, key, value) values ($1, $2, $3) on conflict (bucket, key) do update set value = excluded.value"
	if err := b.tx.hold(b.place(key), statement{sql: sql, args: []any{b.name, key, value}}); err != nil {
		return err
	}
	b.tx.learn(b.place(key), value)
	return nil
}

func (b *bucket) Delete(key []byte) error {
	err := b.tx.hold(b.place(key), statement{sql: "delete from hermes_records where bucket = $1 and key = $2", args: []any{b.name, key}})
	if err == nil {
		b.tx.learn(b.place(key), nil)
	}
	return err
}

func (b *bucket) ForEach(fn func(key, value []byte) error) error {
	c := &cursor{bucket: b, next: longestPage}
	for key, value := c.First(); key != nil; key, value = c.Next() {
		if err := fn(key, value); err != nil {
			return err
		}
	}
	return b.tx.err
}

func (b *bucket) Cursor() kv.Cursor { return &cursor{bucket: b, next: firstPage} }

func (b *bucket) NextSequence() (uint64, error) {
	const sql = "insert into hermes_sequences (bucket, last) values ($1, 1) on conflict (bucket) do update set last = hermes_sequences.last + 1 returning last"
	if err := b.mayWrite(); err != nil {
		return 0, err
	}
	return b.number(statement{sql: sql, args: []any{b.name}})
}

func (b *bucket) Sequence() uint64 {
	n, _ := b.number(statement{sql: "select last from hermes_sequences where bucket = $1", args: []any{b.name}})
	return n
}

func (b *bucket) SetSequence(n uint64) error {
	const sql = "insert into hermes_sequences (bucket, last) values ($1, $2) on conflict (bucket) do update set last = excluded.last"
	if err := b.mayWrite(); err != nil {
		return err
	}
	b.tx.ask(statement{sql: sql, args: []any{b.name, int64(n)}})
	return b.tx.err
}

func (b *bucket) mayWrite() error {
	if !b.tx.writes {
		return b.tx.fail(errReadOnly)
	}
	b.tx.wrote = true
	return b.tx.err
}

// number is what a statement returns; 0: no row.
func (b *bucket) number(s statement) (uint64, error) {
	answer := b.tx.ask(s)
	if answer == nil || len(answer.Rows) == 0 {
		return 0, b.tx.err
	}
	n, err := strconv.ParseUint(string(answer.Rows[0][0]), 10, 64)
	if err != nil {
		return 0, b.tx.fail(errors.New("the sequence of " + b.name + " is not a number"))
	}
	return n, nil
}
