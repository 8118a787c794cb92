package opencode2sim_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/simulate/opencode2sim"
)

// client is a client of one simulator.
type client struct {
	*testing.T
	sim *opencode2sim.Simulator
}

// play runs a test in a bubble against each shape.
func play(t *testing.T, o opencode2sim.Options, test func(client)) {
	t.Helper()
	for name, shape := range map[string]opencode2sim.Shape{"preview": opencode2sim.Preview, "release": opencode2sim.Release} {
		t.Run(name, func(t *testing.T) {
			o := o
			o.Shape = shape
			playOne(t, o, test)
		})
	}
}

func playOne(t *testing.T, o opencode2sim.Options, test func(client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := opencode2sim.New(o)
		defer s.Stop()
		test(client{t, s})
	})
}

// do sends a request, with a JSON body if there is one.
func (c client) do(method, path string, body any) (int, string) {
	c.Helper()
	var raw []byte
	if body != nil {
		raw, _ = json.Marshal(body)
	}
	req, err := http.NewRequest(method, "http://opencode"+path, bytes.NewReader(raw))
	if err != nil {
		c.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.SetBasicAuth("opencode", "secret")
	res, err := c.sim.Transport().RoundTrip(req)
	if err != nil {
		c.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		c.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// want sends a request and fails the test unless the status is this one; of the answer
// it gives the value of "data".
func (c client) want(status int, method, path string, body any) any {
	c.Helper()
	got, text := c.do(method, path, body)
	if got != status {
		c.Fatalf("%s %s: status %d, want %d: %s", method, path, got, status, text)
	}
	var out struct {
		Data any `json:"data"`
	}
	_ = json.Unmarshal([]byte(text), &out) // an empty answer has none
	return out.Data
}

// events is an open stream.
type events struct {
	c    client
	body io.ReadCloser
	read *bufio.Reader
}

func (c client) listen() *events {
	c.Helper()
	req, err := http.NewRequest("GET", "http://opencode/api/event", nil)
	if err != nil {
		c.Fatal(err)
	}
	req.SetBasicAuth("opencode", "secret")
	res, err := c.sim.Transport().RoundTrip(req)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { res.Body.Close() })
	return &events{c, res.Body, bufio.NewReader(res.Body)}
}

// frame is one event.
type frame struct {
	Type string
	Data map[string]any
}

// next reads the next event; ok is false when the stream was cut.
func (e *events) next() (f frame, ok bool) {
	e.c.Helper()
	for {
		line, err := e.read.ReadString('\n')
		if err != nil {
			return frame{}, false
		}
		if text, is := strings.CutPrefix(line, "data: "); is {
			if err := json.Unmarshal([]byte(text), &f); err != nil {
				e.c.Fatal(err)
			}
			return f, true
		}
	}
}

// terminal reads the stream until the session's turn ends, and gives how.
func (e *events) terminal(session string) (types []string, how string) {
	e.c.Helper()
	for {
		f, ok := e.next()
		if !ok {
			e.c.Fatalf("the stream was cut; seen: %q", types)
		}
		if f.Data["sessionID"] != session {
			continue
		}
		types = append(types, f.Type)
		if kind, is := strings.CutPrefix(f.Type, "session.execution."); is && kind != "started" {
			return types, kind
		}
	}
}

const (
	dir      = "/home/ada/a"
	question = `CALL question {"questions":[{"question":"Which color?","header":"Color","options":[{"label":"red","description":"warm"}]}]}`
)

func color() opencode2sim.Question {
	return opencode2sim.Question{
		Question: "Which color?", Header: "Color",
		Options: []opencode2sim.Option{{Label: "red", Description: "warm"}, {Label: "blue", Description: "cold"}},
	}
}

func (c client) newSession() string {
	c.Helper()
	made, _ := c.want(200, "POST", "/api/session", map[string]any{"location": map[string]any{"directory": dir}}).(map[string]any)
	id, _ := made["id"].(string)
	return id
}

func (c client) reply(session, form string, answer map[string]any) int {
	c.Helper()
	status, _ := c.do("POST", "/api/session/"+session+"/form/"+form+"/reply", map[string]any{"answer": answer})
	return status
}

// said is the text of the newest message.
func (c client) said(session string) string {
	c.Helper()
	messages, _ := c.want(200, "GET", "/api/session/"+session+"/message?limit=1", nil).([]any)
	last, _ := messages[0].(map[string]any)
	content, _ := last["content"].([]any)
	if len(content) == 0 {
		return ""
	}
	part, _ := content[0].(map[string]any)
	text, _ := part["text"].(string)
	return text
}
