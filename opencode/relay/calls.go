package relay

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"hermes/internal/retry"
	"hermes/opencode/link"
)

const (
	callsAtOnce  = 8                      // calls of hermes that run at a time
	maxCalls     = 64                     // that run or wait to; no more are fetched meanwhile
	callsPerPoll = 32                     // that are taken from one answer; hermes hands the others out again
	callQueued   = 5 * time.Second        // how long a call waits for others to end
	failuresMost = 3                      // polls or results that fail in a row
	failurePause = 500 * time.Millisecond // between them
)

// poll fetches calls until the link ends. Each is carried out once, however often a poll breaks: those that came
// are counted before they are.
func (s *session) poll() {
	seen := 0
	for failed := 0; s.ctx.Err() == nil; {
		began := time.Now()
		handed, err := s.link.poll(s.ctx, seen, s.followedRevision())
		if err != nil {
			var status statusError
			if failed++; errors.As(err, &status) || failed == failuresMost {
				s.cancel(fmt.Errorf("the link has ended: %w", err))
				return
			}
			_ = retry.Wait(s.ctx, failurePause)
			continue
		}
		failed = 0
		if handed.Follow != nil {
			s.follow(*handed.Follow)
		}
		fresh := 0
		for _, one := range handed.Calls {
			if number, err := strconv.Atoi(one.ID); err == nil && number > seen && fresh < callsPerPoll {
				seen, fresh = number, fresh+1
				s.begin(one)
			}
		}
		if fresh == 0 && handed.Follow == nil && time.Since(began) < time.Second {
			_ = retry.Wait(s.ctx, time.Second)
		}
	}
}

// begin carries a call out beside the others, when there are few enough of them.
func (s *session) begin(one link.Call) {
	came := time.Now().Round(0) // also while the machine sleeps
	select {
	case s.waiting <- struct{}{}:
	case <-s.ctx.Done():
		return
	}
	s.work.Go(func() {
		defer func() { <-s.waiting }()
		s.answer(s.carry(one, came))
	})
}

// carry makes a call when there is room for it. hermes gives one up after some seconds, so that one that waited
// longer, here or while the machine slept, is not made.
func (s *session) carry(one link.Call, came time.Time) link.Result {
	unsent := link.Result{ID: one.ID, Error: "OpenCode is busy with other calls", Unsent: true}
	enough := time.NewTimer(callQueued)
	defer enough.Stop()
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-enough.C:
		return unsent
	case <-s.ctx.Done():
		return unsent
	}
	if time.Now().Round(0).Sub(came) > callQueued {
		return unsent
	}
	if s.service.ctx.Err() != nil {
		unsent.Error = "the OpenCode service cannot be reached now"
		return unsent
	}
	return carrier{s.service, s.known, s.link.opened.Remote}.carryOut(s.ctx, one)
}

// answer gives hermes the result of a call. If that fails the link ends, and hermes takes the outcome for unknown.
func (s *session) answer(result link.Result) {
	var err error
	for range failuresMost {
		if err = s.link.result(s.ctx, result); err == nil || s.ctx.Err() != nil {
			return
		}
		var status statusError
		if errors.As(err, &status) || retry.Wait(s.ctx, failurePause) != nil {
			break
		}
	}
	s.cancel(fmt.Errorf("hermes was not told the result of a call: %w", err))
}
