package opencodesim_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencodesim"
)

const proj = "/home/ada/proj"

var colour = opencodesim.Question{
	Question: "Which colour?", Header: "Colour",
	Options: []opencodesim.Option{{Label: "Red", Description: "warm"}, {Label: "Blue", Description: "cold"}},
}

func versions(t *testing.T, test func(t *testing.T, version string)) {
	for _, v := range []string{opencodesim.VersionOld, opencodesim.VersionNew} {
		t.Run(v, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, v) })
		})
	}
}

type client struct {
	t    *testing.T
	http http.Client
}

func dial(t *testing.T, s *opencodesim.Simulator) *client {
	return &client{t, http.Client{Transport: s.Transport()}}
}

func (c *client) do(method, path string, body any) (int, string) {
	c.t.Helper()
	status, text, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return status, text
}

func (c *client) try(method, path string, body any) (int, string, error) {
	var raw io.Reader
	if body != nil {
		b, _ := json.Marshal(body)
		raw = bytes.NewReader(b)
	}
	req, _ := http.NewRequest(method, "http://opencode"+path, raw)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

func in(dir string) string { return "?directory=" + url.QueryEscape(dir) }

func answers(a ...[]string) map[string]any { return map[string]any{"answers": a} }

func TestAnswerReachesAgentOnce(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		c := dial(t, s)
		id, call := s.Ask(proj, "", colour)
		if status, text := c.do("POST", "/question/"+id+"/reply"+in(proj), answers([]string{"Red"})); status != 200 || text != "true" {
			t.Errorf("reply: %d %s", status, text)
		}
		c.do("POST", "/question/"+id+"/reply"+in(proj), answers([]string{"Blue"}))
		if got, ok := s.Received(call); !ok || !reflect.DeepEqual(got, [][]string{{"Red"}}) {
			t.Errorf("received %v %v", got, ok)
		}
		if s.Replies(id) != 1 || s.Attempts(id) != 2 {
			t.Errorf("replies %d, attempts %d; want 1, 2", s.Replies(id), s.Attempts(id))
		}
	})
}

func TestLagSettlesLater(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v, Lag: time.Second})
		id, call := s.Ask(proj, "", colour)
		s.AnswerAtTUI(id, [][]string{{"Red"}})
		if _, ok := s.Output(call); ok {
			t.Error("the call is settled before the lag has passed")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if text, _ := s.Output(call); !strings.Contains(text, `"Which colour?"="Red"`) {
			t.Errorf("output %q", text)
		}
	})
}

func TestEventStream(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		c := dial(t, s)
		resp, err := c.http.Get("http://opencode/global/event")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		if first := next(lines); !strings.Contains(first, "server.connected") {
			t.Fatalf("first frame %s", first)
		}
		start := time.Now()
		if beat := next(lines); !strings.Contains(beat, "server.heartbeat") {
			t.Fatalf("second frame %s", beat)
		}
		want := map[string]time.Duration{opencodesim.VersionOld: 30 * time.Second, opencodesim.VersionNew: 10 * time.Second}[v]
		if got := time.Since(start); got != want {
			t.Errorf("heartbeat after %v, want %v", got, want)
		}
		id, _ := s.Ask(proj, "", colour)
		for frame := next(lines); !strings.Contains(frame, "question.asked"); frame = next(lines) {
		}
		if !s.RejectAtTUI(id) {
			t.Error("nothing to reject")
		}
		for frame := next(lines); !strings.Contains(frame, "session.idle"); frame = next(lines) {
		}
		s.Restart()
		for lines.Scan() {
		}
		if lines.Err() != io.ErrUnexpectedEOF {
			t.Errorf("the stream ended with %v", lines.Err())
		}
	})
}

func next(lines *bufio.Scanner) string {
	for lines.Scan() {
		if lines.Text() != "" {
			return lines.Text()
		}
	}
	return "session.idle question.asked (end of stream)"
}

func TestStreamEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, "GET", "http://opencode/event", nil)
		resp, err := s.Transport().RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		synctest.Wait()
		if n := s.Listeners(); n != 0 {
			t.Errorf("%d streams are open", n)
		}
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) {
			t.Errorf("read: %v", err)
		}
	})
}

func TestStreamGapLosesEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{StreamGap: time.Second})
		resp, err := dial(t, s).http.Get("http://opencode/global/event")
		if err != nil {
			t.Fatal(err)
		}
		lost, _ := s.Ask(proj, "", colour)
		time.Sleep(time.Second)
		seen, _ := s.Ask(proj, "", colour)
		var read bytes.Buffer
		go io.Copy(&read, resp.Body)
		synctest.Wait()
		s.Stop()
		synctest.Wait()
		if text := read.String(); strings.Contains(text, lost) || !strings.Contains(text, seen) {
			t.Errorf("the stream carried\n%s", text)
		}
	})
}

func TestStopRefusesAndForgets(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		c := dial(t, s)
		s.Ask(proj, "", colour)
		s.Stop()
		if _, _, err := c.try("GET", "/question", nil); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("error %v", err)
		}
		s.Start()
		if _, text := c.do("GET", "/question", nil); text != "[]" {
			t.Errorf("after the restart %s is pending", text)
		}
		if _, text := c.do("GET", "/session", nil); !strings.Contains(text, `"ses_`) {
			t.Errorf("the session is lost: %s", text)
		}
	})
}

func TestFaults(t *testing.T) {
	cases := []struct {
		fault   opencodesim.Fault
		applied int
		status  int
		fails   bool
	}{
		{opencodesim.NoFault, 1, 200, false},
		{opencodesim.FailBeforeEffect, 0, 0, true},
		{opencodesim.FailAfterEffect, 1, 0, true},
		{opencodesim.Hang, 0, 0, true},
		{opencodesim.HangAfterEffect, 1, 0, true},
		{opencodesim.ServerError, 0, 500, false},
		{opencodesim.Garbage, 0, 200, false},
		{opencodesim.HTMLPage, 0, 200, false},
	}
	for _, tc := range cases {
		synctest.Test(t, func(t *testing.T) {
			s := opencodesim.New(opencodesim.Options{})
			c := dial(t, s)
			c.http.Timeout = time.Minute
			id, _ := s.Ask(proj, "", colour)
			s.SetFault(func(r *http.Request) opencodesim.Fault {
				if strings.HasSuffix(r.URL.Path, "/reply") {
					return tc.fault
				}
				return opencodesim.NoFault
			})
			status, _, err := c.try("POST", "/question/"+id+"/reply", answers([]string{"Red"}))
			if status != tc.status || (err != nil) != tc.fails || s.Replies(id) != tc.applied {
				t.Errorf("fault %d: status %d, error %v, applied %d", tc.fault, status, err, s.Replies(id))
			}
		})
	}
}

func TestPassword(t *testing.T) {
	s := opencodesim.New(opencodesim.Options{Password: "secret"})
	c := dial(t, s)
	for _, path := range []string{"/global/health", "/question", "/nowhere"} {
		if status, _ := c.do("GET", path, nil); status != 401 {
			t.Errorf("%s without a password: %d", path, status)
		}
	}
	req, _ := http.NewRequest("GET", "http://opencode/global/health", nil)
	req.SetBasicAuth("opencode", "secret")
	resp, err := c.http.Do(req)
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("with the password: %v %v", resp, err)
	}
}

func TestSubagentAnswerEndsInParent(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		parent := s.NewSession(proj, "Paint the house")
		child := s.Task(proj, parent, "asker", "find a colour")
		id, _ := s.Ask(proj, child, colour)
		if !s.Busy(parent) || !s.Busy(child) {
			t.Fatal("parent and child must both be busy")
		}
		s.AnswerAtTUI(id, [][]string{{"Blue"}})
		if s.Busy(parent) || s.Busy(child) {
			t.Error("parent and child must both be idle")
		}
		_, text := dial(t, s).do("GET", "/session/"+parent+"/message", nil)
		if !strings.Contains(text, `\"Which colour?\"=\"Blue\"`) {
			t.Errorf("the answer is not in the parent's messages: %s", text)
		}
	})
}
