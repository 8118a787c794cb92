package postgres

import (
	"slices"
	"strconv"
)

// A cursor reads pages: a short one first, for who looks at one key, and longer ones for who goes on. The record that fills a page is its last, however large the
// records are that agents write.
const (
	firstPage   = 2
	longestPage = 500
	fullPage    = 1 << 20 // bytes of values
)

type record struct{ key, value []byte }

// cursor has a page of neighbours, in the order of their keys.
type cursor struct {
	bucket *bucket
	next   int // records of the next page

	page          []record
	at            int
	begins, ends  bool // before the page, behind it, is nothing
	behindTheLast bool // Seek found nothing
}

// page is a statement for the records of a bucket: $1, of which so many are wanted: $2, up or down ("desc") from where the condition says.
func page(condition, down string) string {
	order := "order by key " + down
	return "select key, value from (select key, value, sum(octet_length(value)) over (" + order + ") - octet_length(value) as before" +
		" from hermes_records where bucket = $1 " + condition + " " + order + " limit $2) page where before < " + strconv.Itoa(fullPage) + " " + order
}

func (c *cursor) First() (key, value []byte) {
	c.read("", nil)
	c.begins = true
	return c.here()
}

func (c *cursor) Last() (key, value []byte) {
	c.readBack("", nil)
	c.ends = true
	return c.here()
}

func (c *cursor) Seek(key []byte) (foundKey, value []byte) {
	if len(key) == 0 {
		return c.First()
	}
	c.read("and key >= $3", key)
	c.behindTheLast = len(c.page) == 0
	return c.here()
}

func (c *cursor) Next() (key, value []byte) {
	if c.at++; c.at < len(c.page) {
		return c.here()
	}
	if len(c.page) == 0 || c.ends {
		c.page = nil
		return nil, nil
	}
	c.read("and key > $3", c.page[len(c.page)-1].key)
	return c.here()
}

func (c *cursor) Prev() (key, value []byte) {
	if c.behindTheLast {
		return c.Last()
	}
	if c.at--; c.at >= 0 && c.at < len(c.page) {
		return c.here()
	}
	if len(c.page) == 0 || c.begins {
		c.page = nil
		return nil, nil
	}
	c.readBack("and key < $3", c.page[0].key)
	return c.here()
}

func (c *cursor) here() (key, value []byte) {
	if len(c.page) == 0 {
		return nil, nil
	}
	return c.page[c.at].key, c.page[c.at].value
}

func (c *cursor) read(condition string, from []byte) {
	full := c.fetch(page(condition, ""), from)
	c.at, c.ends = 0, !full
}

func (c *cursor) readBack(condition string, from []byte) {
	full := c.fetch(page(condition, "desc"), from)
	slices.Reverse(c.page)
	c.at, c.begins = len(c.page)-1, !full
}

// fetch reads a page, and reports whether there may be more behind it.
func (c *cursor) fetch(sql string, from []byte) (full bool) {
	args := []any{c.bucket.name, int64(c.next)}
	if from != nil {
		args = append(args, from)
	}
	answer := c.bucket.tx.ask(statement{sql: sql, args: args, bytea: true})
	c.page, c.begins, c.ends, c.behindTheLast = nil, false, false, false
	if answer == nil {
		return false
	}
	size := 0
	for _, row := range answer.Rows {
		c.page = append(c.page, record{row[0], row[1]})
		size += len(row[1])
	}
	full = len(answer.Rows) == c.next || size >= fullPage
	c.next = min(8*c.next, longestPage)
	return full
}
