package opencode

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/session"
)

func TestSessionDirectories_OrderWhileItIsLookedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int32
		s := newSessionDirectories(func(_ context.Context, id session.ID) (string, error) {
			looks.Add(1)
			time.Sleep(time.Second)
			if id == "ses_gone" {
				return "", errors.New("there is none")
			}
			return "/found", nil
		})
		var mu sync.Mutex
		var told []string
		event := func(id session.ID, where, name string) {
			s.locate(t.Context(), id, where, 0, func(directory string) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, fmt.Sprintf("%s %s", name, directory))
			})
		}
		want := func(list ...string) {
			t.Helper()
			mu.Lock()
			defer mu.Unlock()
			if !reflect.DeepEqual(told, list) {
				t.Errorf("got %q, want %q", told, list)
			}
			told = nil
		}
		event("ses_1", "", "started")
		event("ses_1", "/told", "form")
		event("ses_1", "", "ended")
		event("ses_2", "/other", "form")
		event("ses_2", "", "ended")
		want("form /other", "ended /other")
		s.wait()
		want("started /found", "form /found", "ended /found")
		event("ses_1", "", "again")
		want("again /found")
		event("ses_gone", "", "ended")
		s.wait()
		want("ended ")
		if n := looks.Load(); n != 2 {
			t.Errorf("looked up %d times", n)
		}
	})
}

func TestSessionDirectories_FewLookUpsAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int32
		s := newSessionDirectories(func(context.Context, session.ID) (string, error) {
			if n := running.Add(1); n > maxReading {
				t.Errorf("%d look-ups at a time", n)
			}
			time.Sleep(time.Second)
			running.Add(-1)
			return "/found", nil
		})
		done := make(chan struct{}, 1000)
		for n := range 100 {
			s.locate(t.Context(), session.ID(fmt.Sprint("ses_", n)), "", 0, func(string) { done <- struct{}{} })
		}
		s.wait()
		if len(done) != 100 {
			t.Errorf("%d calls", len(done))
		}
	})
}

// What waits for a look-up is bounded by its size: the stream is not read on until there is room.
func TestSessionDirectories_WhatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := newSessionDirectories(func(context.Context, session.ID) (string, error) {
			time.Sleep(time.Second)
			return "/found", nil
		})
		calls := 0
		for range 4 {
			s.locate(t.Context(), "ses_1", "", maxLocating/2, func(string) { calls++ })
		}
		if took := time.Since(began); took != time.Second || s.size > maxLocating {
			t.Errorf("after %s %d bytes wait", took, s.size)
		}
		s.wait()
		if calls != 4 || s.size != 0 {
			t.Errorf("%d calls, %d bytes wait", calls, s.size)
		}
	})
}
