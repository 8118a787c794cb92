package opencode

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"hermes/internal/question"
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
