package rig

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
)

// Update has golden files written in place of compared.
var Update = flag.Bool("update", false, "write the golden transcripts anew")

// Played are the golden transcripts that a test has held against what it saw.
var Played sync.Map

// Talk is a conversation under way.
type Talk struct {
	*Rig
	Dir     string
	Session string
}

// talk begins a session.
func (r *Rig) talk() Talk {
	dir := r.Opencode.Directory()
	return Talk{Rig: r, Dir: dir, Session: r.Opencode.NewSession(dir, "fix checkout flow")}
}

// Ask makes the agent ask, and waits until the phone shows it.
func (c Talk) Ask(questions ...opencode.Question) (request, call string) {
	request, call = c.Opencode.Ask(c.Dir, c.Session, questions...)
	c.Wait(2 * time.Second)
	return request, call
}

// Reply is a reply of Ada's to her newest message from the bot.
func (c Talk) Reply(text string) { c.Say(text, c.Last().ID) }

// LanguagesQuestion is a question with several answers.
func LanguagesQuestion() opencode.Question {
	return opencode.Question{
		Question: "Which languages?", Header: "Languages", Multiple: true,
		Options: []opencode.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
	}
}

// ProjectNameQuestion is a question without options.
func ProjectNameQuestion() opencode.Question {
	return opencode.Question{Question: "What shall it be called?", Header: "Name"}
}

// InLanguage is the word in the language that the bot speaks.
func (r *Rig) InLanguage(english, chinese string) string {
	if r.Config.Lang == "zh" {
		return chinese
	}
	return english
}

// Converse plays a conversation and holds its transcript against the golden file of that name.
func Converse(t *testing.T, name, lang string, play func(Talk)) {
	r := New(t, opencode.VersionNew, func(c *config.Config) { c.Lang = lang })
	defer r.End()
	c := r.talk()
	play(c)
	Golden(t, name+"."+lang+".txt", r.Telegram.History(Ada))
}

// Golden holds a text against testdata/conversations/NAME, or writes it with -update.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "conversations", name)
	Played.Store(path, true)
	if *Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the conversation reads differently now; look at it and run with -update if it is right:\n%s", got)
	}
}

// BashPermission asks to run a command, as OpenCode does.
func BashPermission(command string) opencode.Permission {
	first, _, _ := strings.Cut(command, " ")
	return opencode.Permission{
		Permission: "bash", Patterns: []string{command}, Always: []string{first + " *"},
		Metadata: map[string]any{"command": command},
	}
}

// Allow makes the agent ask for permission, and waits until the phone shows it.
func (c Talk) Allow(p opencode.Permission) (request string) {
	request, _ = c.Opencode.AskPermission(c.Dir, c.Session, p)
	c.Wait(2 * time.Second)
	return request
}

// Press taps the button with the label in the language that the bot speaks.
func (c Talk) Press(english, chinese string) {
	c.Tap(c.InLanguage(english, chinese))
	c.Wait(2 * time.Second)
}

// RulesThatDecide are Ada's, for what she does not want to be asked.
const RulesThatDecide = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]

[[rule]]
name       = "no deleting"
permission = "bash"
pattern    = "*rm *"
decide     = "reject"
notify     = true
[[rule]]
name     = "databases"
header   = "Database"
decide   = "auto"
answers  = [{ header = "Database", answer = "postgresql" }]
notify   = true
[[rule]]
name   = "languages"
header = "Languages"
decide = "accept-first"
[[rule]]
name   = "names"
header = "Name"
decide = "reject"
notify = true
[[rule]]
name               = "colours"
header             = "Colour"
timeout            = "10m"
on_timeout         = "accept-first"
prefer_recommended = true
remind             = ["4m"]
`

// ColourQuestion is a question that rules decide.
func ColourQuestion() opencode.Question {
	return opencode.Question{
		Question: "Which colour?", Header: "Colour",
		Options: []opencode.Option{{Label: "Red"}, {Label: "Blue (Recommended)"}},
	}
}
