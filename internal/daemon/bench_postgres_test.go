//go:build postgres

package daemon_test

import (
	"log/slog"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/database"
	"hermes/internal/secret"
	"hermes/pending"
	"hermes/pending/postgres/pgtest"
)

// BenchmarkQuestionShared is BenchmarkQuestion with the store in a PostgreSQL that waits for its disk and for a synchronous standby.
func BenchmarkQuestionShared(b *testing.B) {
	b.Run("open=0", func(b *testing.B) {
		cluster := pgtest.StartCluster(b, pgtest.Options{Durable: true})
		c := config.Config{Store: secret.Text(cluster.URL()), Lease: 6 * time.Second}
		shared, err := database.OpenShared(b.Context(), c, slog.New(slog.DiscardHandler))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(shared.Close)
		lease, err := shared.Acquire(b.Context(), database.Self(c))
		if err != nil {
			b.Fatal(err)
		}
		newBenchOn(b, daemon.Outside{
			Turn: lease,
			Open: func(o pending.Options) (*pending.Store, error) { return pending.OpenShared(lease.DB(), o) },
		}, nil).measure()
	})
}
