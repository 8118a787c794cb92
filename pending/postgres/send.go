package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// statement is one SQL statement. Its arguments are []byte, string, int64 or time.Duration (then it is in milliseconds); what it returns is bytea, or else text.
type statement struct {
	sql   string
	args  []any
	bytea bool
}

// OIDs of types, which every PostgreSQL has.
const (
	oidBytea = 17
	oidInt8  = 20
	oidText  = 25
)

// send sends statements at once, and returns all answers: one round trip. None is prepared by a name, so that a pooler between hermes and the server may give each
// transaction another connection. If one fails, those behind it are not carried out.
func send(ctx context.Context, c *pgconn.PgConn, list []statement) ([]*pgconn.Result, error) {
	batch := &pgconn.Batch{}
	before := ""
	for _, s := range list {
		values, types, formats := encode(s.args)
		results := []int16{0}
		if s.bytea {
			results[0] = 1
		}
		if s.sql == before {
			batch.ExecPrepared("", values, formats, results) // the nameless statement is still this one
		} else {
			batch.ExecParams(s.sql, values, types, formats, results)
		}
		before = s.sql
	}
	results, err := c.ExecBatch(ctx, batch).ReadAll()
	if err == nil && len(results) != len(list) {
		err = fmt.Errorf("PostgreSQL gave %d answers to %d statements", len(results), len(list))
	}
	return results, err
}

func encode(args []any) (values [][]byte, types []uint32, formats []int16) {
	for _, arg := range args {
		value, oid, format := []byte(nil), uint32(oidText), int16(0)
		switch a := arg.(type) {
		case []byte:
			value, oid, format = a, oidBytea, 1
		case string:
			value = []byte(a)
		case int64:
			value, oid = strconv.AppendInt(nil, a, 10), oidInt8
		case time.Duration:
			value, oid = strconv.AppendInt(nil, a.Milliseconds(), 10), oidInt8
		default:
			panic(fmt.Sprintf("a statement has an argument of type %T", arg))
		}
		values, types, formats = append(values, value), append(types, oid), append(formats, format)
	}
	return values, types, formats
}

// begin begins a transaction, with settings for it alone: how long it waits for a lock, and after which silence of the client the server ends it. A pooler keeps such
// settings apart, and the server's own limit of a statement must not end a COMMIT.
func (d *Database) begin(mode string) []statement {
	return []statement{
		{sql: "begin isolation level " + mode},
		{sql: fmt.Sprintf("set local lock_timeout = %d", (d.lease / 6).Milliseconds())},
		silence(d.lease),
		{sql: "set local statement_timeout = 0"},
	}
}

func silence(longest time.Duration) statement {
	return statement{sql: fmt.Sprintf("set local idle_in_transaction_session_timeout = %d", longest.Milliseconds())}
}
