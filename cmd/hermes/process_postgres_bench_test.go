//go:build linux && postgres

package main

import (
	"testing"
	"time"

	"hermes/pending/postgres/pgtest"
)

// BenchmarkProcessShared is BenchmarkProcess with two processes that share a PostgreSQL, which waits for its disk and for a synchronous standby: one acts, the other
// stands by.
func BenchmarkProcessShared(b *testing.B) {
	binary := buildHermes(b)
	store := "HERMES_STORE=" + pgtest.StartCluster(b, pgtest.Options{Durable: true}).URL()
	const token = "HERMES_HOOK_TOKEN=hook-canary-0123456789abcdefghijklmnop"
	b.Run("open=0", func(b *testing.B) {
		for range b.N {
			acts := startFirst(b, binary, store, token)
			stands := startAny(b, binary, store, token)
			time.Sleep(3 * time.Second) // its start is over
			b.ReportMetric(acts.first.Seconds()*1000, "ms-to-first-poll")
			b.ReportMetric(acts.memory(b, "VmRSS:"), "MB-resident")
			b.ReportMetric(acts.memory(b, "RssAnon:"), "MB-anonymous")
			b.ReportMetric(acts.idleCPU(b), "ms-CPU-in-5s-idle")
			b.ReportMetric(stands.memory(b, "VmRSS:"), "MB-resident-standby")
			b.ReportMetric(stands.memory(b, "RssAnon:"), "MB-anonymous-standby")
			b.ReportMetric(stands.idleCPU(b), "ms-CPU-in-5s-idle-standby")
			b.ReportMetric(0, "ns/op")
			stands.end(b)
			acts.end(b)
		}
	})
}
