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
	"hermes/internal/simulate/testenv"
	"hermes/pending"
)

// outsiders are the programs that commands of documents start and that a test does not: each has a
// stand-in, which succeeds, and the reason. Everything else runs, hermes too.
var outsiders = map[string]string{
	"systemctl": "needs a service manager",
	"loginctl":  "needs a service manager",
	"launchctl": "needs macOS",
	"docker":    "needs a daemon and the network; the files of the image are held by TestImage_HasEverythingThatHermesIsBuiltOf",
	"ssh":       "needs another machine",
	"git":       "needs the network; and a repository is no place for a test to pull",
	"claude":    "is another product",
}

// commandRun is how a line of a document is run where that is not simply to its end with success.
type commandRun struct {
	person func(*manual)       // what a person does meanwhile
	until  string              // it goes on until it is stopped: when its output has this text
	code   int                 // its exit code
	words  func(*manual) []any // pairs: what stands for something in the line, and what that is here
}

// runs are the lines that are not simply run, by how they begin.
var runs = map[string]commandRun{
	"hermes serve":                         {until: "hermes is running"},
	"hermes trace --follow":                {until: "Which database should this feature use?", person: func(m *manual) { m.asks(m.agent, rig.DatabaseQuestion()) }},
	"go run ./cmd/hermes try":              {until: "http://127.0.0.1:"},
	"hermes setup --token-file":            {words: func(m *manual) []any { return []any{"FILE", m.tokenFile(), "123456789", rig.Ada} }},
	"hermes setup":                         {code: exitUsage}, // without a terminal it says which flags are missing; TestSetup plays it in one
	"hermes doctor --round-trip":           {person: func(m *manual) { m.taps("does this reach you?", "1. Yes") }},
	`hermes ask "Deploy to production?"`:   {person: func(m *manual) { m.taps("Deploy to production?", "1.") }},
	`hermes ask "Deploy $VERSION to`:       {person: func(m *manual) { m.taps("Deploy 1.4 to production?", "1.") }},
	`hermes ask "Which regions?"`:          {person: func(m *manual) { m.taps("Which regions?", "☐ 1."); m.taps("Which regions?", "✅ Done") }},
	`hermes ask "What shall the notes`:     {person: func(m *manual) { m.reply(m.shows("What shall the notes say?"), "Nothing new.") }},
	"hermes ask --file questions.json":     {person: func(m *manual) { m.taps("Deploy to Mars?", "1.") }},
	"hermes ask --permission bash":         {person: func(m *manual) { m.taps("kubectl delete pod web", "✅ Allow once") }},
	"hermes answer Kx3 2":                  {words: func(m *manual) []any { return []any{"Kx3", m.openQuestion()} }},
	"hermes answer Kx3 always":             {words: func(m *manual) []any { return []any{"Kx3", m.openPermission()} }, code: exitUsage}, // it asks again on a terminal, and there is none
	"hermes answer Kx3 --reject":           {words: func(m *manual) []any { return []any{"Kx3", m.openPermission()} }},
	"hermes answer Kx3":                    {words: func(m *manual) []any { return []any{"Kx3", m.openQuestion()} }, code: exitUsage}, // likewise
	"hermes pair --role":                   {code: exitFailure},                                                                       // there is no rules file; TestPair_Person plays it with one
	"hermes pair --remove":                 {words: func(m *manual) []any { return []any{"ID", m.openInvitation()} }},
	"hermes unreadable restore":            {code: exitFailure}, // nobody has repaired the record
	"git clone ADDRESS-OF-THIS-REPOSITORY": {words: func(m *manual) []any { return []any{"cd hermes", "cd ."} }},
}

// machines are the state of the machine that a document speaks of, where it is not a running hermes
// beside an OpenCode.
var machines = map[string]func(*manual){
	"README.md":          (*manual).configure,
	"CONTRIBUTING.md":    (*manual).configure,
	"docs/one-person.md": (*manual).configure,
	"docs/backup.md":     func(m *manual) { m.configure(); m.start() },
	"docs/uninstall.md":  (*manual).configure,
	"docs/database.md":   (*manual).damageRecords,
}

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
	if how.until != "" {
		out.await(ctx, how.until)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	}
	_ = cmd.Wait()
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

// await waits for a text, or for the end of ctx.
func (o *output) await(ctx context.Context, text string) {
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.more:
		case <-ctx.Done():
			return
		}
	}
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

func (m *manual) openPermission() string {
	m.t.Helper()
	known := m.waiting()
	dir := m.agent.Directory()
	m.agent.AskBash(dir, m.agent.NewSession(dir, "fix checkout flow"), "rm -rf build")
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

// Every command of every document is run, in the order of the document; what a test cannot start is
// in outsiders. The flags of hermes are looked at in each.
func TestDocuments_CommandsRun(t *testing.T) {
	t.Parallel()
	count, used := 0, map[string]bool{}
	for _, d := range documents(t) {
		var lines []string
		for _, block := range d.blocks {
			switch block.language {
			case "sh":
				lines = append(lines, block.lines...)
			case "", "ini", "json", "toml", "mermaid":
			default:
				t.Errorf("%s has a block of %q; commands stand in blocks of sh", d.name, block.language)
			}
		}
		if len(lines) == 0 {
			continue
		}
		count += len(lines)
		for _, line := range lines {
			used[bestMatch(line)] = true
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			m := newManual(t, d.name)
			for _, line := range lines {
				m.run(line)
			}
		})
	}
	if count < 60 {
		t.Errorf("only %d commands were run", count)
	}
	for begin := range runs {
		if !used[begin] {
			t.Errorf("no document has %q any more", begin)
		}
	}
}
