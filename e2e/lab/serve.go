package lab

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// patience is how long anything that OpenCode does may take before the test
// fails. A cold start on a busy machine takes ten seconds.
const patience = 2 * time.Minute

type server struct {
	cmd     *exec.Cmd
	done    chan struct{} // closed when the process has ended
	logPath string
}

func (in *Instance) startServe() {
	in.t.Helper()
	u, err := url.Parse(in.URL)
	if err != nil {
		in.t.Fatal(err)
	}
	cmd := exec.Command(in.bin, "serve", "--hostname", u.Hostname(), "--port", u.Port())
	cmd.Dir, cmd.Env = in.Dir, in.env()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	srv := &server{cmd: cmd, done: make(chan struct{}), logPath: filepath.Join(in.Home, "opencode.log")}
	out, err := os.OpenFile(srv.logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		in.t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		in.t.Fatalf("opencode serve does not start: %v", err)
	}
	in.run = srv
	go func() { cmd.Wait(); close(srv.done) }()
	in.awaitHealth(srv)
}

// awaitHealth asks for /global/health until it is answered. A request that
// arrives in the instant the server begins to listen may never be answered, so
// each gets a short time of its own (measured on 1.18.33).
func (in *Instance) awaitHealth(srv *server) {
	in.t.Helper()
	end := time.Now().Add(patience)
	for time.Now().Before(end) {
		if in.healthy() {
			return
		}
		select {
		case <-srv.done:
			in.t.Fatalf("opencode serve ended at once:\n%s", srv.log())
		case <-time.After(50 * time.Millisecond):
		}
	}
	in.t.Fatalf("opencode serve does not answer /global/health within %v:\n%s", patience, srv.log())
}

func (in *Instance) healthy() bool {
	ctx, cancel := context.WithTimeout(in.t.Context(), 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL+"/global/health", nil)
	if err != nil {
		return false
	}
	resp, err := in.HTTP.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// kill ends the process and all it has started, and waits for it.
func (s *server) kill() {
	select {
	case <-s.done: // its id may belong to another process by now
	default:
		syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.done
	}
}

func (s *server) log() string {
	raw, err := os.ReadFile(s.logPath)
	if err != nil {
		return err.Error()
	}
	return string(raw[max(0, len(raw)-4000):])
}

// authorised adds OpenCode's Basic auth to every request.
type authorised struct {
	password string
	next     *http.Transport
}

func (a authorised) RoundTrip(req *http.Request) (*http.Response, error) {
	if a.password != "" {
		req = req.Clone(req.Context())
		req.SetBasicAuth("opencode", a.password)
	}
	return a.next.RoundTrip(req)
}

func (a authorised) CloseIdleConnections() { a.next.CloseIdleConnections() }
