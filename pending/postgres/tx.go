package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hermes/pending/kv"
)

// tx is a transaction. It begins at the server with its first question; what it writes waits for the next question, or the end. The first error stays: nothing is read or
// written after it.
type tx struct {
	ctx      context.Context
	pool     *pool
	patience time.Duration // how long it may take to begin, and each round trip
	begin    []statement
	proven   func(*pgconn.Result) error // judges the answer to the last statement of begin; nil: there is nothing to prove
	writes   bool
	memory   *memory // nil: none

	conn  *pgconn.PgConn // nil: not begun
	held  []statement    // writes that were not sent
	at    map[place]int  // where in held
	known map[place][]byte
	wrote bool
	err   error
}

// place is where a value is.
type place struct{ bucket, key string }

func (t *tx) Bucket(name string) kv.Bucket { return &bucket{t, name} }

func (t *tx) fail(err error) error {
	if t.err == nil {
		t.err = err
	}
	return t.err
}

// ask sends what is held back, and the statements behind it, and returns the answer to the last one; nil: it failed.
func (t *tx) ask(list ...statement) *pgconn.Result {
	if t.err != nil {
		return nil
	}
	all := append(t.held, list...)
	results, err := t.send(all)
	if err != nil {
		_ = t.fail(err)
		return nil
	}
	t.held, t.at = nil, nil
	return results[len(results)-1]
}

func (t *tx) send(list []statement) ([]*pgconn.Result, error) {
	if t.conn != nil {
		ctx, cancel := context.WithTimeout(t.ctx, t.patience)
		defer cancel()
		return send(ctx, t.conn, list)
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.patience)
	defer cancel()
	for p := (pause{}); ; {
		results, err := t.sendFirst(ctx, list)
		if !temporary(err) || !p.wait(ctx) {
			return results, err
		}
	}
}

// sendFirst begins the transaction. Whatever fails may be tried again: nothing was read yet. A connection that was idle for long may be dead and not tell,
// so that a try ends early.
func (t *tx) sendFirst(ctx context.Context, list []statement) ([]*pgconn.Result, error) {
	c, err := t.pool.take(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.pool.patience)
	defer cancel()
	results, err := send(ctx, c, append(t.begin[:len(t.begin):len(t.begin)], list...))
	if err == nil && t.proven != nil {
		err = t.proven(results[len(t.begin)-1])
	}
	if err != nil {
		t.pool.give(c)
		return nil, err
	}
	t.conn = c
	return results, nil
}

// hold keeps a write back. A second one to the same place replaces it.
func (t *tx) hold(p place, s statement) error {
	switch {
	case !t.writes:
		return t.fail(errReadOnly)
	case t.err != nil:
		return t.err
	}
	t.wrote = true
	if i, ok := t.at[p]; ok {
		t.held[i] = s
		return nil
	}
	if t.at == nil {
		t.at = map[place]int{}
	}
	t.at[p] = len(t.held)
	t.held = append(t.held, s)
	return nil
}

// learn remembers what is in a place; nil: nothing.
func (t *tx) learn(p place, value []byte) {
	if t.known == nil {
		t.known = map[place][]byte{}
	}
	t.known[p] = value
}

// recall says what is in a place, as far as that is known.
func (t *tx) recall(p place) (value []byte, ok bool) {
	if value, ok = t.known[p]; !ok && t.memory != nil {
		value, ok = t.memory.values[p]
	}
	return value, ok
}

// read reads a key in its bucket, and in others whose values are often asked for next: a record is in one bucket or another.
func (t *tx) read(name string, key []byte) {
	names := []string{name}
	if t.memory != nil {
		names = t.memory.with(name)
	}
	sql, args := "select bucket, value from hermes_records where key = $1 and bucket in (", []any{key}
	for i, name := range names {
		sql += fmt.Sprintf("$%d,", i+2)
		args = append(args, name)
	}
	answer := t.ask(statement{sql: strings.TrimSuffix(sql, ",") + ")", args: args, bytea: true})
	if answer == nil {
		return
	}
	found := map[string][]byte{}
	for _, row := range answer.Rows {
		found[string(row[0])] = row[1]
	}
	for _, name := range names {
		t.learn(place{name, string(key)}, found[name])
	}
}

// commit returns a *doubt when the server may have done it and has not said so. A transaction that wrote nothing is proven, and leaves nothing.
func (t *tx) commit() error {
	if t.err == nil && t.conn == nil { // the proof must be there before COMMIT is sent: from then on nobody else can get the lease, or ask what became of this
		t.ask(statement{sql: "select 1"})
	}
	if t.err != nil || !t.wrote {
		return t.err
	}
	if err := context.Cause(t.ctx); err != nil {
		return err // and COMMIT was not sent
	}
	delete(t.conn.CustomData(), warned)
	results, err := send(t.ctx, t.conn, append(t.held, statement{sql: "commit"}))
	switch {
	case err != nil && refused(err):
		return err
	case err != nil:
		return &doubt{err}
	case results[len(results)-1].CommandTag.String() != "COMMIT":
		return errors.New("PostgreSQL rolled the transaction back")
	case t.conn.CustomData()[warned] != nil:
		return &doubt{errors.New("the server warned of the commit: it may not have waited for the synchronous standby")}
	}
	return nil
}

// doubt is a COMMIT of which nobody knows.
type doubt struct{ error }

// end gives the connection back; a transaction that was not committed is then rolled back.
func (t *tx) end() {
	if t.conn != nil {
		t.pool.give(t.conn)
		t.conn = nil
	}
}
