package postgres

import (
	"math/rand/v2"
	"testing"
	"time"
)

// However the clocks run, who has the lease has stopped before the database gives it to another: the renewal arrives after it was sent, and
// the holder's clock is at most a twentieth slower.
func TestLease_EndsBeforeTheDatabaseSaysSo(t *testing.T) {
	for range 100_000 {
		lease := time.Duration(2+rand.N(59)) * time.Second
		arrives := rand.N(lease) // by the database's clock, after it was sent
		speed := 0.95 + 0.2*rand.Float64()
		atDatabase := rand.N(2 * lease)
		here := time.Duration(float64(atDatabase) * speed)
		if free := atDatabase >= arrives+lease; free && usable(lease)-here > 0 {
			t.Fatalf("lease %v, the renewal took %v, clock at %v: two may act", lease, arrives, speed)
		}
	}
}

// The clock by which a lease counts is none that somebody sets: between two looks it runs as Go's monotonic clock does, from some other beginning than the wall clock's.
func TestAwake_IsNoWallClock(t *testing.T) {
	began, wall := awake(), time.Now()
	time.Sleep(50 * time.Millisecond)
	if here, there := awake()-began, time.Since(wall); here < 50*time.Millisecond || (here-there).Abs() > 40*time.Millisecond {
		t.Errorf("%v passed, and by Go's clock %v", here, there)
	}
	if now := time.Duration(time.Now().UnixNano()); (now - awake()).Abs() < 1000*time.Hour {
		t.Error("it is the wall clock")
	}
}
