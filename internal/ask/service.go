package ask

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"time"

	"hermes/internal/broadcast"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Service takes the asks of programs and wakes those who wait for an end. Its methods are
// safe for concurrent use.
type Service struct {
	events func(event.Event)    // returns when the event is stored
	ended  *broadcast.Broadcast // rung whenever an ask has ended
}

// New returns a Service that passes its events to the function.
func New(events func(event.Event)) *Service {
	return &Service{events: events, ended: broadcast.New()}
}

// Origin is where an ask about a directory comes from. It is persisted with every ask.
func Origin(directory string) session.Origin {
	return session.Origin{Way: session.AskAPI, Directory: directory}
}

// Owns reports whether the thread is an ask.
func Owns(t question.Thread) bool {
	return slices.ContainsFunc(t.Origins, func(o session.Origin) bool { return o.Way == session.AskAPI })
}

// Submit asks, and returns the ask's id: that of its idempotency key, else a random
// one. It does not say whether the ask was stored, or was there before: who takes the
// events knows.
func (s *Service) Submit(a event.Ask) question.RequestID {
	if a.Request.ID == "" {
		var b [15]byte
		rand.Read(b[:]) // never fails: crypto/rand
		a.Request.ID = question.RequestID("ask_" + base64.RawURLEncoding.EncodeToString(b[:]))
	}
	s.events(event.Event{Kind: event.Asked, Origin: Origin(a.Directory), Asks: []event.Ask{a}})
	return a.Request.ID
}

// Asker is the program behind the asks of one origin, as their agent: an ask waits until
// it is answered or rejected, and nothing else ends one.
type Asker struct {
	service *Service
	origin  session.Origin
}

// Asker returns the Asker of an origin, which an ask was stored with.
func (s *Service) Asker(o session.Origin) Asker { return Asker{s, o} }

// Look reports every ask as open: nobody looks for one that has ended.
func (a Asker) Look(context.Context, question.Request) (event.Finding, error) {
	return event.Finding{Kind: event.FoundOpen}, nil
}

// Ready is Look.
func (a Asker) Ready(ctx context.Context, r question.Request) (event.Finding, error) {
	return a.Look(ctx, r)
}

// Resolve gives the request itself: asks have their ids from the beginning.
func (a Asker) Resolve(_ context.Context, r question.Request) (question.Request, bool, error) {
	return r, true, nil
}

// Reply ends an ask with answers.
func (a Asker) Reply(_ context.Context, r question.Request, answers question.Answers) error {
	a.service.reportEnd(event.Event{Kind: event.Replied, Origin: a.origin, ID: r.ID, Answers: answers})
	return nil
}

// Reject ends an ask without an answer. The note is for the asker of a permission.
func (a Asker) Reject(_ context.Context, r question.Request, note string) error {
	a.service.reportEnd(event.Event{Kind: event.Rejected, Origin: a.origin, ID: r.ID, Note: note})
	return nil
}

// reportEnd passes the end on and, once it is stored, wakes all who wait.
func (s *Service) reportEnd(e event.Event) {
	s.events(e)
	s.ended.Ring()
}

// Wait calls done, and again whenever an ask has ended and when the limit is over, until
// it reports true, the limit is over, ctx ends or the Service is closed.
func (s *Service) Wait(ctx context.Context, limit time.Duration, done func() bool) {
	enough := time.NewTimer(limit)
	defer enough.Stop()
	for looked := false; ; looked = true {
		ended, closed := s.ended.Next() // before the look: an end during it counts
		if looked && closed || done() {
			return
		}
		select {
		case <-ended:
		case <-enough.C:
			done() // what else has changed since, such as that people can see it
			return
		case <-ctx.Done():
			return
		}
	}
}

// Close ends all waits, so that a server can stop.
func (s *Service) Close() { s.ended.Close() }
