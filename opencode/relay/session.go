package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"hermes/opencode/link"
	"hermes/opencode/service"
)

const (
	spokenEvery = time.Second      // how often hermes is told of what is display alone
	aliveEvery  = 10 * time.Second // how often that the stream is alive
	maxFollowed = 100              // sessions
)

// errStreamEnded: the event stream of the service has ended, and the link is still open.
var errStreamEnded = errors.New("the event stream of the OpenCode service has ended")

// session is one link and the one event stream that it brings. When the stream has ended, the link
// carries no more calls, and brings no other stream.
type session struct {
	service *connected
	known   *directories
	link    openLink
	events  *queue
	cancel  context.CancelCauseFunc // ends the link
	ctx     context.Context
	work    sync.WaitGroup
	running chan struct{} // one for each call that runs
	waiting chan struct{} // the same for those that wait to as well
	told    time.Time     // when hermes was told last that the stream is alive; the reader's
	words   lastWords     // the reader's

	mu       sync.Mutex
	revision int             // of what is followed, as hermes counts
	followed map[string]bool // sessions
}

func (r *Relay) newSession(c *connected) *session {
	s := &session{service: c, known: &r.known, events: newQueue(), words: lastWords{}, running: make(chan struct{}, callsAtOnce), waiting: make(chan struct{}, maxCalls)}
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(c.ctx))
	return s
}

// hello is what hermes is told of the service.
func (r *Relay) hello(c *connected) link.Hello {
	return link.Hello{
		Kind: link.Service, Protocol: link.ServiceProtocol, Plugin: r.config.Version, Instance: startOf(c.Registration), Process: r.process,
		PID: c.PID, Host: r.config.Host, Version: c.Version, Time: time.Now().UnixMilli(),
		Questions: json.RawMessage("[]"), Permissions: json.RawMessage("[]"), Complete: true,
	}
}

// startOf names a start of the service: by its id, which is new at each; by its process where it has none that a hello can have.
func startOf(r service.Registration) string {
	if r.ID == "" || len(r.ID) > 128 {
		return strconv.Itoa(r.PID)
	}
	return r.ID
}

// open opens the link.
func (s *session) open(ctx context.Context, hub hubClient, hello link.Hello) error {
	opened, err := hub.open(ctx, hello)
	if err != nil {
		return err
	}
	s.link = openLink{hub, opened}
	s.work.Go(s.poll)
	s.work.Go(s.tell)
	s.work.Go(s.watch)
	return nil
}

// watch ends the link when the hermes there does not answer any more, or does not act, and another one may.
func (s *session) watch() {
	if !s.link.hub.all.Several() {
		return
	}
	s.cancel(s.link.hub.all.Watch(s.ctx, s.link.hub.url))
}

// serve returns when the stream has ended, with errStreamEnded, or the link, or ctx.
func (s *session) serve(ctx context.Context) error {
	select {
	case <-s.service.ctx.Done():
		return fmt.Errorf("%w: %w", errStreamEnded, context.Cause(s.service.ctx))
	case <-s.ctx.Done():
		s.service.close(context.Canceled)
		return context.Cause(s.ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end ends both, and waits until nothing runs any more.
func (s *session) end(why error) {
	s.cancel(why)
	s.service.close(why)
	s.work.Wait()
}

// read queues the events of the stream until that ends, and then its end.
func (s *session) read() {
	err := s.service.read(s.stayAlive, s.hear)
	_ = s.events.put(frame{Type: disconnectedEvent}) // one more is always taken
	s.service.close(err)
}

// The events with which the stream itself is told of.
const (
	aliveEvent        = "hermes.alive"
	disconnectedEvent = "hermes.disconnected"
	closedEvent       = "hermes.closed"
)

// stayAlive tells hermes that the stream is alive.
func (s *session) stayAlive() {
	if time.Since(s.told) >= aliveEvery {
		s.told = time.Now()
		_ = s.events.put(frame{Type: aliveEvent})
	}
}

func (s *session) hear(text string) error {
	if skips(text) {
		return nil
	}
	if words, ok := s.words.before(text); ok {
		if err := s.events.put(words); err != nil {
			return err
		}
	}
	f, crosses := crossing(text, s.isFollowed)
	switch {
	case !crosses || len(f.Data) > maxEvent:
		return nil
	case f.Location.Directory != "":
		s.known.add(f.Location.Directory)
	}
	return s.events.put(f)
}

// tell tells hermes what is queued, in order. A batch that fails ends the link: another one begins with a
// listing.
func (s *session) tell() {
	for {
		select {
		case <-s.events.wake:
		case <-s.ctx.Done():
			return
		}
		s.gather()
		for batch := s.events.take(); batch != nil && s.ctx.Err() == nil; batch = s.events.take() {
			if err := s.link.tell(s.ctx, batch); err != nil {
				s.cancel(fmt.Errorf("hermes was not told the events: %w", err))
				return
			}
		}
	}
}

// gather waits for more while there is nothing but display.
func (s *session) gather() {
	enough := time.NewTimer(spokenEvery)
	defer enough.Stop()
	for !s.events.isUrgent() {
		select {
		case <-s.events.wake:
		case <-enough.C:
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// sayGone tells hermes that what waited at the service ended with it, behind all else that happened there.
func (s *session) sayGone() {
	_ = s.events.put(frame{Type: closedEvent}) // one more is always taken
	enough := time.NewTimer(sendTimeout)
	defer enough.Stop()
	select { // hermes ends the link then
	case <-s.ctx.Done():
	case <-enough.C:
	}
}

func (s *session) followedRevision() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision
}

// follow takes another list of sessions of which hermes wants to be told what they write.
func (s *session) follow(news link.FollowList) {
	followed := map[string]bool{}
	for _, id := range news.Sessions[:min(len(news.Sessions), maxFollowed)] {
		followed[id] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision, s.followed = news.Rev, followed
}

func (s *session) isFollowed(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.followed[id]
}
