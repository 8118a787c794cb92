package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// demoAgent is the subagent that the demo's OpenCode knows.
const demoAgent = "asker"

// openCodeWithin is how long OpenCode may take to answer. A first start makes its
// database.
const openCodeWithin = 60 * time.Second

// openCode is the process of `opencode serve`. Its methods may be called
// concurrently.
type openCode struct {
	binary, home, dir, url string

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{}
	log  *tail
}

// newOpenCode writes a home and a project for OpenCode under the folder. Nothing
// of the person's own configuration, sessions and keys is in it.
func newOpenCode(binary, folder, modelURL string) (*openCode, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("OpenCode has no port to listen on: %w", err)
	}
	defer l.Close() // OpenCode takes it in a moment; its own choice could be somebody's real server
	o := &openCode{
		binary: binary, home: filepath.Join(folder, "home"), dir: filepath.Join(folder, "shop-api"),
		url: "http://" + l.Addr().String(), log: &tail{keep: 20},
	}
	settings, err := json.MarshalIndent(demoConfig(modelURL), "", "  ")
	if err != nil {
		return nil, err
	}
	configDir := filepath.Join(o.home, ".config", "opencode")
	if err = errors.Join(os.MkdirAll(configDir, 0o700), os.MkdirAll(o.dir, 0o700)); err == nil {
		err = os.WriteFile(filepath.Join(configDir, "opencode.json"), settings, 0o600)
	}
	if err == nil {
		o.dir, err = filepath.EvalSymlinks(o.dir) // OpenCode names it so
	}
	if err != nil {
		return nil, fmt.Errorf("the home of the demo's OpenCode cannot be written: %w", err)
	}
	return o, nil
}

// demoConfig is opencode.json: the scripted model and nothing else.
func demoConfig(modelURL string) map[string]any {
	return map[string]any{
		"$schema": "https://opencode.ai/config.json", "model": "scripted/scripted", "small_model": "scripted/scripted",
		"autoupdate": false, "share": "disabled",
		"permission": map[string]any{"question": "allow", "bash": "deny"},
		"agent": map[string]any{demoAgent: map[string]any{
			"mode": "subagent", "description": "asks questions", "prompt": "You ask.",
			"permission": map[string]any{"question": "allow"},
		}},
		"provider": map[string]any{"scripted": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
			"options": map[string]any{"baseURL": modelURL, "apiKey": "none"},
			"models": map[string]any{"scripted": map[string]any{
				"name": "Scripted", "tool_call": true, "limit": map[string]any{"context": 200000, "output": 8000},
			}},
		}},
	}
}

// environment is the whole environment of the process.
func (o *openCode) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + o.home, "TERM=xterm-256color", "LANG=C.UTF-8",
		"XDG_CONFIG_HOME=" + filepath.Join(o.home, ".config"), "XDG_DATA_HOME=" + filepath.Join(o.home, ".local", "share"),
		"XDG_STATE_HOME=" + filepath.Join(o.home, ".local", "state"), "XDG_CACHE_HOME=" + filepath.Join(o.home, ".cache"),
		"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "npm_config_registry=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
	}
}

// start returns when the server answers.
func (o *openCode) start(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	host, port, _ := net.SplitHostPort(strings.TrimPrefix(o.url, "http://")) // a listener's address
	cmd := exec.Command(o.binary, "serve", "--hostname", host, "--port", port)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = o.dir, o.environment(), o.log, o.log
	// A group of its own: what is on PATH may be a script that starts the program,
	// and Ctrl-C is hermes' to pass on.
	cmd.SysProcAttr, cmd.WaitDelay = &syscall.SysProcAttr{Setpgid: true}, time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("opencode serve does not start: %w", err)
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	o.cmd, o.done = cmd, done
	if err := o.awaitHealth(ctx); err != nil {
		o.end()
		return fmt.Errorf("%w; it said:\n%s", err, strings.Join(o.log.last(), "\n"))
	}
	return nil
}

// awaitHealth asks until it is answered. A request that arrives in the instant
// the server begins to listen may never be answered (measured on 1.18.33), so
// each gets a short time of its own.
func (o *openCode) awaitHealth(ctx context.Context) error {
	late := time.After(openCodeWithin)
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		if res, err := client.Get(o.url + "/global/health"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-o.done:
			return errors.New("opencode serve ended at once")
		case <-late:
			return fmt.Errorf("opencode serve does not answer within %v", openCodeWithin)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// kill ends the process and all that it has started, and waits for it.
func (o *openCode) kill() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.end()
}

func (o *openCode) end() {
	if o.cmd == nil {
		return
	}
	select {
	case <-o.done: // its id may belong to another process by now
	default:
		_ = syscall.Kill(-o.cmd.Process.Pid, syscall.SIGKILL)
		<-o.done
	}
	o.cmd = nil
}
