//go:build e2e

package e2e_test

import (
	"errors"
	"flag"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"hermes/internal/simulate/opencode2sim"
)

// The stand-in for OpenCode 2.x is this test's own binary, run as `opencode serve` is. The
// process has the socket; what outlives it, as OpenCode's database does, is a simulator in
// the test, whose address it reads from a file in its home.
const standInFile = "stand-in"

// standInShapes are the two known shapes of OpenCode 2.x.
var standInShapes = map[string]opencode2sim.Shape{"preview": opencode2sim.Preview, "release": opencode2sim.Release}

// newStandIn is a stand-in of that shape that is not started yet.
func newStandIn(t testing.TB, shape opencode2sim.Shape) *opencode2 {
	t.Helper()
	bin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	oc := newOpencode2(t, bin)
	sim := opencode2sim.New(opencode2sim.Options{
		Shape: shape, Home: oc.home, URL: oc.url, Password: opencode2Password, Shell: runInShell,
	})
	sim.Stop()
	behind := httptest.NewServer(sim)
	t.Cleanup(func() {
		sim.Stop()
		behind.CloseClientConnections()
		behind.Close()
	})
	oc.begins = sim.Start
	oc.ends = func(signal syscall.Signal) {
		if signal == syscall.SIGKILL {
			sim.Kill()
			return
		}
		sim.Stop()
	}
	if err := os.WriteFile(filepath.Join(oc.home, standInFile), []byte(behind.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	return oc
}

// runInShell carries a command out that was granted.
func runInShell(command string) string {
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	return string(out) + errorText(err)
}

// serveStandIn is the process: it takes the command line and the environment of
// `opencode serve`, and returns only with an error.
func serveStandIn(args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	host, port := flags.String("hostname", "127.0.0.1", ""), flags.String("port", "4096", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if os.Getenv("OPENCODE_PASSWORD") == "" {
		return errors.New("the stand-in makes no password of its own: OPENCODE_PASSWORD is empty")
	}
	raw, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), standInFile))
	if err != nil {
		return err
	}
	behind, err := url.Parse(string(raw))
	if err != nil {
		return err
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.FlushInterval = -1 // an event stream
	return http.ListenAndServe(net.JoinHostPort(*host, *port), proxy)
}
