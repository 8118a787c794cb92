//go:build postgres && unix

package pending

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending/postgres"
	"hermes/pending/postgres/pgtest"
)

// BenchmarkEngines does the same in a file and in PostgreSQL on this machine, which both wait for the disk. trips are what it costs over a network, each of its
// round trip time.
func BenchmarkEngines(b *testing.B) {
	file, err := Open(dbPath(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	b.Run("file", func(b *testing.B) { benchmarkStore(b, file, func() int { return 0 }) })

	server := pgtest.Start(b, pgtest.Options{Durable: true})
	proxy := pgtest.NewProxy(b, server.Address())
	b.Run("postgres", func(b *testing.B) {
		benchmarkStore(b, openPostgres(b, server.NewDatabase(b)), func() int { return 0 })
	})
	b.Run("postgres, counted", func(b *testing.B) {
		benchmarkStore(b, openPostgres(b, proxy.Through(server.NewDatabase(b))), proxy.RoundTrips)
	})
}

func openPostgres(b *testing.B, url string) *Store {
	b.Helper()
	d, err := postgres.Open(b.Context(), url, postgres.Options{Lease: time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(d.Close)
	lease, err := d.Acquire(b.Context(), postgres.Holder{Name: "benchmark"})
	if err != nil {
		b.Fatal(err)
	}
	s, err := OpenShared(lease.DB(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

func benchmarkStore(b *testing.B, s *Store, trips func() int) {
	n := 0
	entry := func(id question.ID) []storage.Entry {
		return []storage.Entry{{At: time.Now(), Kind: storage.EntryPicked, Thread: id}}
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"a new question", func() error {
			return s.Commit(storage.Change{Threads: []question.Thread{realThread(n)}, Entries: entry(thread(n).ID)})
		}},
		{"an update comes", func() error {
			_, err := s.Put([]chat.Update{{ID: chat.UpdateID(n), Raw: []byte(`{"update_id":1}`)}})
			return err
		}},
		{"it is the answer", func() error {
			return s.Commit(storage.Change{Threads: []question.Thread{realThread(n)}, Consumed: []chat.UpdateID{chat.UpdateID(n)}, Entries: entry(thread(n).ID)})
		}},
		{"the question is settled", func() error {
			return s.Commit(storage.Change{Retired: []question.Thread{settled(n, time.Unix(int64(n), 0))}})
		}},
		{"its message is looked for", func() error {
			_, err := s.Known(-100, chat.MessageID(10*n))
			return err
		}},
	} {
		n = 0
		b.Run(step.name, func(b *testing.B) {
			trips()
			for b.Loop() {
				n++
				if err := step.do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(trips())/float64(b.N), "trips/op")
		})
	}
}
