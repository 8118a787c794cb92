package postgres

import (
	"math/rand/v2"
	"testing"
	"time"
)

// However the clocks run, who has the lease has stopped before the database gives it to another: the renewal arrives after it was sent, and
// the holder's clock is at most a twentieth slower.
func TestTerm_EndsBeforeTheDatabaseSaysSo(t *testing.T) {
	for range 100_000 {
		lease := time.Duration(2+rand.N(59)) * time.Second
		sent := time.Now()
		arrives := rand.N(lease) // by the database's clock, after it was sent
		speed := 0.95 + 0.2*rand.Float64()
		atDatabase := rand.N(2 * lease)
		here := sent.Add(time.Duration(float64(atDatabase) * speed))
		if free := atDatabase >= arrives+lease; free && !(term{sent, lease}).over(here) {
			t.Fatalf("lease %v, the renewal took %v, clock at %v: two may act", lease, arrives, speed)
		}
	}
}

func TestTerm_BothClocksCount(t *testing.T) {
	sent := time.Now()
	lease := term{sent, 10 * time.Second}
	if lease.over(sent.Add(8 * time.Second)) {
		t.Error("it is over before its time")
	}
	if !lease.over(sent.Add(9 * time.Second)) {
		t.Error("it has no margin")
	}
	// A machine that slept: the monotonic clock stood still, and the other did not.
	asleep := term{sent.Round(0).Add(-time.Hour), 10 * time.Second}
	if !asleep.over(sent) {
		t.Error("a suspended machine believes in its lease")
	}
}
