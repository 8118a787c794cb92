package model

import (
	"os"
	"path/filepath"
)

// Agent is the subagent that every OpenCode with Config knows; it may ask
// questions.
const Agent = "asker"

// Command is a command that every OpenCode with Config has: it prompts with its
// arguments, and nothing else.
const (
	Command            = "say"
	CommandDescription = "prompts with the arguments"
)

// Config is an opencode.json for which this model is the only one. bash is what
// the permission for commands is: "ask", "deny" or "allow".
func Config(baseURL, bash string) map[string]any {
	return map[string]any{
		"$schema": "https://opencode.ai/config.json", "model": "scripted/scripted", "small_model": "scripted/scripted",
		"autoupdate": false, "share": "disabled",
		"permission": map[string]any{"question": "allow", "bash": bash},
		"agent": map[string]any{Agent: map[string]any{
			"mode": "subagent", "description": "asks questions", "prompt": "You ask.",
			"permission": map[string]any{"question": "allow"},
		}},
		"command": map[string]any{Command: map[string]any{"template": "$ARGUMENTS", "description": CommandDescription}},
		"provider": map[string]any{"scripted": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
			"options": map[string]any{"baseURL": baseURL, "apiKey": "none"},
			"models":  map[string]any{"scripted": modelConfig("Scripted"), "second": modelConfig("Second")},
		}},
	}
}

func modelConfig(name string) map[string]any {
	return map[string]any{"name": name, "tool_call": true, "limit": map[string]any{"context": 200000, "output": 8000}}
}

// Environment is the whole environment of an OpenCode with this home; nothing of
// the caller's reaches it but PATH. A registry that cannot be reached shows at once
// when OpenCode wants to install something that should be there.
func Environment(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8",
		"XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "XDG_DATA_HOME=" + filepath.Join(home, ".local", "share"),
		"XDG_STATE_HOME=" + filepath.Join(home, ".local", "state"), "XDG_CACHE_HOME=" + filepath.Join(home, ".cache"),
		"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "npm_config_registry=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
	}
}
