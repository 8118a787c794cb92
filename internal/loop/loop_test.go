package loop_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/loop"
	"hermes/internal/retry"
)

const grace = 5 * time.Second

// runLoop runs a loop; stop tells it to end, and waits until it has.
func runLoop(t *testing.T, last func()) (l *loop.Loop, stop func()) {
	l = loop.New(grace)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx, func() error { return nil }, last) }()
	return l, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func do(t *testing.T, l *loop.Loop, f func()) {
	t.Helper()
	if err := l.Do(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func nothing() {}

func TestRun_FirstGoesBeforeWhatWasPosted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loop.New(grace)
		ctx, cancel := context.WithCancel(t.Context())
		var order []string
		note := func(what string) func() { return func() { order = append(order, what) } }
		l.Post(note("posted"))
		l.Post(func() { l.Post(cancel); note("posted too")() })
		first := func() error { note("first")(); return nil }
		if err := l.Run(ctx, first, note("last")); err != nil {
			t.Fatal(err)
		}
		if want := []string{"first", "posted", "posted too", "last"}; !slices.Equal(order, want) {
			t.Errorf("%q, want %q", order, want)
		}
	})
}

func TestRun_EndsWithTheErrorOfFirst(t *testing.T) {
	l := loop.New(grace)
	failed := errors.New("no store")
	l.Post(func() { t.Error("ran what was posted") })
	err := l.Run(t.Context(), func() error { return failed }, func() { t.Error("ran last") })
	if err != failed {
		t.Errorf("%v", err)
	}
	if err := l.Do(t.Context(), nothing); err != loop.ErrEnded {
		t.Errorf("Do after that: %v", err)
	}
}

func TestDo_WaitsUntilItIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runLoop(t, nothing)
		n := 0
		for range 100 {
			go func() { _ = l.Do(t.Context(), func() { n++ }) }()
		}
		synctest.Wait()
		do(t, l, func() { n++ })
		if n != 101 {
			t.Errorf("%d ran", n)
		}
		stop()
	})
}

func TestDo_GivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loop.New(grace) // that does not run yet
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := l.Do(short, func() { t.Error("ran all the same") }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		ctx, end := context.WithCancel(t.Context())
		l.Post(end)
		if err := l.Run(ctx, func() error { return nil }, nothing); err != nil {
			t.Error(err)
		}
	})
}

func TestDo_HasBegunWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runLoop(t, nothing)
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		err := l.Do(ctx, func() {
			cancel()
			time.Sleep(time.Minute)
			n++
		})
		if err != nil || n != 1 {
			t.Errorf("%v, %d", err, n)
		}
		stop()
	})
}

func TestDo_FailsAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runLoop(t, nothing)
		stop()
		if err := l.Do(t.Context(), func() { t.Error("ran") }); err != loop.ErrEnded {
			t.Errorf("%v", err)
		}
		l.Post(func() { t.Error("ran") })
		<-l.Gone()
		<-l.Ending().Done()
	})
}

func TestBeside_HandsItsResultBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runLoop(t, nothing)
		var got []string
		do(t, l, func() {
			l.Beside(func(context.Context) func() {
				time.Sleep(time.Second)
				return func() { got = append(got, "step") }
			})
		})
		do(t, l, func() { got = append(got, "loop") }) // does not wait for the step
		time.Sleep(2 * time.Second)
		stop()
		if want := []string{"loop", "step"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestDrain_TakesInWhatEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		l, stop := runLoop(t, func() { got = append(got, "last") })
		do(t, l, func() {
			l.Beside(func(ctx context.Context) func() {
				_ = retry.Wait(ctx, grace-time.Second)
				return func() {
					if l.Running() || ctx.Err() != nil {
						t.Error("a step of a loop that ends")
					}
					got = append(got, "step")
					l.Go(func(context.Context) { t.Error("a new step began") })
					l.After(0, func() { t.Error("a new timer ran") })
					l.Post(func() { got = append(got, "posted") })
				}
			})
		})
		began := time.Now()
		stop()
		if want := []string{"step", "posted", "last"}; !slices.Equal(got, want) || time.Since(began) != grace-time.Second {
			t.Errorf("%q after %s, want %q", got, time.Since(began), want)
		}
	})
}

func TestDrain_LeavesWhatTakesLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runLoop(t, nothing)
		ended := false
		do(t, l, func() {
			l.Beside(func(ctx context.Context) func() {
				<-ctx.Done()
				ended = true
				return func() { t.Error("its result came") }
			})
		})
		began := time.Now()
		stop()
		synctest.Wait()
		if time.Since(began) != grace || !ended {
			t.Errorf("after %s, step ended: %t", time.Since(began), ended)
		}
	})
}

func TestEnding_ComesBeforeTheGraceIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runLoop(t, nothing)
		do(t, l, func() {
			l.Go(func(context.Context) { _ = retry.Wait(l.Ending(), time.Hour) })
		})
		began := time.Now()
		stop()
		if time.Since(began) != 0 {
			t.Errorf("took %s", time.Since(began))
		}
	})
}

func TestAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runLoop(t, nothing)
		began, at := time.Now(), time.Duration(0)
		do(t, l, func() {
			l.After(time.Minute, func() { at = time.Since(began) })
			l.After(time.Minute, func() { t.Error("ran though it was stopped") }).Stop()
		})
		time.Sleep(2 * time.Minute)
		stop()
		if at != time.Minute {
			t.Errorf("ran after %s", at)
		}
	})
}

// A function that fails the loop goes no further, and nothing else runs; who waits for it hears that it was not done.
func TestFail_EndsTheLoopAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, why := loop.New(grace), errors.New("the disk is full")
		ended := make(chan error, 1)
		go func() { ended <- l.Run(t.Context(), func() error { return nil }, func() { t.Error("last ran") }) }()
		step := make(chan error, 1)
		do(t, l, func() {
			l.Go(func(ctx context.Context) { step <- retry.Wait(ctx, time.Hour) })
			l.After(time.Minute, func() { t.Error("a timer ran") })
		})
		err := l.Do(t.Context(), func() {
			l.Post(func() { t.Error("what came later ran") })
			l.Fail(why)
			t.Error("it went on")
		})
		if err != loop.ErrEnded || l.Do(t.Context(), func() {}) != loop.ErrEnded {
			t.Errorf("who waits hears %v", err)
		}
		if got := <-ended; got != why {
			t.Errorf("it ended with %v", got)
		}
		time.Sleep(2 * time.Minute)
		if <-step == nil {
			t.Error("a step went on")
		}
	})
}
