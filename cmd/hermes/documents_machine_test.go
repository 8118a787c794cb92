package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/pending"
)

// manual is the machine of a person who follows a document: the checkout is the working directory,
// hermes and the stand-ins for outsiders are on PATH.
type manual struct {
	*desk
	checkout string
	agent    *opencode.Simulator
}

func newManual(t *testing.T, document string) *manual {
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
	for name := range outsiders {
		m.program(name, `echo "`+name+` $@" >>"$HOME/systemctl.log"; case "$*" in *is-active*) exit 3;; esac`)
	}
	hermes := fmt.Sprintf("exec %q -test.run='^TestMainAsProcess$' -- \"$@\"", os.Args[0])
	m.program("hermes", hermes)
	// The editor fills in what the document asks for.
	m.program("editor", `case "$1" in *hermes.env) sed -i "s/^HERMES_TELEGRAM_TOKEN=$/&`+rig.TestToken+`/; s/^HERMES_TELEGRAM_USERS=$/&42/" "$1";; *) printf %s "$LINK_TOKEN" >"$1";; esac`)
	// make builds what is there already; its other targets only have to exist.
	m.program("make", `grep -q "^$1:" Makefile || exit 1; if [ "$1" = build ]; then cp "$HOME/bin/hermes" hermes; fi`)
	// go run is hermes; tests of documents do not start tests.
	m.program("go", `[ "$1" != run ] || { shift 2; exec "$HOME/bin/hermes" "$@" --no-browser; }; for last; do :; done; [ "$1" = test ] && [ -d "$last" ]`)
	m.env = append(m.env, "EDITOR=editor", "VERSION=1.4")
	m.write(rig.AskDeployLine(), "checkout", "questions.json")
	m.replaceIn("questions.json", "production", "Mars")
	for _, folder := range []string{".local/bin", ".config/systemd/user", ".claude"} {
		if err := os.MkdirAll(m.path(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if prepare := machines[document]; prepare != nil {
		prepare(m)
	} else {
		m.start()
	}
	return m
}

// start is a hermes that runs, beside an OpenCode.
func (m *manual) start() {
	m.agent = m.serve()
	m.writeConfiguration()
	m.runs = "plugin"
	if out, code := m.flags("install"); code != 0 {
		m.t.Fatalf("hermes plugin install ended with %d:\n%s", code, out)
	}
}

// startTeam is a hermes with the rules of docs/team-afternoon.md, in which Ada has the id of a test.
func (m *manual) startTeam() {
	m.t.Helper()
	text, err := os.ReadFile("../../docs/team-afternoon.md")
	if err != nil {
		m.t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```toml\n")
	rules, _, ok := strings.Cut(block, "```")
	if !ok {
		m.t.Fatal("docs/team-afternoon.md has no rules")
	}
	for id, name := range map[int64]string{234567890: "Bob", 345678901: "Chen"} {
		m.telegram.AddUser(telegram.User{ID: id, FirstName: name})
		if _, err := m.telegram.Say(id, id, "/start"); err != nil {
			m.t.Fatal(err)
		}
	}
	m.telegram.AddChat(telegram.Chat{ID: -1001234567890, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, 234567890, 345678901}})
	m.write(strings.ReplaceAll(rules, "123456789\n", fmt.Sprintln(rig.Ada)), ".config", "hermes", "rules.toml")
	m.rules = m.path(".config", "hermes", "rules.toml")
	m.env = append(m.env, "HERMES_RULES="+m.rules)
	m.start()
}

func (m *manual) writeConfiguration() {
	m.write("HERMES_TELEGRAM_TOKEN="+rig.TestToken+"\nHERMES_TELEGRAM_USERS=42\n", ".config", "hermes", "hermes.env")
}

// configure is a hermes that is set up and does not run.
func (m *manual) configure() {
	m.writeConfiguration()
	m.write("hook-token-of-a-test\n", ".local", "state", "hermes", "hook-token")
	m.makeStore(m.path(".local", "state", "hermes", "hermes.db"))
	if _, err := m.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		m.t.Fatal(err)
	}
}

// makeStore makes a database.
func (m *manual) makeStore(name string) {
	m.t.Helper()
	store, err := pending.Open(name, pending.Options{NoSync: true})
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// damageRecords is a hermes that does not run, and has set three records aside.
func (m *manual) damageRecords() {
	m.configure()
	db := m.path(".local", "state", "hermes", "hermes.db")
	rig.CorruptRecords(m.t, config.Config{DB: db}, rig.UnreadableRecords()[:3]...)
	m.makeStore(db)
}

func (m *manual) replaceIn(name, old, text string) {
	m.write(strings.ReplaceAll(m.read("checkout", name), old, text), "checkout", name)
}

// run runs a line of the document and holds its end.
func (m *manual) run(line string) {
	m.t.Helper()
	how, words := runs[bestMatch(line)], line
	if how.words != nil {
		pairs := how.words(m)
		for i := 0; i < len(pairs); i += 2 {
			words = strings.ReplaceAll(words, fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1]))
		}
	}
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-ec", "trap : INT; exec 2>&1; "+words)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env, cmd.Dir = append(slices.Clip(m.env), "PATH="+m.path(".local", "bin")+":"+m.path("bin")+":/usr/bin:/bin"), m.checkout
	out := newOutput()
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	if how.person != nil {
		how.person(m)
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
	m.keepLinkToken(line, out.String())
}

// output is what a command writes, and tells whoever waits for a part of it.
type output struct {
	testenv.LockedBuffer
	more chan struct{}
}

func newOutput() *output { return &output{more: make(chan struct{}, 1)} }

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

// keepLinkToken gives the editor the token that hermes link add has shown.
func (m *manual) keepLinkToken(line, out string) {
	if strings.HasPrefix(line, "hermes link add") {
		m.env = append(m.env, "LINK_TOKEN="+regexp.MustCompile(`hermes_link_[\w-]+`).FindString(out))
	}
}

func (m *manual) tokenFile() string {
	m.write(rig.TestToken, "token-of-the-bot")
	return m.path("token-of-the-bot")
}

// openQuestion has the agent ask, and is the id of the ask.
func (m *manual) openQuestion() string {
	m.t.Helper()
	known := m.waiting()
	m.asks(m.agent, rig.DatabaseQuestion())
	return m.newest(known)
}

// waiting are the ids of what waits.
func (m *manual) waiting() (ids []string) {
	m.t.Helper()
	m.runs = "pending"
	out, code := m.flags("--json")
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 {
		m.t.Fatalf("hermes pending --json ended with %d, %v:\n%s", code, err, out)
	}
	for _, q := range list {
		ids = append(ids, q.ID)
	}
	return ids
}

// newest waits until more waits than was known, and is the id of that.
func (m *manual) newest(known []string) string {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	var now []string
	if err := m.telegram.Await(ctx, func() bool {
		now = slices.DeleteFunc(m.waiting(), func(id string) bool { return slices.Contains(known, id) })
		return len(now) > 0
	}); err != nil {
		m.t.Fatal(err)
	}
	return now[0]
}

// openInvitation is the id of a link that hermes pair has made.
func (m *manual) openInvitation() string {
	m.t.Helper()
	m.runs = "pair"
	out, code := m.flags("--list")
	id := regexp.MustCompile(`(?m)^open link +(\S+)`).FindStringSubmatch(out)
	if code != 0 || id == nil {
		m.t.Fatalf("hermes pair --list ended with %d:\n%s", code, out)
	}
	return id[1]
}

// bestMatch is the longest beginning of the line that has a row in runs.
func bestMatch(line string) (found string) {
	for begin := range runs {
		if strings.HasPrefix(line, begin) && len(begin) > len(found) {
			found = begin
		}
	}
	return found
}
