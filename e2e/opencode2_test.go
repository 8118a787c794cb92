//go:build e2e

package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
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
	"hermes/internal/simulate/opencodesim/model"
)

// opencode2 is an `opencode serve` of 2.x: a real one with a scripted model, or the
// stand-in. Its methods fail the test.
type opencode2 struct {
	testing.TB
	bin, home, url string
	out            io.Writer // what the process prints, whichever scene started it
	cmd            *exec.Cmd
	ended          chan error
	begins         func()               // what the start of the process means for the stand-in; else nil
	ends           func(syscall.Signal) // the same for its end
}

const opencode2Password = "secret"

// newOpencode2 is a server that is configured and not started yet.
func newOpencode2(t testing.TB, bin string) *opencode2 {
	t.Helper()
	oc := &opencode2{TB: t, bin: bin, home: t.TempDir(), url: "http://" + lab.FreeAddress(t), out: t.Output()}
	oc.configure()
	t.Cleanup(func() { oc.end(syscall.SIGKILL) })
	return oc
}

// release tells the names of a release from those of the preview.
func (oc *opencode2) release() bool { return oc.answers("/api/info") }

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
	if oc.begins != nil {
		oc.begins()
	}
	u, err := url.Parse(oc.url)
	if err != nil {
		oc.Fatal(err)
	}
	oc.cmd = exec.Command(oc.bin, "serve", "--hostname", u.Hostname(), "--port", u.Port())
	oc.cmd.Dir = oc.home
	oc.cmd.Env = append(model.Environment(oc.home), "OPENCODE_PASSWORD="+opencode2Password, "OPENCODE_SERVER_PASSWORD="+opencode2Password)
	oc.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	oc.cmd.Stdout, oc.cmd.Stderr = oc.out, oc.out
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
	if oc.ends != nil {
		oc.ends(signal)
	}
}

// answers tells whether a route answers 200 with JSON that names a process. The first request of all may never be answered.
func (oc *opencode2) answers(path string) bool {
	req, err := http.NewRequest(http.MethodGet, oc.url+path, nil)
	if err != nil {
		return false
	}
	req.SetBasicAuth("opencode", opencode2Password)
	client := http.Client{Timeout: 2 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var is struct{ PID int }
	return resp.StatusCode == http.StatusOK && json.NewDecoder(resp.Body).Decode(&is) == nil && is.PID != 0
}

// call sends a request and reads the "data" of its answer, which must be a success.
func (oc *opencode2) call(method, path string, body, data any) {
	oc.Helper()
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			oc.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(oc.Context(), method, oc.url+path, &sent)
	if err != nil {
		oc.Fatal(err)
	}
	req.SetBasicAuth("opencode", opencode2Password)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		oc.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		oc.Fatalf("%s %s: %s", method, path, resp.Status)
	}
	if data == nil {
		return
	}
	if err := json.NewDecoder(resp.Body).Decode(&struct {
		Data any `json:"data"`
	}{data}); err != nil {
		oc.Fatalf("%s %s: %v", method, path, err)
	}
}
