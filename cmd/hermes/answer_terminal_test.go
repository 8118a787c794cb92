package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// held compares what a terminal showed with a file, without what is never the same.
func (s *screen) held(name string) {
	s.t.Helper()
	text := regexp.MustCompile(`\d+m\d\ds left`).ReplaceAllString(s.all(), "29m59s left")
	path := filepath.Join("testdata", "answer", name+".txt")
	if *rig.Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || text != string(want) {
		s.t.Errorf("the screen is not %s; -update writes it anew. %v; it shows:\n%s", path, err, text)
	}
}

// oddly has text that would steer a terminal, and pass for hermes' own.
func oddly() opencode.Question {
	return opencode.Question{
		Question: "Which database?\x1b[2J\u202e\nAnswered: none\n", Header: "Data\x07base",
		Options: []opencode.Option{{Label: "SQLite", Description: "file based,\nnothing to run"}, {Label: "Postgres\u2066\u009b"}},
	}
}

func (d *desk) asks(agent *opencode.Simulator, questions ...opencode.Question) (call string) {
	dir := agent.Directory()
	_, call = agent.Ask(dir, agent.NewSession(dir, "fix checkout flow"), questions...)
	return call
}

// opened is the id of the only question that waits.
func (d *desk) opened() string {
	d.t.Helper()
	runs := d.runs
	defer func() { d.runs = runs }()
	d.runs = "pending"
	out, code := d.flags("--json")
	_, id, _ := strings.Cut(out, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	if code != 0 || strings.Count(out, `"state":"open"`) != 1 {
		d.t.Fatalf("hermes pending ended with %d:\n%s", code, out)
	}
	return id
}

func TestAnswer_InATerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	agent := d.serve()
	call := d.asks(agent, oddly())
	d.shows("Which database?")
	d.runs = "answer"
	s := d.screen(d.opened()[:6])
	s.await("or type custom]")
	s.enter("")
	s.await("That is empty.")
	s.await("or type custom]")
	s.enter("2")
	s.await("Answered: ")
	s.ended(0)
	s.held("one")
	if got, ok := agent.Received(call); !ok || len(got) != 1 || got[0][0] != "Postgres\u2066\u009b" {
		t.Errorf("the agent received %q", got)
	}
	d.shows("answered over the API")
}

func TestPending_InATerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	agent := d.serve()
	d.runs = "pending"
	s := d.screen("--watch")
	s.await("Nothing waits for an answer.")
	call := d.asks(agent, oddly())
	s.await("shop-api")
	s.await(`Data\abase: Which database?\x1b[2J\u202e`)
	d.taps("Which database?", "1.")
	s.await("Nothing waits for an answer.")
	s.press("\x03")
	s.ended(0)
	if _, ok := agent.Received(call); !ok {
		t.Error("the agent received nothing")
	}
}
