package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

var update = flag.Bool("update", false, "write the golden transcripts anew")

func TestMain(m *testing.M) {
	time.Local = time.UTC // transcripts hold times of day
	code := m.Run()
	if all := flag.Lookup("test.run").Value.String() + flag.Lookup("test.skip").Value.String() + flag.Lookup("test.list").Value.String(); code == 0 && all == "" {
		code = orphans()
	}
	os.Exit(code)
}

// played are the golden transcripts that a test has held against what it saw.
var played sync.Map

// orphans names the golden transcripts that no test knows any more: what they show is not held by anything.
func orphans() (code int) {
	files, err := filepath.Glob(filepath.Join("testdata", "conversations", "*"))
	if err != nil || len(files) == 0 {
		fmt.Println("no golden transcripts are there:", err)
		return 1
	}
	for _, file := range files {
		if _, ok := played.Load(file); !ok {
			fmt.Println("no test plays", file)
			code = 1
		}
	}
	return code
}

// talk is a conversation under way.
type talk struct {
	*rig
	dir     string
	session string
}

// ask makes the agent ask, and waits until the phone shows it.
func (c talk) ask(questions ...opencode.Question) (request, call string) {
	request, call = c.opencode.Ask(c.dir, c.session, questions...)
	c.wait(2 * time.Second)
	return request, call
}

func (c talk) reply(text string) { c.say(text, c.last().ID) }

func languages() opencode.Question {
	return opencode.Question{
		Question: "Which languages?", Header: "Languages", Multiple: true,
		Options: []opencode.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
	}
}

func projectName() opencode.Question {
	return opencode.Question{Question: "What shall it be called?", Header: "Name"}
}

// conversations are what people live through. Each is played in English and in
// Chinese, and its transcript is held against testdata.
func conversations() map[string]func(talk) {
	return map[string]func(talk){
		"single-choice": func(c talk) {
			c.ask(database())
			c.tap("2.")
			c.wait(2 * time.Second)
		},
		"typed-label": func(c talk) {
			c.ask(database())
			c.reply("post")
		},
		"typed-number-without-reply": func(c talk) {
			c.ask(database())
			c.say("1", 0)
		},
		"own-words": func(c talk) {
			c.ask(database())
			c.tap(c.word("✏️ Type an answer", "✏️ 输入答案"))
			c.wait(2 * time.Second)
			c.reply("Neither.\n\nUse <b>files</b> & *no* server, שלום 👋")
		},
		"ambiguous": func(c talk) {
			q := database()
			q.Options = append(q.Options, opencode.Option{Label: "PostgreSQL + cache"})
			c.ask(q)
			c.reply("post")
			c.reply(`"post"`)
		},
		"three-questions": func(c talk) {
			c.ask(database(), languages(), projectName())
			c.tap("2.")
			c.wait(2 * time.Second)
			c.tap("☐ 1.")
			c.tap("☐ 3.")
			c.wait(2 * time.Second)
			c.tap(c.word("Next", "下一步"))
			c.wait(2 * time.Second)
			c.reply("The Bridge")
			c.wait(2 * time.Second)
			c.tap(c.word("✅ Send", "✅ 发送"))
			c.wait(2 * time.Second)
		},
		"dismissed": func(c talk) {
			c.ask(database())
			c.tap(c.word("🚫 Dismiss", "🚫 忽略"))
			c.wait(2 * time.Second)
		},
		"answered-at-the-terminal": func(c talk) {
			request, _ := c.ask(database())
			c.opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
			c.wait(2 * time.Second)
			c.reply("2")
		},
		"aborted": func(c talk) {
			c.ask(database())
			c.opencode.Abort(c.session)
			c.wait(2 * time.Second)
		},
		"restarted": func(c talk) {
			c.ask(database())
			c.opencode.Restart()
			c.wait(5 * time.Second)
		},
		"expired": func(c talk) {
			c.ask(database())
			c.wait(31 * time.Minute)
		},
		"slow-opencode": func(c talk) {
			c.ask(database())
			c.opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
			c.tap("2.")
			c.wait(3 * time.Second)
			c.opencode.SetFault(nil)
			c.wait(30 * time.Second)
		},
		"subagent": func(c talk) {
			child := c.opencode.Task(c.dir, c.session, "tester", "look at the tests")
			c.opencode.Ask(c.dir, child, database())
			c.wait(2 * time.Second)
			c.tap("1.")
			c.wait(2 * time.Second)
		},
		"nothing-asked": func(c talk) {
			c.say("hello?", 0)
			c.say("anybody?", 0)
		},
	}
}

func (r *rig) word(english, chinese string) string {
	if r.config.Lang == "zh" {
		return chinese
	}
	return english
}

func TestConversations(t *testing.T) {
	for name, play := range allTalks() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { converse(t, name, lang, play) })
				strict := func(t *testing.T) { converseWith(t, name, lang, play, telegram.Options{RefuseForceReplyEdits: true}) }
				synctest.Test(t, strict) // what Telegram does with such an edit is not said
			})
		}
	}
}

func converse(t *testing.T, name, lang string, play func(talk)) {
	converseWith(t, name, lang, play, telegram.Options{})
}

// converseWith is converse with a Telegram that differs where the options say so.
func converseWith(t *testing.T, name, lang string, play func(talk), o telegram.Options) {
	r := makeRigOn(t, opencode.VersionNew, o, func(c *config) { c.Lang = lang })
	r.start()
	r.say("/start", 0)
	defer r.end()
	c := talk{rig: r, dir: r.opencode.Directory()}
	c.session = r.opencode.NewSession(c.dir, "fix checkout flow")
	play(c)
	golden(t, name+"."+lang+".txt", r.telegram.History(ada))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "conversations", name)
	played.Store(path, true)
	if *update {
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
