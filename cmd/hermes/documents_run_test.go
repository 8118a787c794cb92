package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/pending"
)

// outsiders are the programs that commands of these documents start and that a test does not: each has a stand-in, which succeeds. Everything
// else runs, hermes too.
var outsiders = []string{"systemctl", "loginctl", "docker", "git"}

// commandRun is how a line of a document is run where that is not simply to its end with success.
type commandRun struct {
	until string   // it goes on until it is stopped: when its output has this text
	code  int      // its exit code
	words []string // pairs: what stands for something in the line, and what that is here
}

// rows are the lines that are not simply run, by how they begin.
func (m *manual) rows() map[string]commandRun {
	return map[string]commandRun{
		"hermes serve":                         {until: "hermes is running"},
		"go run ./cmd/hermes try":              {until: "http://127.0.0.1:"},
		"hermes setup --token-file":            {words: []string{"FILE", m.tokenFile(), "123456789", fmt.Sprint(rig.Ada)}},
		"hermes setup":                         {code: exitUsage}, // without a terminal it says which flags are missing; TestSetup plays it in one
		"git clone ADDRESS-OF-THIS-REPOSITORY": {words: []string{"cd hermes", "cd ."}},
	}
}

// The commands of README.md and docs/start.md run, one after another as they stand.
func TestDocuments_CommandsRun(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"README.md", "docs/start.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, lines := newManual(t), parseDocument(name, readFile(t, name)).commands
			for _, line := range lines {
				m.run(line)
			}
			if len(lines) < 5 {
				t.Errorf("%s has only %d commands", name, len(lines))
			}
		})
	}
}

// manual is the machine of a person who follows a document: hermes is set up and does not run, the checkout is the working directory, and
// hermes and the stand-ins for outsiders are on PATH.
type manual struct {
	*desk
	checkout string
}

func newManual(t *testing.T) *manual {
	d := newDesk(t)
	m := &manual{desk: d, checkout: d.path("checkout")}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(m.checkout, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"deploy", "config.example.env", "Makefile", "cmd", "internal", "e2e"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(m.checkout, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range outsiders {
		m.program(name, `case "$*" in *is-active*) exit 3;; esac`)
	}
	m.program("hermes", fmt.Sprintf("exec %q -test.run='^TestMainAsProcess$' -- \"$@\"", os.Args[0]))
	// The editor fills in what the document asks for.
	m.program("editor", `sed -i "s/^HERMES_TELEGRAM_TOKEN=$/&`+rig.TestToken+`/; s/^HERMES_TELEGRAM_USERS=$/&42/" "$1"`)
	// make builds what is there already; its other targets only have to exist. go run is hermes.
	m.program("make", `grep -q "^$1:" Makefile || exit 1; if [ "$1" = build ]; then cp "$HOME/bin/hermes" hermes; fi`)
	m.program("go", `[ "$1" = run ] && { shift 2; exec "$HOME/bin/hermes" "$@" --no-browser; }`)
	m.env = append(m.env, "EDITOR=editor")
	for _, folder := range []string{".local/bin", ".config/systemd/user"} {
		if err := os.MkdirAll(m.path(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.configure()
	return m
}

// configure is a hermes that is set up and does not run.
func (m *manual) configure() {
	m.write("HERMES_TELEGRAM_TOKEN="+rig.TestToken+"\nHERMES_TELEGRAM_USERS=42\n", ".config", "hermes", "hermes.env")
	m.write("hook-token-of-a-test\n", ".local", "state", "hermes", "hook-token")
	store, err := pending.Open(m.path(".local", "state", "hermes", "hermes.db"), pending.Options{NoSync: true})
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		m.t.Fatal(err)
	}
	if _, err := m.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		m.t.Fatal(err)
	}
}

// run runs a line of the document and holds its end.
func (m *manual) run(line string) {
	m.t.Helper()
	how, words := m.rowFor(line), line
	for i := 0; i < len(how.words); i += 2 {
		words = strings.ReplaceAll(words, how.words[i], how.words[i+1])
	}
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-ec", "trap : INT; exec 2>&1; "+words)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env, cmd.Dir = append(slices.Clip(m.env), "PATH="+m.path(".local", "bin")+":"+m.path("bin")+":/usr/bin:/bin"), m.checkout
	out := &output{more: make(chan struct{}, 1)}
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	if how.until != "" && out.await(ended, how.until) {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	}
	<-ended
	if code := cmd.ProcessState.ExitCode(); code != how.code {
		m.t.Errorf("%s\nended with %d, not with %d:\n%s", words, code, how.code, out.String())
	}
	rig.NoCanary(m.t, line, out.String())
}

// rowFor is the row with the longest beginning of the line.
func (m *manual) rowFor(line string) (found commandRun) {
	longest := 0
	for begin, row := range m.rows() {
		if strings.HasPrefix(line, begin) && len(begin) > longest {
			found, longest = row, len(begin)
		}
	}
	return found
}

func (m *manual) tokenFile() string {
	m.write(rig.TestToken, "token-of-the-bot")
	return m.path("token-of-the-bot")
}

// output is what a command writes, and tells whoever waits for a part of it.
type output struct {
	testenv.LockedBuffer
	more chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.LockedBuffer.Write(p)
	select {
	case o.more <- struct{}{}:
	default:
	}
	return n, err
}

// await waits for a text, and reports whether it came before the end.
func (o *output) await(ended <-chan struct{}, text string) bool {
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.more:
		case <-ended:
			return strings.Contains(o.String(), text)
		}
	}
	return true
}
