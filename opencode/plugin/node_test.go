package plugin_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

const (
	token     = "hermes_link_the-token-9876543210abcdefghijklmnopqrstuvw"
	directory = "/work of/élan"
	patience  = 20 * time.Second // for anything that must happen
)

// said is one line of the driver.
type said struct {
	Exports []string
	Asked   *asked
	Hook    string
	MS      float64
	Held    float64 // milliseconds of work that let nothing else in, at most since the last sync
	Most    int     // requests to OpenCode at a time since the last sync
	Threw   bool
	End     bool
}

// asked is a request of the plugin to OpenCode.
type asked struct {
	Method, URL string
	Query       map[string]any
	Headers     map[string]string
	Body        json.RawMessage
}

// agent is a node process with the installed plugin in it.
type agent struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
	lines  chan said

	mu    sync.Mutex
	asked []asked
}

// startAgent installs the plugin for the hermes at url and loads it. env is added to the process'.
func startAgent(t *testing.T, url string, env ...string) *agent {
	t.Helper()
	config := t.TempDir()
	if _, err := plugin.Install(plugin.Options{ConfigDir: config, URLs: []string{url}, Token: token}); err != nil {
		t.Fatal(err)
	}
	return startAgentIn(t, config, env...)
}

func startAgentIn(t *testing.T, config string, env ...string) *agent {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("these tests run the plugin under Node.js, version 20 or later, and there is no node in PATH; install it")
	}
	folder := filepath.Join(config, "plugin")
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"type":"module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t, lines: make(chan said, 10_000)}
	a.cmd = exec.Command(node, "testdata/driver.mjs", filepath.Join(folder, "hermes.js"), directory)
	a.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	a.cmd.Stderr = &a.stderr
	stdout, err := a.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if a.stdin, err = a.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.cmd.Process.Kill() })
	go a.read(stdout)
	if first := a.next(func(said) bool { return true }); len(first.Exports) != 1 || first.Exports[0] != "[object AsyncFunction]" {
		t.Errorf("the file exports %q; OpenCode calls every export, so it must be one async function", first.Exports)
	}
	return a
}

func (a *agent) read(stdout io.Reader) {
	defer close(a.lines)
	for lines := bufio.NewReader(stdout); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var s said
		if json.Unmarshal(line, &s) != nil {
			a.t.Errorf("the plugin printed %q", line)
		}
		if s.Asked != nil {
			a.mu.Lock()
			a.asked = append(a.asked, *s.Asked)
			a.mu.Unlock()
			continue
		}
		a.lines <- s
	}
}

func (a *agent) next(fits func(said) bool) said {
	a.t.Helper()
	for timeout := time.After(patience); ; {
		select {
		case s, ok := <-a.lines:
			if !ok {
				a.t.Fatalf("the node process ended: %s", a.stderr.String())
			}
			if fits(s) {
				return s
			}
		case <-timeout:
			a.t.Fatal("the node process said nothing in time")
		}
	}
}

// do gives the driver a command. One that calls the plugin must return at once and not throw: the agent waits for it.
func (a *agent) do(command ...any) {
	a.t.Helper()
	line, err := json.Marshal(command)
	if err != nil {
		a.t.Fatal(err)
	}
	if _, err := a.stdin.Write(append(line, '\n')); err != nil {
		a.t.Fatal(err)
	}
	switch command[0] {
	case "list", "instance":
		return
	}
	if s := a.next(func(s said) bool { return s.Hook != "" }); s.MS >= 250 || s.Threw {
		a.t.Errorf("%v took %.0f ms (threw: %v), and OpenCode waits for it", command[0], s.MS, s.Threw)
	}
}

func (a *agent) event(kind string, properties map[string]any) {
	a.t.Helper()
	a.do("event", map[string]any{"event": map[string]any{"type": kind, "properties": properties}})
}

// strain is how long the process worked at most without letting other work in since it was asked last, and how many requests to
// OpenCode ran at a time.
func (a *agent) strain() (held time.Duration, most int) {
	a.t.Helper()
	if _, err := a.stdin.Write([]byte("[\"sync\"]\n")); err != nil {
		a.t.Fatal(err)
	}
	s := a.next(func(s said) bool { return s.Hook == "sync" })
	return time.Duration(s.Held) * time.Millisecond, s.Most
}

// requests is what the plugin has asked of OpenCode up to now.
func (a *agent) requests() []asked {
	a.t.Helper()
	a.do("sync")
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]asked(nil), a.asked...)
}

// exits wants the process to end by itself, with nothing printed.
func (a *agent) exits() {
	a.t.Helper()
	a.stdin.Close()
	start := time.Now()
	a.next(func(s said) bool { return s.End })
	done := make(chan error, 1)
	go func() { done <- a.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil || a.stderr.Len() > 0 {
			a.t.Errorf("node ended with %v and printed %q", err, a.stderr.String())
		}
	case <-time.After(patience):
		a.t.Error("the plugin keeps the node process alive")
	}
	if took := time.Since(start); took > 9*time.Second {
		a.t.Errorf("the process took %v to end", took)
	}
}

// hermes is a hub behind a real server, and what it was told.
type hermes struct {
	*httptest.Server

	hub    *link.Hub
	opened chan *link.Link
	events chan string
	closed chan link.Reason
}

func newHermes() *hermes { return hermesThat(false) }

// hermesThat lets people drive OpenCode's sessions, or does not.
func hermesThat(drives bool) *hermes {
	h := &hermes{
		opened: make(chan *link.Link, 100),
		events: make(chan string, 10_000),
		closed: make(chan link.Reason, 100),
	}
	h.hub = link.New(link.Config{
		Opened: func(l *link.Link) { h.opened <- l },
		Event:  func(_ *link.Link, event json.RawMessage) { h.events <- string(event) },
		Closed: func(l *link.Link) { h.closed <- l.Reason() },
		Remote: drives,
	})
	return h
}

func startHermes(t *testing.T) *hermes {
	t.Helper()
	return serve(t, newHermes())
}

func serve(t *testing.T, h *hermes) *hermes {
	t.Helper()
	h.Server = httptest.NewServer(link.Access{API: token}.GuardLinks(h.hub))
	t.Cleanup(h.Server.Close)
	t.Cleanup(h.hub.Close)
	return h
}

func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("no %T came in time", *new(T))
		panic("unreachable")
	}
}

func roundTrip(t *testing.T, l *link.Link, method, path string, body io.Reader) (int, string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://opencode"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Transport: l.RoundTripper(), Timeout: patience}).Do(request)
	if err != nil {
		return 0, "", err
	}
	got, err := io.ReadAll(response.Body)
	return response.StatusCode, string(got), err
}

// listed is what the plugin answers when hermes lists what waits.
func listed(t *testing.T, l *link.Link, path string) string {
	t.Helper()
	_, got, err := roundTrip(t, l, "GET", path, nil)
	if err != nil {
		t.Error(err)
	}
	return got
}
