package demo

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
	"runtime"
	"strings"
	"sync"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

// openBrowser opens the address where there is a screen to do so. When that
// fails, the person has the printed address.
func openBrowser(getenv func(string) string, address string) {
	command := browserCommand(runtime.GOOS, getenv)
	if command == "" {
		return
	}
	cmd := exec.Command(command, address)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// browserCommand is the program that opens addresses, "" where there is none or
// no display.
func browserCommand(system string, getenv func(string) string) string {
	switch {
	case system == "darwin" && getenv("SSH_CONNECTION") == "":
		return "open"
	case system != "darwin" && (getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""):
		return "xdg-open"
	}
	return ""
}

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
	log  *logTail
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
		url: "http://" + l.Addr().String(), log: &logTail{keep: 20},
	}
	settings, err := json.MarshalIndent(model.Config(modelURL, "deny"), "", "  ")
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

// start returns when the server answers.
func (o *openCode) start(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	host, port, _ := net.SplitHostPort(strings.TrimPrefix(o.url, "http://")) // a listener's address
	cmd := exec.Command(o.binary, "serve", "--hostname", host, "--port", port)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = o.dir, model.Environment(o.home), o.log, o.log
	cmd.SysProcAttr, cmd.WaitDelay = ownGroup(), time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("opencode serve does not start: %w", err)
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	o.cmd, o.done = cmd, done
	if err := o.awaitHealth(ctx); err != nil {
		o.waitForExit()
		return fmt.Errorf("%w; it said:\n%s", err, strings.Join(o.log.lastLines(), "\n"))
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
	o.waitForExit()
}

func (o *openCode) waitForExit() {
	if o.cmd == nil {
		return
	}
	select {
	case <-o.done: // its id may belong to another process by now
	default:
		killGroup(o.cmd.Process)
		<-o.done
	}
	o.cmd = nil
}
