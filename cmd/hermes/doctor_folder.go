package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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

// examFolder reads who may ask from OpenCode's configuration folder, as plain TUIs
// have nobody to be asked. A project's own opencode.json may change it again.
func (d *doctor) examFolder(context.Context) diagnosis {
	state, err := plugin.Status(d.opts.plugin)
	if err != nil {
		return skipped("OpenCode's configuration folder cannot be looked at")
	}
	folder := filepath.Dir(filepath.Dir(state.Plugin))
	global := []askRule{{"question", "deny"}} // OpenCode's default
	agents := map[string]agentInfo{}
	for _, name := range []string{"config.json", "opencode.json", "opencode.jsonc"} {
		c, err := readFolder(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return gradeWarn.because(fmt.Sprintf("%s cannot be read: %v", filepath.Join(folder, name), plain(err)), "correct it; OpenCode cannot read it either")
		}
		global = append(global, parseRules(c.Permission)...)
		c.add(agents)
	}
	addMarkdown(folder, agents)
	return judgeAgents(folder, completed(global, agents))
}

// completed puts OpenCode's own agents to the configured ones, and the rules for
// all before their own.
func completed(global []askRule, agents map[string]agentInfo) []agentInfo {
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

func (c folderConfig) add(agents map[string]agentInfo) {
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

// addMarkdown adds the agents that are files. Of their heads, which are YAML, only
// a line for the question tool is read.
func addMarkdown(folder string, agents map[string]agentInfo) {
	line := regexp.MustCompile(`(?m)^\s+"?question"?:\s*"?(allow|ask|deny)"?\s*$`)
	for _, pattern := range []string{"agent/*.md", "agents/*.md"} {
		paths, _ := filepath.Glob(filepath.Join(folder, pattern)) // the patterns are good
		for _, path := range paths {
			text, _, err := readSmall(path)
			head, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---")
			if err != nil {
				continue
			}
			a := agents[strings.TrimSuffix(filepath.Base(path), ".md")]
			a.Name = strings.TrimSuffix(filepath.Base(path), ".md")
			if found := line.FindStringSubmatch(head); found != nil {
				a.Rules = append(a.Rules, askRule{"question", found[1]})
			}
			agents[a.Name] = a
		}
	}
}

func readFolder(path string) (folderConfig, error) {
	var c folderConfig
	text, _, err := readSmall(path)
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
