package postgres

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

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

func (b *bucket) From(key []byte) iter.Seq2[[]byte, []byte] {
	if len(key) == 0 {
		return b.pages("", ">", nil, longPage)
	}
	return b.pages("", ">=", key, longPage)
}

func (b *bucket) Backward() iter.Seq2[[]byte, []byte] { return b.pages("desc", "<", nil, 1) }

// Records are read in pages of neighbours. Who reads backward often looks at the last one alone, so that pages grow. The record that fills a page is its last, however
// large the records are that agents write.
const (
	longPage = 500
	grows    = 20      // times as long as the page before
	fullPage = 1 << 20 // bytes of values
)

// pages goes over the bucket upwards, or "desc", from what compares so with a key; nil: from its end. most is how many records the first page has.
func (b *bucket) pages(order, compared string, key []byte, most int) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		compared, key, most := compared, key, most
		for {
			page := b.page(order, compared, key, most)
			for _, row := range page {
				if !yield(row[0], row[1]) {
					return
				}
			}
			if len(page) == 0 {
				return
			}
			key, most = page[len(page)-1][0], min(most*grows, longPage)
			compared = strings.TrimSuffix(compared, "=") // behind what was read
		}
	}
}

// page is one of them.
func (b *bucket) page(order, compared string, key []byte, most int) [][][]byte {
	args, condition := []any{b.name, int64(most)}, ""
	if key != nil {
		args, condition = append(args, key), "and key "+compared+" $3"
	}
	order = "order by key " + order
	answer := b.tx.ask(statement{
		sql: "select key, value from (select key, value, sum(octet_length(value)) over (" + order + ") - octet_length(value) as before" +
			" from hermes_records where bucket = $1 " + condition + " " + order + " limit $2) page where before < " + strconv.Itoa(fullPage) + " " + order,
		args: args, bytea: true,
	})
	if answer == nil {
		return nil
	}
	return answer.Rows
}
