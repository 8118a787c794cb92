package opencode

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/wire"
)

const (
	nearURL = "http://127.0.0.1:4096" // on this machine
	farURL  = "http://opencode:4096"
)

// cable is the way to a server: it counts the calls, and cuts or holds up the event stream.
type cable struct {
	to    http.RoundTripper
	calls atomic.Int64 // but for the event stream

	mu   sync.Mutex
	held chan struct{} // what the event stream tells waits until it is closed; nil: nothing waits
	cut  []func()
}

func (c *cable) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/global/event" {
		c.calls.Add(1)
		return c.to.RoundTrip(r)
	}
	ctx, cut := context.WithCancel(r.Context())
	c.mu.Lock()
	c.cut = append(c.cut, cut)
	c.mu.Unlock()
	res, err := c.to.RoundTrip(r.Clone(ctx))
	if err == nil {
		res.Body = cabled{res.Body, c}
	}
	return res, err
}

// cutStream ends the event stream that there is.
func (c *cable) cutStream() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cut := range c.cut {
		cut()
	}
	c.cut = nil
}

// hold holds the event stream up, and gives what lets it go on.
func (c *cable) hold() (release func()) {
	held := make(chan struct{})
	c.mu.Lock()
	c.held = held
	c.mu.Unlock()
	return func() {
		c.mu.Lock()
		c.held = nil
		c.mu.Unlock()
		close(held)
	}
}

type cabled struct {
	io.ReadCloser
	cable *cable
}

func (b cabled) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.cable.mu.Lock()
	held := b.cable.held
	b.cable.mu.Unlock()
	if held != nil {
		<-held
	}
	return n, err
}

// watchOver watches a simulator at a URL, and returns when its stream proves something.
func watchOver(t *testing.T, s *opencodesim.Simulator, url string) (*watched, *cable) {
	t.Helper()
	way := &cable{to: s.Transport()}
	w := watch(t, Config{Servers: []Server{{URL: url, Transport: way}}})
	wait(2 * time.Second)
	return w, way
}

// asked has an agent ask, and gives the ask as it was heard, and the client that reaches it.
func (w *watched) asked(t *testing.T, s *opencodesim.Simulator) (*Client, question.Request) {
	t.Helper()
	w.take()
	s.Ask(proj, s.NewSession(proj, "Paint"), colour)
	wait(0)
	heard := w.take(event.Asked)
	if len(heard) != 1 {
		t.Fatalf("told %+v", heard)
	}
	c, ok := w.Agent(heard[0].Origin)
	if !ok {
		t.Fatal("it cannot be reached")
	}
	return c, heard[0].Asks[0].Request
}

// wantReady looks whether an answer may be sent, and holds that to how many calls it takes.
func wantReady(t *testing.T, way *cable, c *Client, r question.Request, want event.FindingKind, looks bool) {
	t.Helper()
	before := way.calls.Load()
	f, err := c.Ready(t.Context(), r)
	if err != nil || f.Kind != want {
		t.Errorf("found %q %v, want %q", f.Kind, err, want)
	}
	if asked := way.calls.Load() > before; asked != looks {
		t.Errorf("OpenCode was asked: %v, want %v", asked, looks)
	}
}

func TestReady_TheStreamIsTheLook(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w, way := watchOver(t, s, nearURL)
		before := way.calls.Load()
		c, r := w.asked(t, s)
		if r.Agent != "build" {
			t.Errorf("%q asks", r.Agent)
		}
		wantReady(t, way, c, r, event.FoundOpen, false)
		if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		if made := way.calls.Load() - before; made != 1 {
			t.Errorf("a question took %d calls, want the reply alone", made)
		}
		wantReady(t, way, c, r, event.FoundAnswered, true)
	})
}

// Whatever ends a wait is told, though the ask may stay listed.
func TestReady_WhatHasEndedIsLookedAt(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*opencodesim.Simulator, question.Request)
		want event.FindingKind
	}{
		{"stopped", abort, event.FoundStopped},
		{"deleted", remove, event.FoundDeleted},
		{"answered there", answerRed, event.FoundAnswered},
		{"stopped, and the next turn works", func(s *opencodesim.Simulator, r question.Request) {
			abort(s, r)
			s.Ask(proj, string(r.Session), sizes)
		}, event.FoundStopped},
	} {
		t.Run(c.name, func(t *testing.T) {
			bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
				w, way := watchOver(t, s, nearURL)
				client, r := w.asked(t, s)
				c.end(s, r)
				wait(0)
				wantReady(t, way, client, r, c.want, true)
				wait(time.Second)
				wantReady(t, way, client, r, c.want, true)
			})
		})
	}
}

// Nothing is known of an instance that was put away.
func TestReady_TheInstanceIsPutAway(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w, way := watchOver(t, s, nearURL)
		c, r := w.asked(t, s)
		s.Dispose(proj)
		wait(0)
		before := way.calls.Load()
		if f, err := c.Ready(t.Context(), r); err == nil && f.Kind == event.FoundOpen || way.calls.Load() == before {
			t.Errorf("found %q %v without a look", f.Kind, err)
		}
	})
}

// Elsewhere than on this machine, the events may be held up while a call is not.
func TestReady_ElsewhereTheStreamProvesNothing(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w, way := watchOver(t, s, farURL)
		c, r := w.asked(t, s)
		if r.Agent != "build" {
			t.Errorf("%q asks", r.Agent)
		}
		wantReady(t, way, c, r, event.FoundOpen, true)
		wantReady(t, way, c, r, event.FoundOpen, true)
	})
}

// What ended while the stream was cut was not told. What a look finds after that counts
// again, from a second after connecting on.
func TestReady_TheStreamWasCut(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w, way := watchOver(t, s, nearURL)
		_, gone := w.asked(t, s)
		_, r := w.asked(t, s)
		way.cutStream()
		abort(s, gone)
		wait(700 * time.Millisecond) // connected again, and listed once
		c, _ := w.Agent(w.origin(t))
		wantReady(t, way, c, gone, event.FoundStopped, true)
		wantReady(t, way, c, r, event.FoundOpen, true)
		wait(2 * time.Second) // listed once more
		wantReady(t, way, c, gone, event.FoundStopped, true)
		wantReady(t, way, c, r, event.FoundOpen, false)
	})
}

func (w *watched) origin(t *testing.T) session.Origin {
	t.Helper()
	for _, o := range w.Origins() {
		if o.Directory == proj {
			return o
		}
	}
	t.Fatal("proj cannot be reached")
	return session.Origin{}
}

// A session is one, by whatever name its directory is called, and whichever directory its
// events are told of.
func TestReady_SessionsAreFollowedAcrossDirectories(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w, _ := watchOver(t, s, nearURL)
		c, r := w.asked(t, s)
		other, ok := w.Reach(session.Origin{Way: session.Direct, Process: nearURL, Directory: proj + "/link"})
		if !ok {
			t.Fatal("another directory cannot be reached")
		}
		other.told.looking()(r, event.Finding{Kind: event.FoundOpen})
		for _, client := range []*Client{c, other} {
			if !client.told.waits(r) {
				t.Fatal("it does not certainly wait")
			}
		}
		w.servers[0].hearFrame(t.Context(), newSpeech(func(session.ID) bool { return false }), globalEvent{
			Directory: proj + "/else",
			Payload:   wire.Event{Type: "session.deleted", Properties: json.RawMessage(`{"info":{"id":"` + string(r.Session) + `"}}`)},
		})
		for _, client := range []*Client{c, other} {
			if client.told.waits(r) {
				t.Error("it certainly waits in a session that was deleted")
			}
		}
	})
}

// While hermes is busy with an event, those behind it are not known.
func TestReady_EventsWaitToBeHeard(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		var busy atomic.Pointer[chan struct{}]
		way := &cable{to: s.Transport()}
		w := &watched{}
		w.Gateway = NewGateway(Config{
			Servers: []Server{{URL: nearURL, Transport: way}}, Log: slog.New(slog.DiscardHandler),
			Events: func(e event.Event) {
				w.add(e)
				if c := busy.Load(); c != nil && e.Kind == event.Worked {
					<-*c
				}
			},
		})
		go w.Run(t.Context())
		t.Cleanup(w.Close)
		wait(2 * time.Second)
		c, r := w.asked(t, s)
		free := make(chan struct{})
		busy.Store(&free)
		s.Ask(proj, s.NewSession(proj, "Another"), sizes)
		wait(0) // hermes is busy with the other session
		abort(s, r)
		wait(0)
		wantReady(t, way, c, r, event.FoundStopped, true)
		busy.Store(nil)
		close(free)
		wait(0)
		wantReady(t, way, c, r, event.FoundStopped, true)
	})
}

// Where a connection holds the events up all the same, an answer goes to a turn that was
// stopped. That is told behind the stop, and then proves nothing.
func TestReady_AnAnswerToAStoppedTurnProvesNothing(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w, way := watchOver(t, s, nearURL)
		c, r := w.asked(t, s)
		release := way.hold()
		abort(s, r)
		wait(0)
		if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		before := way.calls.Load()
		if _, err := c.Ready(t.Context(), r); err != nil || way.calls.Load() == before {
			t.Errorf("another answer would be sent without a look (%v)", err)
		}
		release()
		wait(0)
		if proofs := w.take(event.Replied); len(proofs) > 0 {
			t.Errorf("nobody got the answer, and told is %+v", proofs)
		}
		if f, err := c.Look(t.Context(), r); err != nil || f.Kind == event.FoundAnswered || f.Kind == event.FoundOpen {
			t.Errorf("found %q %v", f.Kind, err)
		}
	})
}

// The same events may be told twice: a plugin sends a batch again if it does not know that it
// arrived.
func TestReady_AnAnswerToAStoppedTurnProvesNothingHoweverOftenItIsTold(t *testing.T) {
	var told []event.Event
	i := listener(&told)
	for range 2 {
		for _, e := range []wire.Event{
			{Type: "session.status", Properties: json.RawMessage(`{"sessionID":"ses_1","status":{"type":"idle"}}`)},
			{Type: "question.replied", Properties: json.RawMessage(`{"sessionID":"ses_1","requestID":"que_1","answers":[["Red"]]}`)},
		} {
			i.hear(t.Context(), e)
			i.lanes.wait()
		}
	}
	for _, e := range told {
		if e.Kind == event.Replied {
			t.Errorf("nobody got the answer, and told is %+v", e)
		}
	}
}

// An answer of somebody else, for example of another hermes, is told like any other.
func TestReady_AnotherHermesAnswers(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w, way := watchOver(t, s, nearURL)
		c, r := w.asked(t, s)
		if err := clientOf(s).Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		wait(0)
		wantReady(t, way, c, r, event.FoundAnswered, true)
		if proofs := w.take(event.Replied); len(proofs) != 1 {
			t.Errorf("told is %+v", proofs)
		}
	})
}

// Sessions made under /api are looked at: what their events promise is not known.
func TestReady_ThePreviewIsLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{Version: opencodesim.VersionNew})
		w, way := watchOver(t, s, nearURL)
		askV2(t, s, colour)
		wait(0)
		heard := w.take(event.Asked)
		if len(heard) != 1 {
			t.Fatalf("told %+v", heard)
		}
		c, _ := w.Agent(heard[0].Origin)
		for range 2 {
			wantReady(t, way, c, heard[0].Asks[0].Request, event.FoundOpen, true)
		}
	})
}
