package opencode

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
)

// piped is a server whose event stream is written by the test.
func piped() (*Client, *io.PipeWriter) {
	r, w := io.Pipe()
	return NewClient(call.Endpoint{Base: "http://opencode", Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
		context.AfterFunc(req.Context(), func() { r.CloseWithError(req.Context().Err()) })
		return respond(http.StatusOK, "text/event-stream", r), nil
	})}, "", 0), w
}

// follow reads a stream to its end and tells the types of its events.
func follow(t *testing.T, c *Client) (types []string, err error) {
	t.Helper()
	err = c.streamEvents(t.Context(), nil, func(g globalEvent) { types = append(types, g.Payload.Type) })
	return types, err
}

func TestStream_SilentStreamEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, w := piped()
		go func() {
			io.WriteString(w, "data: {\"payload\":{\"type\":\"server.connected\"}}\n\n")
			time.Sleep(time.Minute)
			io.WriteString(w, "data: {\"payload\":{\"type\":\"server.heartbeat\"}}\n\n")
		}()
		began := time.Now()
		types, err := follow(t, c)
		wantError(t, err, call.Unreachable, 0)
		if !errors.Is(err, errSilent) || time.Since(began) != time.Minute+silence {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if want := []string{"server.connected", "server.heartbeat"}; !reflect.DeepEqual(types, want) {
			t.Errorf("heard %q", types)
		}
	})
}

// A server that takes the request and never answers is silent too.
func TestStream_ThatNeverBegins(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.SetFault(func(*http.Request) opencodesim.Fault { return opencodesim.Hang })
		began := time.Now()
		_, err := follow(t, clientOf(s))
		wantError(t, err, call.Unreachable, 0)
		if time.Since(began) != silence {
			t.Errorf("gave up after %v", time.Since(began))
		}
	})
}

// The heartbeats of each version are enough.
func TestStream_HeartbeatsKeepAStream(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		began := time.Now()
		err := clientOf(s).streamEvents(ctx, nil, func(globalEvent) {})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Hour {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		synctest.Wait()
		if n := s.Listeners(); n != 0 {
			t.Errorf("%d streams are open", n)
		}
	})
}

// A tool's whole output comes in one line.
func TestStream_LongLines(t *testing.T) {
	long := strings.Repeat("x", 700_000)
	c := NewClient(call.Endpoint{Transport: pages{"/global/event": `data: {"directory":"/d","payload":{"type":"a","properties":{"x":"` + long + `"}}}` + "\n\n"}}, "", 0)
	heard := 0
	err := c.streamEvents(t.Context(), nil, func(g globalEvent) {
		if g.Directory == "/d" && g.Payload.Type == "a" {
			heard = len(g.Payload.Properties)
		}
	})
	wantError(t, err, call.Unreachable, 0)
	if want := len(long) + len(`{"x":""}`); heard != want {
		t.Errorf("heard %d bytes, want %d", heard, want)
	}
}

// What is no event is passed over, and what comes after it is heard.
func TestStream_Frames(t *testing.T) {
	for frame, want := range map[string][]string{
		"data: {\"payload\":{\"type\":\"a\"}}\n\n":                                                 {"a"},
		"data: {\"payload\":\ndata: {\"type\":\"a\"}}\n\n":                                         {"a"},
		"data: {\"payload\":{\"type\":\"a\"}}\r\n\r\ndata: {\"payload\":{\"type\":\"b\"}}\r\n\r\n": {"a", "b"},
		": hello\n\nevent: x\nid: 7\nretry: 5\ndata: {\"payload\":{\"type\":\"a\"}}\n\n":           {"a"},
		"data: {\"payload\":{\"type\":\"sync\",\"syncEvent\":{\"type\":\"a.1\"}}}\n\n":             nil,
		"data: {\"payload\n\ndata: [1]\n\ndata: {\"payload\":{\"type\":\"b\"}}\n\n":                {"b"},
		"<!doctype html><html></html>":                                                             nil,
	} {
		var types []string
		err := readFrames(strings.NewReader(frame), everything, func(g globalEvent) { types = append(types, g.Payload.Type) })
		if err == nil || !reflect.DeepEqual(types, want) {
			t.Errorf("%q: heard %q, %v; want %q", frame, types, err, want)
		}
	}
}

// everything skips nothing.
func everything(string) bool { return false }

// followV2 reads a stream to its end and tells the types and directories of its events.
func followV2(t *testing.T, c *Client) (told []string, err error) {
	t.Helper()
	err = c.streamV2(t.Context(), everything, func(e locatedEvent) {
		told = append(told, strings.TrimSpace(e.Type+" "+e.Location.Directory))
	})
	return told, err
}

// A heartbeat is a comment, which is no event.
func TestStreamV2_CommentsKeepAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, w := piped()
		go func() {
			io.WriteString(w, "data: {\"type\":\"server.connected\",\"data\":{}}\n\n: heartbeat\n\n")
			for range 9 {
				time.Sleep(15 * time.Second)
				io.WriteString(w, ": heartbeat\n\n")
			}
		}()
		began := time.Now()
		told, err := followV2(t, c)
		wantError(t, err, call.Unreachable, 0)
		if want := 9*15*time.Second + silenceV2; !errors.Is(err, errSilent) || time.Since(began) != want {
			t.Errorf("%v after %v, want %v", err, time.Since(began), want)
		}
		if want := []string{"server.connected"}; !reflect.DeepEqual(told, want) {
			t.Errorf("heard %q", told)
		}
		if silenceV2 < 3*15*time.Second {
			t.Error("two late heartbeats end the stream")
		}
	})
}

func TestStreamV2_Frames(t *testing.T) {
	long := strings.Repeat("x", 700_000)
	for frame, want := range map[string][]string{
		`data: {"id":"evt_1","created":1795313236722,"type":"form.created","location":{"directory":"/home/u/a"},"data":{}}` + "\n\n": {"form.created /home/u/a"},
		`data: {"id":"evt_1","type":"session.execution.succeeded","durable":{"seq":4},"data":{"sessionID":"ses_1"}}` + "\n\n":        {"session.execution.succeeded"},
		`data: {"type":"a","data":{"x":"` + long + `"}}` + "\n\ndata: {\"type\":\"b\",\"data\":{}}\n\n":                              {"a", "b"},
		"data: {\"type\":\ndata: \"a\"}\n\n":                                      {"a"},
		"data: {\"type\":7}\n\ndata: {\n\ndata: {}\n\ndata: {\"type\":\"b\"}\n\n": {"b"},
		"data: {\"type\":\"a\",\"location\":null}\n\n":                            {"a"},
		"data: {\"type\":\"a\",\"location\":\"/x\"}\n\n":                          nil,
		"<!doctype html><html></html>":                                            nil,
	} {
		var told []string
		err := readLocated(strings.NewReader(frame), everything, func(e locatedEvent) {
			told = append(told, strings.TrimSpace(e.Type+" "+e.Location.Directory))
		})
		if err == nil || !reflect.DeepEqual(told, want) {
			t.Errorf("%.80q: heard %q, %v; want %q", frame, told, err, want)
		}
	}
}
