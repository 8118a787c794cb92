package rig

import (
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
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
	ConverseWith(t, name, lang, play, telegram.Options{})
}

// ConverseWith is converse with a Telegram that differs where the options say so.
func ConverseWith(t *testing.T, name, lang string, play func(Talk), o telegram.Options) {
	r := NewStoppedOn(t, opencode.VersionNew, o, func(c *config.Config) { c.Lang = lang })
	r.Start()
	r.Say("/start", 0)
	defer r.End()
	c := Talk{Rig: r, Dir: r.Opencode.Directory()}
	c.Session = r.Opencode.NewSession(c.Dir, "fix checkout flow")
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
