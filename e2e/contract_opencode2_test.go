//go:build e2e

package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"hermes/e2e/lab"
	"hermes/internal/simulate/opencode2sim/contract"
	"hermes/internal/simulate/opencodesim/model"
)

// opencode2 is a real `opencode serve` of 2.x with a scripted model.
type opencode2 struct {
	*testing.T
	bin, home, url string
	cmd            *exec.Cmd
	ended          chan error
}

const opencode2Password = "secret"

// TestContract_Opencode2 holds the contract that package opencode2sim keeps against the
// binary of OpenCode 2.x that HERMES_TEST_OPENCODE2 names.
func TestContract_Opencode2(t *testing.T) {
	bin := os.Getenv("HERMES_TEST_OPENCODE2")
	if bin == "" {
		t.Skip("HERMES_TEST_OPENCODE2 names no binary of OpenCode 2.x: the contract of 2.x is held against the simulator alone")
	}
	oc := &opencode2{T: t, bin: bin, home: t.TempDir(), url: "http://" + lab.FreeAddress(t)}
	oc.configure()
	oc.start()
	t.Cleanup(func() { oc.end(syscall.SIGKILL) })
	contract.Run(t, contract.Target{
		Release: oc.answers("/api/info"), URL: oc.url, Transport: http.DefaultTransport, Password: opencode2Password,
		Dir: lab.NewProject(t), OtherDir: lab.NewProject(t), Agent: model.Agent,
		Restart: func() { oc.end(syscall.SIGTERM); oc.start() },
		Kill:    func() { oc.end(syscall.SIGKILL); oc.start() },
	})
}

// configure writes the configuration of 1.x, which 2.x takes too, and the rules in the
// words of 2.x after it.
func (oc *opencode2) configure() {
	oc.Helper()
	provider := httptest.NewServer(model.New())
	oc.Cleanup(provider.Close)
	config := model.Config(provider.URL+"/v1", "ask")
	config["permissions"] = []map[string]string{
		{"action": "shell", "resource": "*", "effect": "ask"}, {"action": "edit", "resource": "*", "effect": "ask"},
	}
	raw, err := json.Marshal(config)
	if err != nil {
		oc.Fatal(err)
	}
	folder := filepath.Join(oc.home, ".config", "opencode")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		oc.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "opencode.json"), raw, 0o600); err != nil {
		oc.Fatal(err)
	}
}

// start starts the server and waits until it answers.
func (oc *opencode2) start() {
	oc.Helper()
	u, err := url.Parse(oc.url)
	if err != nil {
		oc.Fatal(err)
	}
	oc.cmd = exec.Command(oc.bin, "serve", "--hostname", u.Hostname(), "--port", u.Port())
	oc.cmd.Dir = oc.home
	oc.cmd.Env = append(model.Environment(oc.home), "OPENCODE_PASSWORD="+opencode2Password, "OPENCODE_SERVER_PASSWORD="+opencode2Password)
	oc.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	oc.cmd.Stdout, oc.cmd.Stderr = oc.Output(), oc.Output()
	if err := oc.cmd.Start(); err != nil {
		oc.Fatalf("%s does not start: %v", oc.bin, err)
	}
	oc.ended = make(chan error, 1)
	go func(cmd *exec.Cmd, ended chan<- error) { ended <- cmd.Wait() }(oc.cmd, oc.ended)
	for end := time.Now().Add(2 * time.Minute); !oc.answers("/api/info") && !oc.answers("/api/health"); {
		select {
		case err := <-oc.ended:
			oc.Fatalf("%s ended at once: %v", oc.bin, err)
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(end) {
			oc.Fatalf("%s does not answer", oc.bin)
		}
	}
}

// end sends a signal to the process and all it has started, and waits for it.
func (oc *opencode2) end(signal syscall.Signal) {
	oc.Helper()
	if oc.cmd == nil {
		return
	}
	if err := syscall.Kill(-oc.cmd.Process.Pid, signal); err != nil {
		oc.Errorf("the server cannot be ended: %v", err)
	}
	<-oc.ended
	oc.cmd = nil
}

// answers tells whether a route answers 200 with JSON that names a process.
func (oc *opencode2) answers(path string) bool {
	req, err := http.NewRequest(http.MethodGet, oc.url+path, nil)
	if err != nil {
		return false
	}
	req.SetBasicAuth("opencode", opencode2Password)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var is struct{ PID int }
	return resp.StatusCode == http.StatusOK && json.NewDecoder(resp.Body).Decode(&is) == nil && is.PID != 0
}
