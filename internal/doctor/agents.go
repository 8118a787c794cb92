package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"hermes/internal/apiclient"
	"hermes/opencode"
)

// agentInfo is the part of an agent of OpenCode's GET /agent that matters here.
type agentInfo struct {
	Name   string    `json:"name"`
	Native bool      `json:"native"` // OpenCode's own
	Rules  []askRule `json:"permission"`
}

// askRule is a rule of OpenCode's permissions; the last one that fits decides.
type askRule struct {
	Permission string `json:"permission"`
	Action     string `json:"action"`
}

// mayAsk reports whether the rules leave the question tool to an agent.
func mayAsk(rules []askRule) bool {
	for _, r := range slices.Backward(rules) {
		if r.Permission == "question" || r.Permission == "*" {
			return r.Action != "deny"
		}
	}
	return false
}

// agentChecks look who may ask: in the configuration folder, in projects that have
// files of their own, and at every server.
func (o *openCodeChecks) agentChecks() []check {
	const name = "question tool"
	checks := []check{{name, one(o.checkFolder)}, {name, o.checkProjects}}
	for _, s := range o.servers {
		checks = append(checks, check{name, func(ctx context.Context) []result { return checkAgents(ctx, s) }})
	}
	return checks
}

// checkAgents asks a server for its agents, those of its own directory. OpenCode 2 has no agents
// without a directory that somebody works in.
func checkAgents(ctx context.Context, s opencode.Server) []result {
	if i, err := s.Identify(ctx); err == nil && i.IsV2() {
		return nil
	}
	agents, err := agentsOf(ctx, s)
	if err != nil {
		return []result{skip("%s does not list its agents: %v", s.URL, apiclient.Cause(err))}
	}
	return []result{judgeAgents(s.URL, agents)}
}

// maxAgents bounds the list of agents, in bytes.
const maxAgents = 16 << 20

func agentsOf(ctx context.Context, s opencode.Server) ([]agentInfo, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/agent", nil)
	if err != nil {
		return nil, err
	}
	if s.Password != "" {
		req.SetBasicAuth(s.Username, string(s.Password))
	}
	res, err := s.Transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("HTTP %d", res.StatusCode)
	}
	var agents []agentInfo
	err = json.NewDecoder(io.LimitReader(res.Body, maxAgents)).Decode(&agents)
	if err != nil {
		return nil, fmt.Errorf("the answer is not the JSON that was expected")
	}
	return agents, nil
}

// judgeAgents names the agents that should be able to ask and cannot: build, plan
// and those that somebody made. OpenCode's own subagents are meant not to.
func judgeAgents(where string, agents []agentInfo) result {
	var mute, open []string
	for _, a := range agents {
		switch expected := !a.Native || a.Name == "build" || a.Name == "plan"; {
		case mayAsk(a.Rules):
			open = append(open, a.Name)
		case expected:
			mute = append(mute, a.Name)
		}
	}
	if len(mute) > 0 {
		return gradeWarn.because(fmt.Sprintf("%s: %s may not ask", where, strings.Join(mute, ", ")),
			`write "permission": { "question": "allow" } into opencode.json, or into these agents alone`)
	}
	return pass("%s: %s may ask", where, strings.Join(open, ", "))
}
