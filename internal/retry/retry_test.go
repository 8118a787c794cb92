package retry_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/retry"
)

func TestBackoff(t *testing.T) {
	const first, last = 2 * time.Second, time.Minute
	for n, want := range map[int]time.Duration{
		0: first, 1: first, 2: 4 * time.Second, 3: 8 * time.Second, 5: 32 * time.Second,
		6: last, 7: last, math.MaxInt: last,
	} {
		if got := retry.Backoff(n, first, last); got != want {
			t.Errorf("Backoff(%d) = %s, want %s", n, got, want)
		}
	}
	if got := retry.Backoff(1, time.Hour, time.Minute); got != time.Minute {
		t.Errorf("a first pause longer than the last is %s", got)
	}
}

func TestWait_Passes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := retry.Wait(t.Context(), time.Minute); err != nil || time.Since(began) != time.Minute {
			t.Errorf("waited %s: %v", time.Since(began), err)
		}
		if err := retry.Wait(t.Context(), 0); err != nil {
			t.Errorf("no time at all: %v", err)
		}
	})
}

func TestWait_EndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		for range 2 { // the second time it has ended already
			if err := retry.Wait(ctx, time.Minute); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
				t.Errorf("waited %s: %v", time.Since(began), err)
			}
		}
		if err := retry.Wait(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("no time at all, of a context that has ended: %v", err)
		}
	})
}
