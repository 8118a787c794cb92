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

func (c Talk) Reply(text string) { c.Say(text, c.Last().ID) }

func Languages() opencode.Question {
	return opencode.Question{
		Question: "Which languages?", Header: "Languages", Multiple: true,
		Options: []opencode.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
	}
}

func ProjectName() opencode.Question {
	return opencode.Question{Question: "What shall it be called?", Header: "Name"}
}

func (r *Rig) Word(english, chinese string) string {
	if r.Config.Lang == "zh" {
		return chinese
	}
	return english
}

func Converse(t *testing.T, name, lang string, play func(Talk)) {
	ConverseWith(t, name, lang, play, telegram.Options{})
}

// ConverseWith is converse with a Telegram that differs where the options say so.
func ConverseWith(t *testing.T, name, lang string, play func(Talk), o telegram.Options) {
	r := MakeOn(t, opencode.VersionNew, o, func(c *config.Config) { c.Lang = lang })
	r.Start()
	r.Say("/start", 0)
	defer r.End()
	c := Talk{Rig: r, Dir: r.Opencode.Directory()}
	c.Session = r.Opencode.NewSession(c.Dir, "fix checkout flow")
	play(c)
	Golden(t, name+"."+lang+".txt", r.Telegram.History(Ada))
}

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
