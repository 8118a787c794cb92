package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/internal/apiclient"
	"hermes/opencode"
	"hermes/opencode/release"
)

// agentInfo is the part of an agent of OpenCode's GET /agent and of opencode agent list that matters here.
type agentInfo struct {
	Name  string    `json:"name"`
	Rules []askRule `json:"permission"` // merged by OpenCode, from its defaults to the agent's own
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

// checkAgents look who may ask: in the directories that OpenCode is used in on this machine, and at every server. OpenCode itself
// says so, as only it knows how it merges its configuration with that of a project and of an agent.
func (d *Doctor) checkAgents(ctx context.Context) []result {
	list := d.checkDirectories(ctx)
	for _, s := range d.servers {
		list = append(list, within(ctx, func(ctx context.Context) result { return checkServerAgents(ctx, s) }))
	}
	return list
}

// checkDirectories asks the OpenCode of this machine, which a terminal session without a server cannot be asked.
func (d *Doctor) checkDirectories(ctx context.Context) (list []result) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	for _, directory := range d.directories() {
		text, err := d.world.agents(ctx, directory)
		switch {
		case errors.Is(err, exec.ErrNotFound):
			return []result{skip("there is no opencode on the PATH to say which agents may ask")}
		case errors.Is(err, errSecond):
			return nil
		case err != nil:
			list = append(list, skip("%s: opencode agent list does not say which agents may ask: %v", directory, err))
			continue
		}
		list = append(list, judgeAgents(directory, parseAgents(text)))
	}
	return list
}

// directories are the working directory and those of this machine's links.
func (d *Doctor) directories() (list []string) {
	if d.world.Here != "" {
		list = append(list, d.world.Here)
	}
	for _, l := range d.status().status.Open {
		if l.Host == apiclient.Hostname() && filepath.IsAbs(l.Directory) {
			list = append(list, filepath.Clean(l.Directory))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// errSecond means that the OpenCode of this machine is an OpenCode 2, which has no such command.
var errSecond = errors.New("it is OpenCode 2")

// listAgents runs opencode agent list in a directory. It is there in 1.1.53 and in 1.18.34, and starts no server. By OPENCODE_PURE
// it loads no plugin: hermes' own would open a link that is lost a moment later. So an agent that a plugin makes is not in the list.
func listAgents(ctx context.Context, directory string) (string, error) {
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "opencode", args...)
		cmd.Dir = directory
		cmd.Env = append(cmd.Environ(), "OPENCODE_PURE=1") // with PWD, by which OpenCode goes
		cmd.WaitDelay = time.Second
		out, err := cmd.Output()
		if ctx.Err() != nil {
			err = errors.New("it takes too long")
		}
		return strings.TrimSpace(string(out)), err
	}
	version, err := run("--version")
	if err != nil {
		return "", err
	}
	if release.IsSecond(version) {
		return "", errSecond
	}
	return run("agent", "list")
}

// agentLine is the line before an agent's rules in opencode agent list.
var agentLine = regexp.MustCompile(`(?m)^(\S.*) \((?:primary|subagent|all)\)$`)

// parseAgents reads opencode agent list. What it cannot read is no agent.
func parseAgents(text string) (agents []agentInfo) {
	found := agentLine.FindAllStringSubmatchIndex(text, -1)
	for n, at := range found {
		end := len(text)
		if n+1 < len(found) {
			end = found[n+1][0]
		}
		a := agentInfo{Name: text[at[2]:at[3]]}
		if json.Unmarshal([]byte(text[at[1]:end]), &a.Rules) == nil {
			agents = append(agents, a)
		}
	}
	return agents
}

// checkServerAgents asks a server for its agents, those of its own directory. OpenCode 2 has no agents
// without a directory that somebody works in.
func checkServerAgents(ctx context.Context, s opencode.Server) result {
	if i, err := s.Identify(ctx); err == nil && i.IsV2() {
		return result{}
	}
	var agents []agentInfo
	if err := s.Client("", "").Endpoint.Get(ctx, "agents", "/agent", nil, &agents); err != nil {
		return skip("%s does not list its agents: %v", s.URL, err)
	}
	return judgeAgents(s.URL, agents)
}

// silent are OpenCode's own agents that are meant not to ask.
var silent = []string{"compaction", "explore", "general", "summary", "title"}

// judgeAgents names the agents that should be able to ask and cannot: build, plan and those that somebody made.
func judgeAgents(where string, agents []agentInfo) result {
	var mute, open []string
	for _, a := range agents {
		switch {
		case mayAsk(a.Rules):
			open = append(open, a.Name)
		case !slices.Contains(silent, a.Name):
			mute = append(mute, a.Name)
		}
	}
	switch {
	case len(mute) > 0:
		return gradeWarn.because(fmt.Sprintf("%s: %s may not ask", where, strings.Join(mute, ", ")),
			`write "permission": { "question": "allow" } into opencode.json, or into these agents alone`)
	case len(open) == 0:
		return skip("%s: OpenCode does not say which agents may ask", where)
	}
	return pass("%s: %s may ask", where, strings.Join(open, ", "))
}
