package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"hermes/internal/config"
	"hermes/opencode/plugin"
)

// folderConfig is the part of opencode.json that matters here.
type folderConfig struct {
	Permission json.RawMessage `json:"permission"`
	Agents     map[string]struct {
		Disable    bool            `json:"disable"`
		Permission json.RawMessage `json:"permission"`
		Tools      map[string]bool `json:"tools"` // before there were permissions
	} `json:"agent"`
}

// agentFiles is who may ask, by files that are read one after another.
type agentFiles struct {
	global []askRule
	agents map[string]agentInfo
	read   int // files
}

func newAgentFiles() *agentFiles {
	return &agentFiles{global: []askRule{{"question", "deny"}}, agents: map[string]agentInfo{}} // OpenCode's default
}

// checkFolder reads who may ask from OpenCode's configuration folder, as plain TUIs
// have nobody to be asked.
func (o *openCodeChecks) checkFolder(context.Context) result {
	folder, err := o.configFolder()
	if err != nil {
		return skip("OpenCode's configuration folder cannot be looked at")
	}
	a := newAgentFiles()
	if wrong := a.readFolder(folder); wrong.Status != "" {
		return wrong
	}
	return judgeAgents(folder, withDefaultAgents(a.global, a.agents))
}

// configFolder is OpenCode's configuration folder.
func (o *openCodeChecks) configFolder() (string, error) {
	state, err := plugin.Status(o.plugin)
	return filepath.Dir(filepath.Dir(state.Plugin)), err
}

// readFolder reads all that a configuration folder has.
func (a *agentFiles) readFolder(folder string) result {
	wrong := a.readFiles(folder, "config.json", "opencode.json", "opencode.jsonc")
	if wrong.Status == "" {
		a.readMarkdown(folder)
	}
	return wrong
}

// readFiles reads those of the files that are there, and says what is wrong with one.
func (a *agentFiles) readFiles(folder string, names ...string) result {
	for _, name := range names {
		path := filepath.Join(folder, name)
		c, err := readConfig(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		if err != nil {
			return gradeWarn.because(fmt.Sprintf("%s cannot be read: %v", path, config.WithoutPath(err)), "correct it; OpenCode cannot read it either")
		}
		a.read++
		a.global = append(a.global, parseRules(c.Permission)...)
		c.addAgents(a.agents)
	}
	return result{}
}

// withDefaultAgents puts OpenCode's own agents to the configured ones, and the rules for
// all before their own.
func withDefaultAgents(global []askRule, agents map[string]agentInfo) []agentInfo {
	var list []agentInfo
	for _, name := range []string{"build", "plan"} {
		a := agents[name]
		a.Name, a.Native = name, true
		a.Rules = slices.Concat(global[:1], []askRule{{"question", "allow"}}, global[1:], a.Rules)
		delete(agents, name)
		list = append(list, a)
	}
	for _, name := range slices.Sorted(maps.Keys(agents)) {
		a := agents[name]
		a.Rules = slices.Concat(global, a.Rules)
		list = append(list, a)
	}
	return list
}

func (c folderConfig) addAgents(agents map[string]agentInfo) {
	for name, a := range c.Agents {
		if a.Disable {
			continue
		}
		rules := agents[name].Rules
		if on, ok := a.Tools["question"]; ok {
			rules = append(rules, askRule{"question", map[bool]string{true: "allow", false: "deny"}[on]})
		}
		agents[name] = agentInfo{
			Name: name, Native: name == "general" || name == "explore",
			Rules: append(rules, parseRules(a.Permission)...),
		}
	}
}

// readMarkdown adds the agents that are files, also in subfolders, which are part of
// their names. Of their heads, which are YAML, only a line for the question tool is
// read.
func (a *agentFiles) readMarkdown(folder string) {
	line := regexp.MustCompile(`(?m)^\s+"?question"?:\s*"?(allow|ask|deny)"?\s*$`)
	for _, sub := range []string{"agent", "agents"} {
		root := filepath.Join(folder, sub)
		_ = fs.WalkDir(os.DirFS(root), ".", func(path string, _ fs.DirEntry, err error) error {
			name, ok := strings.CutSuffix(path, ".md")
			if err != nil || !ok {
				return nil // what cannot be read is no agent
			}
			text, _, err := config.ReadSmall(filepath.Join(root, path))
			if err != nil {
				return nil
			}
			a.read++
			head, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---")
			agent := a.agents[name]
			agent.Name = name
			if found := line.FindStringSubmatch(head); found != nil {
				agent.Rules = append(agent.Rules, askRule{"question", found[1]})
			}
			a.agents[name] = agent
			return nil
		})
	}
}

func readConfig(path string) (folderConfig, error) {
	var c folderConfig
	text, _, err := config.ReadSmall(path)
	if err != nil {
		return c, err
	}
	if json.Unmarshal(withoutComments([]byte(text)), &c) != nil {
		return c, errors.New("it is not JSON of the expected form")
	}
	return c, nil
}

// parseRules reads a permission: one word for everything, or an object, in whose
// order the last one that fits decides.
func parseRules(raw json.RawMessage) []askRule {
	var all string
	if json.Unmarshal(raw, &all) == nil {
		return []askRule{{"*", all}}
	}
	var rules []askRule
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, _ = decoder.Token() // the brace; without one there is nothing more
	for decoder.More() {
		key, _ := decoder.Token()
		var value any
		if decoder.Decode(&value) != nil {
			return rules
		}
		if action, ok := value.(string); ok {
			rules = append(rules, askRule{fmt.Sprint(key), action})
		}
	}
	return rules
}

// withoutComments makes JSON of what OpenCode takes: comments and commas before a
// closing bracket go.
func withoutComments(text []byte) []byte {
	token := regexp.MustCompile(`"(?:\\.|[^"\\])*"|//[^\n]*|/\*(?s:.*?)\*/`)
	text = token.ReplaceAllFunc(text, func(t []byte) []byte {
		if t[0] == '"' {
			return t
		}
		return nil
	})
	comma := regexp.MustCompile(`"(?:\\.|[^"\\])*"|,\s*[}\]]`)
	return comma.ReplaceAllFunc(text, func(t []byte) []byte {
		if t[0] == '"' {
			return t
		}
		return t[1:]
	})
}
