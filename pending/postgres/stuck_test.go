//go:build postgres && unix

package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"hermes/pending/postgres/pgtest"
)

// A holder that was stopped while a long page came to it leaves its transaction busy, for the server waits until it can send the rest. It does not keep the next one waiting.
func TestAcquire_HolderStoppedInTheMiddleOfAPage(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	d := open(t, s.URL())
	stopped, err := pgconn.Connect(t.Context(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer stopped.Close(t.Context())
	if _, err := stopped.Exec(t.Context(), "begin; set local idle_in_transaction_session_timeout = 2000; update hermes_fence set last_commit = 'x'").ReadAll(); err != nil {
		t.Fatal(err)
	}
	stopped.Frontend().Send(&pgproto3.Query{String: "select repeat('x', 10000) from generate_series(1, 10000)"})
	if err := stopped.Frontend().Flush(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	l := acquire(t, d, "next")
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	put(t, l.DB(), "key", "value")
	if got := s.SQL(t, "postgres", "select last_commit from hermes_fence"); got == "x" {
		t.Error("what the holder before did not commit is there")
	}
}
