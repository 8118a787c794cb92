package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// steps make the tables, each from what the one before it left. A step is never changed once it was released, and leaves alone what a hermes needs that knows
// only the steps before it: one may be acting while a newer one makes them. Its statements may find their work done, for not every server takes such
// statements back with their transaction.
var steps = [][]string{
	{
		`create table if not exists hermes_records (bucket text collate "C" not null, key bytea not null, value bytea not null, primary key (bucket, key))`,
		`create table if not exists hermes_sequences (bucket text collate "C" primary key, last bigint not null)`,
		`create table if not exists hermes_lease (id int primary key check (id = 1), epoch bigint not null, claim text not null, holder text not null, address text not null, until timestamptz not null, renewed timestamptz not null)`,
		`create table if not exists hermes_fence (id int primary key check (id = 1), epoch bigint not null, claim text not null, last_commit text not null)`,
		`insert into hermes_lease values (1, 0, '', '', '', '1970-01-01 00:00:00+00', '1970-01-01 00:00:00+00') on conflict (id) do nothing`,
		`insert into hermes_fence values (1, 0, '', '') on conflict (id) do nothing`,
	},
}

// makeSchema brings the tables to the state that this hermes knows. Several may do it at once: the row of hermes_schema is the lock, for not every
// server has advisory locks.
func makeSchema(ctx context.Context, c *pgconn.PgConn) error {
	version, err := readVersion(ctx, c, "")
	if err == nil && version == len(steps) {
		return nil
	}
	if err == nil || hasState(err, "42P01") { // undefined_table
		err = upgrade(ctx, c)
	}
	if err != nil && !errors.Is(err, ErrNewer) {
		return fmt.Errorf("make the tables of hermes in PostgreSQL (HERMES_STORE): %w", err)
	}
	return err
}

func upgrade(ctx context.Context, c *pgconn.PgConn) error {
	for _, sql := range []string{
		"create table if not exists hermes_schema (id int primary key check (id = 1), version int not null)",
		"insert into hermes_schema values (1, 0) on conflict (id) do nothing",
	} {
		// Of two that make the same table at once one may fail, when it is made.
		if _, err := send(ctx, c, []statement{{sql: sql}}); err != nil && !hasState(err, "23505", "42P07", "42710", "XX000") {
			return err
		}
	}
	if _, err := send(ctx, c, []statement{{sql: "begin isolation level read committed read write"}}); err != nil {
		return err
	}
	version, err := readVersion(ctx, c, " for update")
	if err != nil {
		return err
	}
	_, err = send(ctx, c, append(stepsFrom(version), statement{sql: "commit"}))
	return err
}

func stepsFrom(version int) (list []statement) {
	for _, step := range steps[version:] {
		for _, sql := range step {
			list = append(list, statement{sql: sql})
		}
	}
	return append(list, statement{sql: "update hermes_schema set version = $1 where id = 1", args: []any{int64(len(steps))}})
}

func readVersion(ctx context.Context, c *pgconn.PgConn, lock string) (int, error) {
	results, err := send(ctx, c, []statement{{sql: "select version from hermes_schema where id = 1" + lock}})
	if err != nil || len(results[0].Rows) == 0 {
		return 0, err
	}
	version, err := strconv.Atoi(string(results[0].Rows[0][0]))
	if version > len(steps) {
		return 0, fmt.Errorf("%w: its tables have version %d, and this one knows %d; nothing was changed: install that version here too, or set HERMES_STORE to another database", ErrNewer, version, len(steps))
	}
	return version, err
}

func hasState(err error, states ...string) bool {
	said, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return false
	}
	for _, state := range states {
		if said.Code == state {
			return true
		}
	}
	return false
}
