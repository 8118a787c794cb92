package postgres

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"hermes/pending/kv"
)

// bucket is the rows of a name.
type bucket struct {
	tx   *tx
	name string
}

func (b *bucket) Get(key []byte) []byte {
	if len(key) == 0 {
		return nil
	}
	answer := b.tx.ask(statement{sql: "select value from hermes_records where bucket = $1 and key = $2", args: []any{b.name, key}, bytea: true})
	if answer == nil || len(answer.Rows) == 0 {
		return nil
	}
	return answer.Rows[0][0]
}

func (b *bucket) Put(key, value []byte) error {
	if len(key) == 0 || len(key) > kv.MaxKey {
		return fmt.Errorf("a key of %s has %d bytes: it must have 1 to %d", b.name, len(key), kv.MaxKey)
	}
	if value == nil {
		value = []byte{} // and not null
	}
	const sql = "insert into hermes_records (bucket, key, value) values ($1, $2, $3) on conflict (bucket, key) do update set value = excluded.value"
	return b.tx.hold(statement{sql: sql, args: []any{b.name, key, value}})
}

func (b *bucket) Delete(key []byte) error {
	return b.tx.hold(statement{sql: "delete from hermes_records where bucket = $1 and key = $2", args: []any{b.name, key}})
}

func (b *bucket) ForEach(fn func(key, value []byte) error) error {
	c := &cursor{bucket: b, most: longPage}
	for key, value := c.First(); key != nil; key, value = c.Next() {
		if err := fn(key, value); err != nil {
			return err
		}
	}
	return b.tx.err
}

func (b *bucket) Cursor() kv.Cursor { return &cursor{bucket: b, most: shortPage} }

func (b *bucket) NextSequence() (uint64, error) {
	const sql = "insert into hermes_sequences (bucket, last) values ($1, 1) on conflict (bucket) do update set last = hermes_sequences.last + 1 returning last"
	if !b.tx.writes {
		return 0, b.tx.fail(errReadOnly)
	}
	b.tx.wrote = true
	return b.number(statement{sql: sql, args: []any{b.name}})
}

func (b *bucket) Sequence() uint64 {
	n, _ := b.number(statement{sql: "select last from hermes_sequences where bucket = $1", args: []any{b.name}})
	return n
}

func (b *bucket) SetSequence(n uint64) error {
	const sql = "insert into hermes_sequences (bucket, last) values ($1, $2) on conflict (bucket) do update set last = excluded.last"
	return b.tx.hold(statement{sql: sql, args: []any{b.name, int64(n)}})
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

// A cursor reads a page of records at once: a short one for who looks at some, a long one for who goes over all. The record that fills a page is its last, however
// large the records are that agents write.
const (
	shortPage = 20
	longPage  = 500
	fullPage  = 1 << 20 // bytes of values
)

// cursor has a page of neighbours, in the order of their keys.
type cursor struct {
	bucket *bucket
	most   int // records of a page
	page   [][][]byte
	at     int
	sought []byte // by the last Seek, that found nothing
}

func (c *cursor) First() (key, value []byte) { return c.read("", "", nil) }
func (c *cursor) Last() (key, value []byte)  { return c.read("", "desc", nil) }

func (c *cursor) Seek(key []byte) (foundKey, value []byte) {
	if len(key) == 0 {
		return c.First()
	}
	foundKey, value = c.read("and key >= $3", "", key)
	c.sought = key
	return foundKey, value
}

func (c *cursor) Next() (key, value []byte) {
	if c.at++; c.at < len(c.page) {
		return c.here()
	}
	if len(c.page) == 0 {
		return nil, nil
	}
	return c.read("and key > $3", "", c.page[len(c.page)-1][0])
}

func (c *cursor) Prev() (key, value []byte) {
	if c.at--; c.at >= 0 && c.at < len(c.page) {
		return c.here()
	}
	from := c.sought
	if len(c.page) > 0 {
		from = c.page[0][0]
	}
	if from == nil {
		return nil, nil
	}
	return c.read("and key < $3", "desc", from)
}

func (c *cursor) here() (key, value []byte) {
	if len(c.page) == 0 {
		return nil, nil
	}
	return c.page[c.at][0], c.page[c.at][1]
}

// read reads the page that begins where a condition says, upwards or "desc", and goes to its first record in that direction.
func (c *cursor) read(condition, down string, from []byte) (key, value []byte) {
	args := []any{c.bucket.name, int64(c.most)}
	if from != nil {
		args = append(args, from)
	}
	order := "order by key " + down
	c.page, c.at, c.sought = nil, 0, nil
	answer := c.bucket.tx.ask(statement{
		sql: "select key, value from (select key, value, sum(octet_length(value)) over (" + order + ") - octet_length(value) as before" +
			" from hermes_records where bucket = $1 " + condition + " " + order + " limit $2) page where before < " + strconv.Itoa(fullPage) + " " + order,
		args: args, bytea: true,
	})
	if answer == nil {
		return nil, nil
	}
	c.page = answer.Rows
	if down != "" {
		slices.Reverse(c.page)
		c.at = max(0, len(c.page)-1)
	}
	return c.here()
}
