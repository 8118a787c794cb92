//go:build e2e

package e2e_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hermes/e2e/lab"
)

// botToken has the form that hermes and the simulator ask for; it is nobody's.
const botToken = "123456789:AAe2eCanaryTokenThatIsNobodysAtAll0"

// patience is how long anything may take before the test fails.
const patience = 2 * time.Minute

// built is the program as it is delivered, in a folder of its own.
var built struct {
	once   sync.Once
	folder string
	err    error
}

// hermesProgram is where the program is; the first test that needs it builds it.
func hermesProgram(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "e2e-hermes-"); built.err != nil {
			return
		}
		cmd := exec.Command("make", "-C", "..", "build", "OUT="+filepath.Join(built.folder, "hermes"))
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("hermes does not build: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.folder, "hermes")
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		log.Fatal(serveStandIn(os.Args[2:]))
	}
	code := m.Run()
	os.RemoveAll(built.folder)
	if code == 0 {
		code = tableCode()
	}
	os.Exit(code)
}

// hermes is the real program: one home, one database, and at most one process at
// a time. Settings go on from one start to the next.
type hermes struct {
	bin, home, listen string
	env               map[string]string
	run               *exec.Cmd
	pid               atomic.Int64 // of the last process
	ended             chan error   // gets the process's end
}

func newHermes(t testing.TB, telegram string) *hermes {
	t.Helper()
	home := t.TempDir()
	h := &hermes{bin: hermesProgram(t), home: home, listen: lab.FreeAddress(t), env: map[string]string{
		"HOME": home, "PATH": os.Getenv("PATH"), "TZ": "UTC",
		"HERMES_TELEGRAM_TOKEN": botToken, "HERMES_TELEGRAM_API_URL": telegram, "HERMES_TELEGRAM_USERS": "42",
		"HERMES_DB": filepath.Join(home, "hermes.db"), "HERMES_LOG_LEVEL": "debug",
	}}
	h.env["HERMES_LISTEN"] = h.listen
	t.Cleanup(func() {
		h.kill()
		if t.Failed() {
			t.Logf("what hermes logged:\n%s", h.log())
		}
	})
	return h
}

func (h *hermes) command(args ...string) *exec.Cmd {
	cmd := exec.Command(h.bin, args...)
	for name, value := range h.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// installPlugin runs hermes plugin install for an OpenCode, with further flags.
func (h *hermes) installPlugin(t testing.TB, configDir string, flags ...string) {
	t.Helper()
	args := append([]string{"plugin", "install", "--config-dir", configDir}, flags...)
	out, err := h.command(args...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Restart OpenCode to load it.") {
		t.Fatalf("hermes plugin install: %v\n%s", err, out)
	}
}

// serves tells hermes of the one OpenCode that listens.
func (h *hermes) serves(url string) {
	h.env["HERMES_OPENCODE_URLS"], h.env["HERMES_OPENCODE_PASSWORD"] = url, password
}

// set gives settings, as NAME=value, to the next start.
func (h *hermes) set(settings ...string) {
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		h.env[name] = value
	}
}

// start runs hermes serve with further settings, given as NAME=value, and waits
// until it listens.
func (h *hermes) start(t testing.TB, settings ...string) {
	t.Helper()
	h.set(settings...)
	log, err := os.OpenFile(filepath.Join(h.home, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd, ended := h.command("serve"), make(chan error, 1)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h.run, h.ended = cmd, ended
	h.pid.Store(int64(cmd.Process.Pid))
	go func() { ended <- cmd.Wait(); close(ended) }()
	eventually(t, "hermes is alive", func() bool { return h.get("/healthz") == "ok\n" })
}

// awaitReady waits until hermes itself says that a question would get through.
func (h *hermes) awaitReady(t testing.TB) {
	t.Helper()
	eventually(t, "hermes is ready", func() bool { return h.get("/readyz") == "ready\n" })
}

// get is the body of an answer, or the error's text.
func (h *hermes) get(path string) string {
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequest(http.MethodGet, "http://"+h.listen+path, nil)
	if err != nil {
		return err.Error()
	}
	if token := h.env["HERMES_HOOK_TOKEN"]; token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body) + errorText(err)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// stop ends hermes as systemd does, and holds it to a clean exit.
func (h *hermes) stop(t testing.TB) {
	t.Helper()
	if err := h.run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("hermes had ended before it was told to: %v", err)
	}
	select {
	case err := <-h.ended:
		if err != nil {
			t.Fatalf("hermes exits with %v after SIGTERM", err)
		}
	case <-time.After(patience):
		t.Fatal("hermes does not end after SIGTERM")
	}
}

// kill ends hermes as kill -9 does, if it runs, and waits for its end.
func (h *hermes) kill() {
	if h.run == nil {
		return
	}
	if err := h.run.Process.Kill(); errors.Is(err, os.ErrProcessDone) {
		return
	}
	<-h.ended
}

func (h *hermes) log() string {
	raw, err := os.ReadFile(filepath.Join(h.home, "log"))
	return string(raw) + errorText(err)
}

// eventually asks cond until it holds. It is for what only polling can see.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if cond() {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("%s: %v", what, t.Context().Err())
		case <-time.After(25 * time.Millisecond):
		}
	}
	t.Fatalf("not within %v: %s", patience, what)
}
