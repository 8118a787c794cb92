package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hermes/internal/ask"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// mcp starts hermes mcp as an agent's program does, and connects to it.
func (d *desk) mcp() (*mcpClient, *exec.Cmd) {
	d.t.Helper()
	d.runs = "mcp"
	cmd, m := d.command(), &mcpClient{t: d.t}
	cmd.Stderr = &m.log
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	var err error
	if m.session, err = m.client().Connect(ctx, m.over(&mcp.CommandTransport{Command: cmd}), nil); err != nil {
		d.t.Fatalf("%v\n%s", err, m.log.String())
	}
	d.t.Cleanup(func() {
		m.session.Close()
		rig.NoCanary(d.t, "the log of hermes mcp", m.log.String())
	})
	return m, cmd
}

// The real process: the tool with its schemas, an answer, a cancelled call, and an end
// in the middle, which withdraws.
func TestMCP_Process(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.serve()
	m, cmd := d.mcp()
	list, err := m.session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != ask.Tool || list.Tools[0].Description == "" {
		t.Fatalf("its tools: %v, %v", list, err)
	}
	for _, part := range []string{`"question_id"`, `"allow_text"`, `"ttl"`} {
		if schema := compactJSON(list.Tools[0].InputSchema); !strings.Contains(schema, part) {
			t.Errorf("no %s in %s", part, schema)
		}
	}

	a := m.asks(rig.AskDeploy)
	id := d.shows("Deploy to production?")
	until(a.ended, func() { d.tap(id, "1.") })
	a.answered(`{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["yes"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`)

	a = m.asks(strings.Replace(rig.AskDeploy, "production", "Mars", 1))
	id = d.shows("Deploy to Mars?")
	a.cancel()
	a.end()
	d.dismissed(id)

	m.asks(strings.Replace(rig.AskDeploy, "production", "Venus", 1))
	id = d.shows("Deploy to Venus?")
	if err := m.wire.Close(); err != nil || cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("it ended with %v, %d\n%s", err, cmd.ProcessState.ExitCode(), m.log.String())
	}
	d.dismissed(id)
}

// dismissed waits until a message to Ada says that its question was withdrawn.
func (d *desk) dismissed(id int) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	err := d.telegram.Await(ctx, func() bool {
		return slices.ContainsFunc(d.telegram.Messages(rig.Ada), func(m telegram.Message) bool {
			return m.ID == id && strings.Contains(m.Text, "Withdrawn by the program that asked")
		})
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// Standard output has lines of the protocol and nothing else, whatever goes wrong; an
// address where nothing listens is no reason to end.
func TestMCP_StandardOutput(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.runs = "mcp"
	d.env = append(d.env, "HERMES_DB="+d.path("hermes.db"), "HERMES_LISTEN=127.0.0.1:1", "HERMES_LOG_LEVEL=debug")
	cmd := d.command()
	var errs testenv.LockedBuffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n, call := range []string{
		`"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`,
		`"method":"tools/call","params":{"name":"nothing"}`,
		`"method":"no/method"`,
		`"method":"tools/call","params":{"name":"ask_user","arguments":` + rig.AskDeployLine() + `}`,
	} {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", n, call)
		var message struct {
			Version string `json:"jsonrpc"`
			ID      *int   `json:"id"`
		}
		if !lines.Scan() || json.Unmarshal(lines.Bytes(), &message) != nil || message.Version != "2.0" || message.ID == nil || *message.ID != n {
			t.Fatalf("it printed %q\n%s", lines.Text(), errs.String())
		}
		rig.NoCanary(t, "its output", lines.Text())
	}
	if !strings.Contains(lines.Text(), "no hermes runs at http://127.0.0.1:1") || !strings.Contains(lines.Text(), `"isError":true`) {
		t.Errorf("without a hermes it says %s", lines.Text())
	}
	in.Close()
	if lines.Scan() {
		t.Errorf("in the end it printed %q", lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, errs.String())
	}
	rig.NoCanary(t, "its log", errs.String())
}
