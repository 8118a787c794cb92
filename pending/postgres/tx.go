package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hermes/pending/kv"
)

// idleReader is how long a transaction that reads may be silent: a backup writes to a disk between its pages. It holds nobody up.
const idleReader = 5 * time.Minute

// store makes transactions until ctx ends or Close is called.
type store struct {
	database *Database
	ctx      context.Context
	lease    *Lease        // nil: it is for reading alone
	turn     chan struct{} // one writes at a time: at the server they would only wait for each other's fence
	last     string        // the last commit; for who has the turn

	mu     sync.Mutex
	under  sync.WaitGroup // transactions under way
	closed bool
}

// Close waits for transactions under way. One that another one began is refused from now on, so that it does not wait for itself.
func (s *store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.under.Wait()
	return nil
}

// enter says that a transaction is under way, until s.under is told.
func (s *store) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.under.Add(1)
	return nil
}

// View reads one moment's state. No read takes longer than a lease.
func (s *store) View(fn func(kv.Tx) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.under.Done()
	t := &tx{ctx: s.ctx, database: s.database, begin: s.database.begin("repeatable read read only")}
	t.begin[2] = silence(idleReader)
	defer t.end()
	err := fn(t)
	if t.err != nil { // fn was told that nothing is there
		return s.explain(t.err)
	}
	return err
}

// Size is that of the tables on the server's disk, with their indexes.
func (s *store) Size() (int64, error) {
	if err := s.enter(); err != nil {
		return 0, err
	}
	defer s.under.Done()
	results, err := s.database.ask(s.ctx, statement{sql: "select pg_total_relation_size('hermes_records')"})
	if err != nil {
		return 0, s.explain(err)
	}
	return strconv.ParseInt(string(results[0].Rows[0][0]), 10, 64)
}

// Update takes at most as long as the lease, and calls fn once. A transaction that does not come to its end ends the lease.
func (s *store) Update(fn func(kv.Tx) error) error {
	if s.lease == nil {
		return errors.New("this is for reading alone: who writes to the store (HERMES_STORE) needs its lease")
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.under.Done()
	if err := s.lease.Valid(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.database.lease)
	defer cancel()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return s.explain(errors.New("other changes took too long"))
	}
	id := rand.Text()
	t := &tx{ctx: ctx, database: s.database, begin: s.beginWith(id), proven: s.proven(id), writes: true}
	defer t.end()
	failed := fn(t)
	if failed != nil && t.err == nil {
		return failed
	}
	err := t.commit() // or the transaction's own error: fn was told that nothing is there, and what it returned may come from that
	switch {
	case err == nil && t.wrote:
		s.last = id
	case err != nil && !errors.Is(err, errReadOnly):
		err = s.explain(err)
		s.lease.lose(err)
	}
	return err
}

// beginWith has the proof last: it takes the fence, which nobody else gets until this transaction is over, and which must have the last commit of this holder.
func (s *store) beginWith(id string) []statement {
	return append(s.database.begin("read committed read write"),
		statement{
			sql:  "update hermes_fence set last_commit = $1 where id = 1 and epoch = $2 and claim = $3 and last_commit = $4",
			args: []any{id, s.lease.epoch, s.database.claim, s.last},
		},
		statement{sql: "select last_commit, claim, epoch from hermes_fence where id = 1"},
	)
}

// proven judges what the proof returned.
func (s *store) proven(id string) func(*pgconn.Result) error {
	return func(r *pgconn.Result) error {
		switch {
		case len(r.Rows) == 0:
			return errNoFence
		case string(r.Rows[0][0]) == id:
			return nil
		case string(r.Rows[0][1]) == s.database.claim && string(r.Rows[0][2]) == strconv.FormatInt(s.lease.epoch, 10):
			return ErrRewound
		}
		return ErrDeposed
	}
}

// explain says why everything ended, if it did.
func (s *store) explain(err error) error {
	if cause := context.Cause(s.ctx); cause != nil && !isOwn(err) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// tx is a transaction. It begins at the server with its first question; what it writes waits for the next question, or the end. The first error stays: nothing is read or
// written after it.
type tx struct {
	ctx      context.Context
	database *Database
	begin    []statement
	proven   func(*pgconn.Result) error // judges the answer to the last statement of begin; nil: there is nothing to prove
	writes   bool

	conn  *pgconn.PgConn // nil: not begun
	held  []statement    // writes that were not sent
	wrote bool
	err   error
}

func (t *tx) Bucket(name string) kv.Bucket { return &bucket{t, name} }

func (t *tx) fail(err error) error {
	if t.err == nil {
		t.err = err
	}
	return t.err
}

// ask sends what is held back, and a statement behind it, and returns the answer to that; nil: it failed.
func (t *tx) ask(s statement) *pgconn.Result {
	if t.err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.database.lease)
	defer cancel()
	if t.conn == nil {
		t.err = insist(ctx, func() error { return t.start(ctx) })
	}
	if t.err != nil {
		return nil
	}
	results, err := send(ctx, t.conn, append(t.held, s))
	if err != nil {
		_ = t.fail(err)
		return nil
	}
	t.held = nil
	return results[len(results)-1]
}

// start begins the transaction. If that fails it may be tried again: nothing was read yet. A connection that was idle for long may be dead and not tell, so that a try ends early.
func (t *tx) start(ctx context.Context) error {
	c, err := t.database.take(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, t.database.patience())
	defer cancel()
	results, err := send(ctx, c, t.begin)
	if err == nil && t.proven != nil {
		err = t.proven(results[len(results)-1])
	}
	if err != nil {
		t.database.give(c)
		return err
	}
	t.conn = c
	return nil
}

// hold keeps a write back.
func (t *tx) hold(s statement) error {
	switch {
	case t.err != nil:
		return t.err
	case !t.writes:
		return t.fail(errReadOnly)
	}
	t.wrote = true
	t.held = append(t.held, s)
	return nil
}

// commit returns an *Unknown when the server may have done it and has not said so. A transaction that wrote nothing is proven, and leaves nothing.
func (t *tx) commit() error {
	if t.conn == nil { // the proof must be there before COMMIT is sent: from then on nobody else can get the lease
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
		return &Unknown{err}
	case results[len(results)-1].CommandTag.String() != "COMMIT":
		return errors.New("PostgreSQL rolled the transaction back")
	case t.conn.CustomData()[warned] != nil:
		return &Unknown{errWarned}
	}
	return nil
}

// end gives the connection back; a transaction that was not committed is then rolled back.
func (t *tx) end() {
	if t.conn != nil {
		t.database.give(t.conn)
		t.conn = nil
	}
}
