package main

import (
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
)

// outsiders are the programs that commands of documents start and that a test does not: each has a
// stand-in, which succeeds, and the reason. Everything else runs, hermes too.
var outsiders = map[string]string{
	"systemctl": "needs a service manager",
	"loginctl":  "needs a service manager",
	"docker":    "needs a daemon and the network; the files of the image are held by TestImage_HasEverythingThatHermesIsBuiltOf",
	"kubectl":   "needs a cluster",
	"cosign":    "needs a release and the network",
	"ssh":       "needs another machine",
	"git":       "needs the network; and a repository is no place for a test to pull",
	"claude":    "is another product",
	"man":       "is not on every machine",
	"psql":      "needs a PostgreSQL",
	"apt-get":   "installs a package; TestPackages_FromInstallToPurge does",
	"sudo":      "needs another user; TestPackages_FromInstallToPurge sets hermes up as one",
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
	"hermes answer Kx3 --reject":           {words: func(m *manual) []any { return []any{"Kx3", m.openQuestion()} }},
	"hermes answer Kx3":                    {words: func(m *manual) []any { return []any{"Kx3", m.openQuestion()} }, code: exitUsage}, // likewise
	"hermes link add laptop-8":             {words: func(*manual) []any { return []any{"123456789", rig.Ada} }},
	"hermes link owner":                    {words: func(*manual) []any { return []any{"123456789", rig.Ada} }},
	"hermes link run":                      {until: "hermes links OpenCode 2"},
	"hermes pair --role":                   {code: exitFailure}, // there is no rules file; TestPair_Conversations plays it with one
	"hermes pair --remove":                 {words: func(m *manual) []any { return []any{"ID", m.openInvitation()} }},
	"hermes restore":                       {code: exitFailure},                                                                     // systemctl does not stop the hermes here; TestBackup_WithoutHermes plays it
	"HERMES_HOOK_TOKEN_FILE=hook-token":    {words: func(*manual) []any { return []any{"HERMES_HOOK_TOKEN_FILE=hook-token ", ""} }}, // the token is in the environment here
	"hermes unreadable restore":            {code: exitFailure},                                                                     // nobody has repaired the record
	"git clone ADDRESS-OF-THIS-REPOSITORY": {words: func(m *manual) []any { return []any{"cd hermes", "cd ."} }},

	// There is no release to fetch. TestInstallScript runs the script.
	"curl -fsSL https://ADDRESS-OF-THIS-REPOSITORY/releases/latest/download/install.sh": {words: func(*manual) []any {
		return []any{"curl -fsSL https://ADDRESS-OF-THIS-REPOSITORY/releases/latest/download/install.sh", "cat deploy/install.sh", "| sh", "| sh -n"}
	}},
	"go install": {words: func(*manual) []any {
		return []any{"go install ADDRESS-OF-THIS-REPOSITORY/cmd/hermes@latest", "go test ./cmd/hermes"}
	}},
}

// machines are the state of the machine that a document speaks of, where it is not a running hermes
// beside an OpenCode.
var machines = map[string]func(*manual){
	"README.md":              (*manual).configure,
	"CONTRIBUTING.md":        (*manual).configure,
	"docs/one-person.md":     (*manual).configure,
	"docs/team-afternoon.md": (*manual).startTeam,
	"docs/backup.md":         func(m *manual) { m.configure(); m.start() },
	"docs/install.md":        (*manual).configure,
	"docs/uninstall.md":      (*manual).configure,
	"docs/database.md":       (*manual).damageRecords,
}

// Every command of every document is run, in the order of the document; what a test cannot start is
// in outsiders. The flags of hermes are looked at in each.
func TestDocuments_CommandsRun(t *testing.T) {
	t.Parallel()
	count, used, started := 0, map[string]bool{}, map[string]bool{}
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
			started[strings.Fields(line)[0]] = true
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
	for name := range outsiders {
		if !started[name] {
			t.Errorf("no document starts %s any more", name)
		}
	}
	for begin := range runs {
		if !used[begin] {
			t.Errorf("no document has %q any more", begin)
		}
	}
}
