package opencode

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
)

// A redirect is not followed: the password goes nowhere else.
func TestClient_RedirectsAreNotFollowed(t *testing.T) {
	way := &tap{to: roundTrip(func(*http.Request) (*http.Response, error) {
		return respond(http.StatusFound, "text/html", strings.NewReader("")), nil
	})}
	c := NewClient(call.Endpoint{Transport: way, Reads: retryingReads(way), Base: "http://opencode", Username: "ada", Password: canary}, "", 0)
	_, err := versionOf(context.Background(), c)
	wantError(t, err, call.Refused, http.StatusFound)
	wantError(t, c.Reject(context.Background(), question.Request{ID: "que_1"}, ""), call.Refused, http.StatusFound)
	if len(way.seen) != 2 {
		t.Errorf("sent %q", way.seen)
	}
}

// An answer that does not end is not taken in whole.
func TestClient_AnswersAreBounded(t *testing.T) {
	c := NewClient(call.Endpoint{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return respond(http.StatusOK, "application/json", endless{}), nil
	})}, "", 0)
	_, err := versionOf(context.Background(), c)
	wantError(t, err, call.NotOpenCode, http.StatusOK)
}

// endless is a body that does not end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// closing is a body that notes that it was closed.
type closing struct {
	io.Reader
	closed *bool
}

func (c closing) Close() error {
	*c.closed = true
	return nil
}

func TestClient_AnswerThatComesTooLateIsClosed(t *testing.T) {
	closed := false
	ctx, cancel := context.WithCancel(t.Context())
	way := roundTrip(func(*http.Request) (*http.Response, error) {
		cancel() // the caller gives up in the moment in which the answer comes
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
			Body: closing{strings.NewReader(`{"version":"1.1.53"}`), &closed},
		}, nil
	})
	c := NewClient(call.Endpoint{Transport: way, Reads: retryingReads(way), Base: "http://opencode"}, "", 0)
	if _, err := versionOf(ctx, c); !closed {
		t.Errorf("the body was left open (%v)", err)
	}
}

func wantError(t *testing.T, err error, reason call.Reason, status int) {
	t.Helper()
	var e *call.Error
	if !errors.As(err, &e) || e.Reason != reason || e.Status != status {
		t.Errorf("error %v, want %s with status %d", err, reason, status)
	}
}

type failure struct {
	fault  opencodesim.Fault
	reply  call.Reason
	status int
	took   time.Duration
	done   int
	read   call.Reason
}

// failures is what a request that goes wrong is called, and whether what it asked
// for was done. A reply is judged by its status alone, as it is no proof anyway.
var failures = []failure{
	{opencodesim.FailBeforeEffect, call.Unreachable, 0, 0, 0, call.Unreachable},
	{opencodesim.FailAfterEffect, call.Unreachable, 0, 0, 1, call.Unreachable},
	{opencodesim.Hang, call.Unreachable, 0, call.Timeout, 0, call.Unreachable},
	{opencodesim.HangAfterEffect, call.Unreachable, 0, call.Timeout, 1, call.Unreachable},
	{opencodesim.ServerError, call.Broken, 500, 0, 0, call.Broken},
	{opencodesim.HTMLPage, call.NotOpenCode, 200, 0, 0, call.NotOpenCode},
}

func TestClient_ReplyFails(t *testing.T) {
	for _, f := range failures {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			c, r := clientOf(s), ask(t, s, "", colour)
			s.SetFault(func(*http.Request) opencodesim.Fault { return f.fault })
			began := time.Now()
			err := c.Reply(t.Context(), r, question.Answers{{"Red"}})
			wantError(t, err, f.reply, f.status)
			if took := time.Since(began); took != f.took {
				t.Errorf("fault %d took %v, want %v", f.fault, took, f.took)
			}
			synctest.Wait()
			if got := s.Replies(string(r.ID)); got != f.done {
				t.Errorf("fault %d: %d replies took effect, want %d", f.fault, got, f.done)
			}
		})
	}
}

func TestClient_ReadsFail(t *testing.T) {
	for _, f := range append(slices.Clone(failures), failure{fault: opencodesim.Garbage, read: call.NotOpenCode}) {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			c, r := clientOf(s), ask(t, s, "", colour)
			s.SetFault(func(*http.Request) opencodesim.Fault { return f.fault })
			_, version := versionOf(t.Context(), c)
			_, questions := c.Questions(t.Context())
			_, looked := c.Look(t.Context(), r)
			_, _, resolved := c.Resolve(t.Context(), r)
			for _, err := range []error{version, questions, looked, resolved} {
				wantError(t, err, f.read, map[call.Reason]int{call.Broken: 500, call.NotOpenCode: statusOfPage(f.fault)}[f.read])
			}
		})
	}
}

// statusOfPage is 200 for an answer that is no JSON by its own word; what only
// claims to be JSON fails later, where the status says nothing.
func statusOfPage(f opencodesim.Fault) int {
	if f == opencodesim.HTMLPage {
		return http.StatusOK
	}
	return 0
}

// What can be read may be asked for again; what changes something is sent once.
func TestClient_OnlyReadsAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		r, way := ask(t, s, "", colour), &tap{to: s.Transport()}
		c := NewClient(call.Endpoint{Transport: way, Reads: retryingReads(way), Base: "http://opencode", Directory: proj}, "", 0)
		for _, fault := range []opencodesim.Fault{opencodesim.FailBeforeEffect, opencodesim.ServerError, opencodesim.Hang} {
			s.SetFault(func(*http.Request) opencodesim.Fault { return fault })
			way.seen = nil
			if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err == nil || len(way.seen) != 1 {
				t.Errorf("fault %d: replied %d times, %v", fault, len(way.seen), err)
			}
			way.seen = nil
			if _, err := versionOf(t.Context(), c); err == nil || len(way.seen) != 3 {
				t.Errorf("fault %d: asked %d times, %v", fault, len(way.seen), err)
			}
		}
		var asked atomic.Int32
		s.SetFault(func(*http.Request) opencodesim.Fault {
			if asked.Add(1) <= 2 {
				return opencodesim.Hang
			}
			return opencodesim.NoFault
		})
		if version, err := versionOf(t.Context(), c); err != nil || version != opencodesim.VersionNew {
			t.Errorf("after two requests that hung: %q, %v", version, err)
		}
	})
}
