//go:build e2e

package e2e_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hermes/e2e/lab"
)

// The agents that cannot use OpenCode's question tool, so that they ask through hermes
// mcp.
const mcpAgent = "builder"

// mcpTool is ask_user of the MCP server that the configuration names hermes.
const mcpTool = "hermes_ask_user"

const mcpAsk = `CALL ` + mcpTool + ` {"title":"shop-api: checkout","context":"Nothing is stored yet.",` +
	`"questions":[{"question_id":"db","question":"Which database?","options":[{"id":"lite","label":"SQLite"},{"id":"pg","label":"PostgreSQL"}]}]}`

// withMCP is an OpenCode that starts hermes mcp, with an agent that has no question
// tool. It gives up requests of MCP after timeout, in milliseconds.
func withMCP(h *hermes, timeout int) func(map[string]any) {
	env := map[string]any{}
	for name, value := range h.env {
		env[name] = value
	}
	return func(config map[string]any) {
		config["permission"] = map[string]any{"question": "deny"}
		config["agent"].(map[string]any)[mcpAgent] = map[string]any{"mode": "primary", "description": "builds", "prompt": "You build."}
		config["mcp"] = map[string]any{"hermes": map[string]any{
			"type": "local", "command": []string{h.bin, "mcp"}, "environment": env, "timeout": timeout,
		}}
	}
}

// TestMCP has OpenCode ask as a client of hermes mcp: the answer, a stopped turn, which
// withdraws, and an ask that nobody answers, for longer than OpenCode waits for a request
// without progress.
func TestMCP(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	h := newHermes(t, p.url)
	h.start(t)
	p.say("/start", 0)
	in := lab.Start(t, newest, lab.Serve, lab.Options{Dir: newProject(t, "shop-api"), Password: password, Config: withMCP(h, 8_000)})
	session := in.NewSession("checkout")

	prompt(in, t, session, mcpAsk)
	card := p.cardWith("Which database?")
	p.reads(card, "shop-api: checkout")
	p.tap(card, "2.")
	awaitResult(t, in, `{"question_id":"db","selected_option_ids":["pg"]}`)
	p.reads(card, "→ PostgreSQL")

	prompt(in, t, session, strings.Replace(mcpAsk, "Which database", "Which queue", 1))
	card = p.cardWith("Which queue?")
	if status, raw := in.Call(http.MethodPost, "/session/"+session+"/abort", nil); status != http.StatusOK {
		t.Fatalf("abort: %d %s", status, raw)
	}
	p.reads(card, "Withdrawn by the program that asked")

	prompt(in, t, session, strings.Replace(mcpAsk, "{", `{"ttl":12,`, 1))
	awaitResult(t, in, "nobody answered in time, so nothing was decided")

	for _, r := range in.Model.Requests() {
		if slices.Contains(r.Tools, mcpTool) && slices.Contains(r.Tools, "question") {
			t.Errorf("the agent was given the question tool: %v", r.Tools)
		}
	}
}

// prompt prompts the agent without the question tool.
func prompt(in *lab.Instance, t *testing.T, session, text string) {
	t.Helper()
	status, raw := in.Call(http.MethodPost, "/session/"+session+"/prompt_async", map[string]any{
		"agent": mcpAgent, "parts": []map[string]string{{"type": "text", "text": text}},
	})
	if status != http.StatusNoContent {
		t.Fatalf("prompt_async: %d %s", status, raw)
	}
}

// awaitResult waits until the model was told a result of the tool of hermes that contains part.
func awaitResult(t *testing.T, in *lab.Instance, part string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := in.Model.AwaitResult(ctx, mcpTool, func(text string) bool { return strings.Contains(text, part) }); err != nil {
		t.Fatalf("no result with %q: %v; results: %q", part, err, in.Model.Results())
	}
}
