package link_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/opencode/link"
)

func (j *journal) result(t *testing.T, l *link.Link, body string) {
	t.Helper()
	if w := j.do(t.Context(), "POST", "/v1/link/"+l.ID()+"/results", body); w.Code != 204 {
		t.Errorf("the result gave %d %s", w.Code, w.Body)
	}
}

func TestCall_GoesOutAndItsResultComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		done := pendingCall(t.Context(), l, "POST", "/question/que_1/reply?limit=1", `{"answers":[["A"]]}`)
		status, calls := j.poll(t, l, "0")
		if status != 200 || len(calls) != 1 {
			t.Fatalf("the poll gave %d %+v", status, calls)
		}
		got := calls[0]
		if got.ID != "1" || got.Method != "POST" || got.Path != "/question/que_1/reply" || got.Query["limit"] != "1" || string(got.Body) != `{"answers":[["A"]]}` {
			t.Errorf("the call is %+v", got)
		}
		j.result(t, l, `{"id":"1","status":404,"type":"application/json","body":"{\"a\":1}"}`)
		if got := <-done; got.status != 404 || got.body != `{"a":1}` || got.err != nil {
			t.Errorf("got %+v", got)
		}
		j.result(t, l, `{"id":"1","status":200}`) // a second result is dropped
		j.result(t, l, `{"id":"77","status":200}`)
	})
}

func TestCall_AnErrorOfThePlugin(t *testing.T) {
	for _, c := range []struct {
		result string
		sent   bool
	}{
		{`{"id":"1","error":"not allowed","refused":true}`, false},
		{`{"id":"1","error":"OpenCode is busy with other calls","unsent":true}`, false},
		{`{"id":"1","error":"no answer from OpenCode"}`, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			j := newJournal(t, link.Config{})
			l := j.open(t, hello("i", "p", "/d"))
			done := pendingCall(t.Context(), l, "GET", "/question", "")
			j.poll(t, l, "")
			j.result(t, l, c.result)
			var err *link.CallError
			if got := <-done; !errors.As(got.err, &err) || err.Sent != c.sent {
				t.Errorf("%s gave %v", c.result, got.err)
			}
		})
	}
}

func TestCall_ThatWereLostOnTheWayAreGivenAgainInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		for i := range 3 {
			pendingCall(t.Context(), l, "GET", fmt.Sprint("/", i), "")
			synctest.Wait()
		}
		if _, calls := j.poll(t, l, "0"); len(calls) != 3 {
			t.Fatalf("got %+v", calls)
		}
		pendingCall(t.Context(), l, "GET", "/3", "")
		synctest.Wait()
		_, calls := j.poll(t, l, "1")
		if len(calls) != 3 || calls[0].Path != "/1" || calls[1].Path != "/2" || calls[2].Path != "/3" {
			t.Errorf("got %+v", calls)
		}
		if status, calls := j.poll(t, l, "4"); status != 204 {
			t.Errorf("calls that arrived were given again: %+v", calls)
		}
	})
}

func TestCall_ACallerThatGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		wantCallError(t, <-pendingCall(ctx, l, "GET", "/never/sent", ""), false, context.DeadlineExceeded)
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		done := pendingCall(ctx, l, "GET", "/sent", "")
		if _, calls := j.poll(t, l, "0"); len(calls) != 1 || calls[0].Path != "/sent" {
			t.Errorf("got %+v", calls)
		}
		wantCallError(t, <-done, true, context.DeadlineExceeded)
		j.result(t, l, `{"id":"2","status":200}`) // late
	})
}

func TestCall_EndWithTheLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		sent := pendingCall(t.Context(), l, "GET", "/sent", "")
		j.poll(t, l, "0")
		queued := pendingCall(t.Context(), l, "GET", "/queued", "")
		synctest.Wait()
		j.open(t, hello("j", "p", "/d"))
		wantCallError(t, <-sent, true, link.EndedError{Reason: link.Replaced})
		wantCallError(t, <-queued, false, link.EndedError{Reason: link.Replaced})
		wantCallError(t, <-pendingCall(t.Context(), l, "GET", "/late", ""), false, link.EndedError{Reason: link.Replaced})
	})
}

func TestCall_BadCallsAreNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		for _, c := range []struct{ path, body string }{
			{"/question?a=1&a=2", ""},
			{"/question", "no JSON"},
			{"/question", `"` + strings.Repeat("x", 1<<20) + `"`},
		} {
			request, _ := http.NewRequest("POST", "http://opencode"+c.path, strings.NewReader(c.body))
			_, err := l.RoundTripper().RoundTrip(request)
			var callErr *link.CallError
			if !errors.As(err, &callErr) || callErr.Sent {
				t.Errorf("%s with %d bytes gave %v", c.path, len(c.body), err)
			}
		}
	})
}

func TestCall_ALinkTakesOnlySoManyCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		for range 1000 {
			pendingCall(t.Context(), l, "GET", "/question", "")
		}
		synctest.Wait()
		var err *link.CallError
		if got := <-pendingCall(t.Context(), l, "GET", "/question", ""); !errors.As(got.err, &err) || err.Sent {
			t.Errorf("one call more gave %v", got.err)
		}
		if _, calls := j.poll(t, l, "0"); len(calls) != 32 {
			t.Errorf("one poll was given %d calls", len(calls))
		}
	})
}
