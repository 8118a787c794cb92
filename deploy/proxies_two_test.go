//go:build e2e

package deploy_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestProxies_LeadToTheOneThatActs has nginx and Caddy in front of two that answer as hermes do: whatever machines send comes to the one that acts, once, also after they have
// changed roles and when one is gone.
func TestProxies_LeadToTheOneThatActs(t *testing.T) {
	for _, kind := range []twoProxy{nginxForTwo(), caddyForTwo()} {
		t.Run(kind.program, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(kind.program); err != nil {
				t.Fatalf("%s is missing: .ci/run installs it on Debian", kind.program)
			}
			a, b := newActor(t), newActor(t)
			a.acts.Store(true)
			url := kind.start(t, a.address, b.address)
			reaches := func(who *actor) {
				t.Helper()
				await(t, func() bool { return send(t, "GET", url) == who.address })
				for i := range 10 {
					before := a.served.Load() + b.served.Load()
					method := []string{"GET", "POST"}[i%2]
					if got := send(t, method, url); got != who.address {
						t.Errorf("%s came to %q, and %s acts", method, got, who.address)
					}
					if n := a.served.Load() + b.served.Load() - before; n != 1 {
						t.Errorf("%s was served %d times", method, n)
					}
				}
			}
			reaches(a)
			a.acts.Store(false)
			b.acts.Store(true)
			reaches(b)
			b.server.CloseClientConnections()
			b.server.Close()
			a.acts.Store(true)
			reaches(a)
		})
	}
}

// actor answers as a hermes does that acts, or as a standby.
type actor struct {
	server  *httptest.Server
	address string
	acts    atomic.Bool
	served  atomic.Int32 // requests of machines while it acts
}

func newActor(t *testing.T) *actor {
	a := &actor{}
	a.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch {
		case !a.acts.Load():
			w.Header().Set("Retry-After", "1")
			http.Error(w, `{"error":"a standby","standby":true}`, http.StatusServiceUnavailable)
		case r.URL.Path == actsPath:
			w.WriteHeader(http.StatusUnauthorized)
		default:
			a.served.Add(1)
			_, _ = io.WriteString(w, a.address)
		}
	}))
	a.address = a.server.Listener.Addr().String()
	t.Cleanup(a.server.Close)
	return a
}

// send returns what answers.
func send(t *testing.T, method, url string) string {
	t.Helper()
	req, err := http.NewRequest(method, url+"/v1/link/x/events", strings.NewReader("events"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

func await(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); {
		if time.Now().After(end) {
			t.Fatal("nobody who acts is reached within 20 s")
		}
	}
}

// twoProxy is a program with its file in deploy, which a test changes by pairs of old and new, and puts into its own configuration.
type twoProxy struct {
	program, file string
	replace       func(listen string) []string
	own           func(dir, site string) string
	run           func(dir, config string) []string
}

func nginxForTwo() twoProxy {
	return twoProxy{
		"nginx", "nginx-two.conf",
		func(listen string) []string { return []string{"443 ssl", listen} },
		func(dir, site string) string {
			var b strings.Builder
			for line := range strings.Lines(site) {
				if !strings.Contains(line, "ssl_certificate") {
					b.WriteString(line)
				}
			}
			return fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log %[1]s/error.log; events {}
http { access_log off; client_body_temp_path %[1]s/1; proxy_temp_path %[1]s/2; fastcgi_temp_path %[1]s/3; uwsgi_temp_path %[1]s/4; scgi_temp_path %[1]s/5;
%[2]s}`, dir, b.String())
		},
		func(dir, config string) []string { return []string{"-p", dir, "-e", dir + "/error.log", "-c", config} },
	}
}

func caddyForTwo() twoProxy {
	return twoProxy{
		"caddy", "Caddyfile.two",
		func(listen string) []string { return []string{"hermes.example {", "http://" + listen + " {"} },
		func(_, site string) string { return "{\n\tadmin off\n\tauto_https off\n}\n" + site },
		func(_, config string) []string { return []string{"run", "--adapter", "caddyfile", "--config", config} },
	}
}

// start starts the program in front of two addresses, until the test ends.
func (p twoProxy) start(t *testing.T, a, b string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listen := l.Addr().String()
	_ = l.Close()
	raw, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	site := string(raw)
	pairs := append(p.replace(listen), "10.0.0.11:4097", a, "10.0.0.12:4097", b)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(site, pairs[i]) {
			t.Fatalf("%s has no %q", p.file, pairs[i])
		}
		site = strings.ReplaceAll(site, pairs[i], pairs[i+1])
	}
	dir, err := os.MkdirTemp("", "proxy-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config := filepath.Join(dir, "config")
	if err := os.WriteFile(config, []byte(p.own(dir, site)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(p.program, p.run(dir, config)...)
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	return "http://" + listen
}
