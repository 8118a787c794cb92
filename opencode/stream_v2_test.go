package opencode

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/opencode/call"
)

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
