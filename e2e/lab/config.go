package lab

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"hermes/internal/simulate/opencodesim/model"
)

// Agent is the subagent that every instance knows; it may ask questions.
const Agent = model.Agent

// writeConfig fills the configuration folder: opencode.json, the plugin SDK
// and the test's own files.
func (in *Instance) writeConfig(from installation, modelURL string) {
	in.t.Helper()
	in.ConfigDir = filepath.Join(in.Home, ".config", "opencode")
	config := model.Config(modelURL, "ask")
	if in.opts.Config != nil {
		in.opts.Config(config)
	}
	raw, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		in.t.Fatal(err)
	}
	writeFile(in.t, filepath.Join(in.ConfigDir, "opencode.json"), string(raw))
	in.linkSDK(from)
	for name, content := range in.opts.Files {
		writeFile(in.t, filepath.Join(in.ConfigDir, name), content)
	}
}

// linkSDK makes the configuration folder look as if OpenCode had installed the
// plugin SDK there: 1.1.53 looks at package.json and node_modules, 1.18.33 at
// the lock file, and with a plugin it does not start before that is settled.
func (in *Instance) linkSDK(from installation) {
	in.t.Helper()
	for _, name := range []string{"package.json", "package-lock.json"} {
		raw, err := os.ReadFile(filepath.Join(from.dir, name))
		if err != nil {
			in.t.Fatal(err)
		}
		writeFile(in.t, filepath.Join(in.ConfigDir, name), string(raw))
	}
	const modules = "node_modules"
	if err := os.Symlink(filepath.Join(from.dir, modules), filepath.Join(in.ConfigDir, modules)); err != nil {
		in.t.Fatal(err)
	}
}

// env is the whole environment of the process.
func (in *Instance) env() []string {
	env := model.Environment(in.Home)
	if in.opts.Password != "" {
		env = append(env, "OPENCODE_SERVER_PASSWORD="+in.opts.Password)
	}
	return append(env, in.opts.Env...)
}

// serveModel serves the model on a loopback port until the test ends and
// returns its base URL.
func serveModel(t testing.TB, m *model.Model) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: m}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return "http://" + l.Addr().String() + "/v1"
}

// FreeAddress is a loopback address that was free a moment ago, and that this
// process did not give out before: who starts again on it finds it free. Its port
// is below those that systems give to connections (Linux from 32768, gVisor from
// 16000), so that none of them takes it. OpenCode's own choice would be 4096 first,
// which may be somebody's real server.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		addr := fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(6000))
		if _, given := addresses.LoadOrStore(addr, true); given {
			continue
		}
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}

// addresses are those that FreeAddress gave out.
var addresses sync.Map
