package relay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/retry"
	"hermes/opencode"
	"hermes/opencode/link"
	"hermes/opencode/service"
)

const (
	callsAtOnce  = 8                      // calls of hermes that run at a time
	callsPerPoll = 32                     // that are taken from one answer; hermes hands the others out again
	callQueued   = 5 * time.Second        // how long a call waits for others to end
	failuresMost = 3                      // polls that fail in a row
	failurePause = 500 * time.Millisecond // between them

	spokenEvery = time.Second      // how often hermes is told of what is display alone
	aliveEvery  = 10 * time.Second // how often that the stream is alive
	maxFollowed = 100              // sessions

	// What waits to be told, and what one request to hermes takes, which may have 8 MiB.
	maxQueued  = 4096     // events
	maxWaiting = 16 << 20 // bytes of them
	maxEvent   = 4 << 20
	maxBatch   = 100
	batchBytes = 1 << 20
)

var (
	// errStreamEnded: the event stream of the service has ended, and the link is still open.
	errStreamEnded = errors.New("the event stream of the OpenCode service has ended")
	errBehind      = errors.New("hermes takes the events more slowly than OpenCode tells them")
)

// session is one link and the one event stream that it brings. When the stream has ended, the link
// carries no more calls, and brings no other stream.
type session struct {
	service *connected
	known   *directories
	hub     hubClient
	cancel  context.CancelCauseFunc // ends the link
	ctx     context.Context
	work    sync.WaitGroup
	running chan struct{} // one for each call that runs
	opened  chan struct{} // closed when the stream says something
	told    time.Time     // when hermes was told last that the stream is alive; the reader's
	events  chan frame    // to be told; there is room for two more than maxQueued
	size    atomic.Int64  // bytes of them

	// The sessions of which hermes wants to be told what they write.
	followed atomic.Pointer[link.FollowList]
}

func (r *Relay) newSession(c *connected) *session {
	s := &session{
		service: c, known: &r.known, running: make(chan struct{}, callsAtOnce), opened: make(chan struct{}), events: make(chan frame, maxQueued+2),
	}
	s.followed.Store(new(link.FollowList))
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(c.ctx))
	return s
}

// hello is what hermes is told of the service.
func (r *Relay) hello(c *connected) link.Hello {
	return link.Hello{
		Kind: link.Service, Protocol: link.ServiceProtocol, Plugin: r.config.Version, Instance: startOf(c.Registration), Process: r.process,
		PID: c.PID, Host: r.config.Host, Version: c.Version, Time: time.Now().UnixMilli(),
	}
}

// startOf names a start of the service: by its id, which is new at each; by its process where it has none that a hello can have.
func startOf(r service.Registration) string {
	if r.ID == "" || len(r.ID) > 128 {
		return strconv.Itoa(r.PID)
	}
	return r.ID
}

// listen opens the event stream.
func (s *session) listen() error {
	s.work.Go(s.read)
	select {
	case <-s.opened:
		return nil
	case <-s.service.ctx.Done():
		return context.Cause(s.service.ctx)
	}
}

// open opens the link.
func (s *session) open(ctx context.Context, hub hubClient, hello link.Hello) error {
	if err := hub.open(ctx, hello); err != nil {
		return err
	}
	s.hub = hub
	s.work.Go(s.poll)
	s.work.Go(s.tell)
	if hub.all.Several() { // when the one there does not act any more, another one may
		s.work.Go(func() { s.cancel(hub.all.Watch(s.ctx, hub.url)) })
	}
	return nil
}

// serve returns when the stream has ended, with errStreamEnded, or the link, or ctx.
func (s *session) serve(ctx context.Context) error {
	select {
	case <-s.service.ctx.Done():
		return fmt.Errorf("%w: %w", errStreamEnded, context.Cause(s.service.ctx))
	case <-s.ctx.Done():
		s.service.cancel(context.Canceled)
		return context.Cause(s.ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end ends both, and waits until nothing runs any more.
func (s *session) end(why error) {
	s.cancel(why)
	s.service.cancel(why)
	s.work.Wait()
}

// read queues the events of the stream until that ends, and then its end.
func (s *session) read() {
	err := opencode.ReadEventsV2(s.service.ctx, s.service.Endpoint, s.stayAlive, s.hear)
	s.events <- frame{Type: link.DisconnectedEvent}
	s.service.cancel(err)
}

// stayAlive tells hermes that the stream is alive.
func (s *session) stayAlive() {
	if s.told.IsZero() {
		close(s.opened)
	}
	if time.Since(s.told) >= aliveEvery {
		s.told = time.Now()
		s.put(frame{Type: link.AliveEvent})
	}
}

func (s *session) hear(text string) {
	f, crosses := crossing(text, s.isFollowed)
	if !crosses || len(f.Data) > maxEvent {
		return
	}
	if f.Location.Directory != "" {
		s.known.add(f.Location.Directory)
	}
	s.put(f)
}

// put queues an event. If there is no room the stream ends, and another one begins with a listing.
func (s *session) put(f frame) {
	if s.size.Add(int64(len(f.Data))) > maxWaiting || len(s.events) >= maxQueued {
		s.service.cancel(errBehind)
		return
	}
	s.events <- f
}

// tell tells hermes what is queued, in order. A batch that fails ends the link: another one begins with a
// listing.
func (s *session) tell() {
	for batch := s.next(); batch != nil; batch = s.next() {
		if err := s.hub.tell(s.ctx, batch); err != nil {
			s.cancel(fmt.Errorf("hermes was not told the events: %w", err))
			return
		}
	}
}

// next waits for events; nil: the link has ended. What is display alone waits for more.
func (s *session) next() (batch []frame) {
	later := time.NewTimer(spokenEvery)
	defer later.Stop()
	for size, waits := 0, true; len(batch) < maxBatch && size < batchBytes; {
		if len(batch) > 0 && len(s.events) == 0 && !waits {
			break
		}
		select {
		case f := <-s.events:
			batch = append(batch, f)
			size += len(f.Data)
			waits = waits && spoken[f.Type] != nil
		case <-later.C:
			waits = false
		case <-s.ctx.Done():
			return nil
		}
	}
	for _, f := range batch {
		s.size.Add(-int64(len(f.Data)))
	}
	return batch
}

// sayGone tells hermes that what waited at the service ended with it, behind all else that happened there.
func (s *session) sayGone() {
	s.events <- frame{Type: link.ClosedEvent}
	enough := time.NewTimer(sendTimeout)
	defer enough.Stop()
	select { // hermes ends the link then
	case <-s.ctx.Done():
	case <-enough.C:
	}
}

// poll fetches calls until the link ends. Each is carried out once, however often a poll breaks: those that came
// are counted before they are.
func (s *session) poll() {
	seen := 0
	for failed := 0; s.ctx.Err() == nil; {
		began := time.Now()
		handed, err := s.hub.poll(s.ctx, seen, s.followed.Load().Rev)
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
			s.followed.Store(handed.Follow)
		}
		fresh := s.begin(handed.Calls, &seen)
		if fresh == 0 && handed.Follow == nil && time.Since(began) < time.Second {
			_ = retry.Wait(s.ctx, time.Second)
		}
	}
}

// begin carries calls out beside one another, so many at a time. hermes gives one up after some seconds, so that one that
// waited longer, here or while the machine slept, is not made.
func (s *session) begin(calls []link.Call, seen *int) (fresh int) {
	came := time.Now().Round(0) // also while the machine sleeps
	enough, stop := context.WithTimeout(s.ctx, callQueued)
	defer stop()
	for _, one := range calls {
		number, err := strconv.Atoi(one.ID)
		if err != nil || number <= *seen || fresh == callsPerPoll {
			continue
		}
		*seen, fresh = number, fresh+1
		unsent := link.Result{ID: one.ID, Error: "OpenCode is busy with other calls", Unsent: true}
		select {
		case <-enough.Done():
			s.work.Go(func() { s.answer(unsent) })
			continue
		case s.running <- struct{}{}:
		}
		s.work.Go(func() {
			switch {
			case time.Now().Round(0).Sub(came) > callQueued:
			case s.service.ctx.Err() != nil:
				unsent.Error = "the OpenCode service cannot be reached now"
			default:
				unsent = carrier{s.service, s.known, s.hub.opened.Remote}.carryOut(s.ctx, one)
			}
			<-s.running
			s.answer(unsent)
		})
	}
	return fresh
}

// answer gives hermes the result of a call. If that fails the link ends, and hermes takes the outcome for unknown.
func (s *session) answer(result link.Result) {
	if err := s.hub.result(s.ctx, result); err != nil {
		s.cancel(fmt.Errorf("hermes was not told the result of a call: %w", err))
	}
}

func (s *session) isFollowed(id string) bool {
	followed := s.followed.Load().Sessions
	return slices.Contains(followed[:min(len(followed), maxFollowed)], id)
}
