package postgres

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestTemporary(t *testing.T) {
	_, unreadable := parse("postgres://db.example:port/hermes", time.Second)
	for _, test := range []struct {
		err  error
		want bool
	}{
		{errors.New("connection refused"), true},
		{&connectError{err: &pgconn.PgError{Code: "57P03"}}, true},
		{&pgconn.PgError{Message: "an error without a code"}, false},
		{&pgconn.PgError{Code: "0A000"}, true}, // begin read write, at a server that was demoted
		{&connectError{err: &pgconn.PgError{Code: "28P01"}}, false},
		{&connectError{err: &pgconn.PgError{Code: "3D000"}}, false},
		{ErrNewer, false},
		{unreadable, false},
	} {
		if got := Temporary(test.err); got != test.want {
			t.Errorf("%v: %v", test.err, got)
		}
	}
}
