// Package lab starts real OpenCode binaries for tests: `opencode serve`, or
// the plain terminal program under tmux, each with a home of its own, a
// scripted model instead of a provider, and a project to work in.
//
// The binaries are fetched with npm into .cache/opencode/<version> at the
// repository's root, once. The same folder holds the plugin SDK that OpenCode
// installs into a fresh configuration folder, so that no instance needs the
// network. A missing npm, tmux or git fails the test; nothing is skipped.
//
// Everything that an Instance starts is killed at the end of its test.
package lab

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"hermes/internal/simulate/opencodesim/model"
)

// Mode is the way in which OpenCode is started.
type Mode int

// The modes.
const (
	Serve Mode = iota // opencode serve on a loopback port
	TUI               // plain opencode in a terminal; it listens nowhere
)

func (m Mode) String() string {
	if m == TUI {
		return "tui"
	}
	return "serve"
}

// Options are what a test may want to be different.
type Options struct {
	// Dir is the project. Default: a new, empty git repository.
	Dir string
	// Password is OPENCODE_SERVER_PASSWORD of the process.
	Password string
	// Env is added to the environment, KEY=value.
	Env []string
	// Files are put into the configuration folder, by relative path:
	// "plugin/hermes.js". They are there when OpenCode starts.
	Files map[string]string
	// Config changes the content of opencode.json before it is written.
	Config func(map[string]any)
	// Model answers the agent. Default: a new one.
	Model *model.Model
	// Width and Height are the terminal's size. Default 120 × 40.
	Width, Height int
}

// Instance is one OpenCode with its home. Its methods fail the test; they are
// for the test's goroutine.
type Instance struct {
	Version string
	Mode    Mode
	// URL is the server's root; empty for a TUI.
	URL string
	// Dir is the project, with symbolic links resolved.
	Dir string
	// Home is the process's HOME, ConfigDir its configuration folder.
	Home, ConfigDir string
	Model           *model.Model
	// HTTP sends requests to URL with the password, if there is one.
	HTTP *http.Client

	t    testing.TB
	bin  string
	opts Options
	run  process
}

// process is a running OpenCode.
type process interface {
	kill()
	log() string
}

// Start starts OpenCode and returns when it can be used: a server answers
// requests, a TUI shows its prompt.
func Start(t testing.TB, version string, mode Mode, opts Options) *Instance {
	t.Helper()
	in := &Instance{Version: version, Mode: mode, t: t, opts: opts, Model: opts.Model}
	inst := install(t, version)
	in.bin = inst.bin
	in.prepare(inst)
	t.Cleanup(in.close)
	in.start()
	return in
}

func (in *Instance) prepare(from installation) {
	in.t.Helper()
	in.Home = resolved(in.t, in.t.TempDir())
	in.Dir = in.opts.Dir
	if in.Dir == "" {
		in.Dir = NewProject(in.t)
	}
	in.Dir = resolved(in.t, in.Dir)
	if in.Model == nil {
		in.Model = model.New()
	}
	in.HTTP = &http.Client{Transport: authorised{in.opts.Password, &http.Transport{}}}
	in.writeConfig(from, serveModel(in.t, in.Model))
	if in.Mode == Serve {
		in.URL = "http://" + FreeAddress(in.t)
	}
}

func (in *Instance) start() {
	in.t.Helper()
	if in.Mode == TUI {
		in.startTUI()
		return
	}
	in.startServe()
}

// Kill ends the process at once, as kill -9 does.
func (in *Instance) Kill() { in.run.kill() }

// Restart kills the process if it runs and starts it again with the same home,
// project and, for a server, address.
func (in *Instance) Restart() {
	in.t.Helper()
	in.Kill()
	in.HTTP.CloseIdleConnections()
	in.start()
}

func (in *Instance) close() {
	if in.run == nil {
		return // it did not even start
	}
	if in.t.Failed() {
		in.t.Logf("the end of what OpenCode %s (%s) showed:\n%s", in.Version, in.Mode, in.run.log())
	}
	in.run.kill()
	in.HTTP.CloseIdleConnections()
}

// NewProject makes an empty git repository with one commit. OpenCode takes the
// first commit's hash for the project's identity, so each has another message.
func NewProject(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q"},
		{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m", dir},
	} {
		cmd := exec.Command(tool(t, "git"), args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	return resolved(t, dir)
}

// tool finds a program that the lab cannot do without.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is not installed; the tests with real OpenCode binaries need npm, tmux and git on PATH", name)
	}
	return path
}

func resolved(t testing.TB, dir string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// SpeakTo makes t the test that the methods fail, which is for an Instance that
// several subtests share one after another. The Instance still ends with the
// test that started it.
func (in *Instance) SpeakTo(t testing.TB) { in.t = t }
