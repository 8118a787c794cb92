package demo

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hermes/internal/page"
	"hermes/internal/simulate/closedset"
)

// What the guide wants next, for each step and each state of it.
func TestGuide(t *testing.T) {
	t.Parallel()
	ask := func(state string) page.Ask { return page.Ask{ID: "que_1", State: state} }
	whole := facts{up: true, telegram: true, agent: true, shown: true}
	with := func(change func(*facts)) facts {
		f := whole
		change(&f)
		return f
	}
	for _, test := range []struct {
		step, name string
		facts      facts
		want       string // what the button does and to whom; "done": the step is done
	}{
		{"single", "new", whole, "ask single"},
		{"single", "waits", with(func(f *facts) { f.ask = ask(askWaiting) }), "go Ada"},
		{"single", "on no phone yet", with(func(f *facts) { f.ask, f.shown = ask(askWaiting), false }), "wait "},
		{"single", "answered", with(func(f *facts) { f.ask = ask(askReceived) }), "done"},
		{"single", "dismissed", with(func(f *facts) { f.ask = ask(askDismissed) }), "ask single"},
		{"single", "forgotten", with(func(f *facts) { f.ask = ask(askGone) }), "ask single"},
		{"single", "no hermes", with(func(f *facts) { f.up, f.ask = false, ask(askWaiting) }), "start hermes"},
		{"single", "no Telegram", with(func(f *facts) { f.telegram = false }), "mend telegram"},
		{"single", "no OpenCode", with(func(f *facts) { f.agent = false }), "mend opencode"},

		{"crash", "new", whole, "ask crash"},
		{"crash", "killed too early", with(func(f *facts) { f.up = false }), "start hermes"},
		{"crash", "waits", with(func(f *facts) { f.ask = ask(askWaiting) }), "kill hermes"},
		{"crash", "on no phone yet", with(func(f *facts) { f.ask, f.shown = ask(askWaiting), false }), "wait "},
		{"crash", "dead before it was on a phone", with(func(f *facts) { f.up, f.ask, f.interrupted, f.shown = false, ask(askWaiting), true, false }), "start hermes"},
		{"crash", "dead", with(func(f *facts) { f.up, f.ask, f.interrupted = false, ask(askWaiting), true }), "go Ada"},
		{"crash", "dead and tapped", with(func(f *facts) { f.up, f.unread, f.ask, f.interrupted = false, 1, ask(askWaiting), true }), "start hermes"},
		{"crash", "alive, not tapped", with(func(f *facts) { f.ask, f.interrupted = ask(askWaiting), true }), "go Ada"},
		{"crash", "answered", with(func(f *facts) { f.ask, f.interrupted = ask(askReceived), true }), "done"},
		{"crash", "dismissed", with(func(f *facts) { f.ask, f.interrupted = ask(askDismissed), true }), "ask crash"},
		{"crash", "answered too early", with(func(f *facts) { f.ask = ask(askReceived) }), "ask crash"},

		{"deploy", "new", whole, "ask deploy"},
		{"deploy", "waits", with(func(f *facts) { f.ask = ask(askWaiting) }), "go Ada"},
		{"deploy", "Ada", with(func(f *facts) { f.ask, f.voted = ask(askWaiting), []string{"Ada"} }), "go Bob"},
		{"deploy", "Bob", with(func(f *facts) { f.ask, f.voted = ask(askWaiting), []string{"Bob"} }), "go Ada"},
		{"deploy", "both", with(func(f *facts) { f.ask = ask(askReceived) }), "done"},

		{"drive", "new", whole, "write Ada"},
		{"drive", "listed", with(func(f *facts) { f.drive.listed = true }), "go Ada"},
		{"drive", "chosen", with(func(f *facts) { f.drive = driveFacts{listed: true, chosen: true} }), "write Ada"},
		{"drive", "on its way", with(func(f *facts) { f.drive = driveFacts{true, true, false, true} }), "go Ada"},
		{"drive", "works", with(func(f *facts) { f.drive = driveFacts{true, true, true, true} }), "go Ada"},
		{"drive", "told", with(func(f *facts) { f.drive = driveFacts{true, true, true, false} }), "done"},

		{"setup", "always", whole, "done"},
	} {
		i := slices.IndexFunc(tourSteps(englishScript()), func(s tourStep) bool { return s.id == test.step })
		now := tourSteps(englishScript())[i].guide(test.facts)
		got := "done"
		if now.next != nil {
			got = now.next.Do + " " + now.next.ID
		}
		if got != test.want || now.done != (test.want == "done") || now.hint == "" {
			t.Errorf("%s, %s: got %q, done: %v, hint %q; want %q", test.step, test.name, got, now.done, now.hint, test.want)
		}
	}
}

// A session's title tells which step an ask is of, so no two steps share one.
func TestTour_SessionsDiffer(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for _, steps := range allSteps(tourSteps) {
		for _, s := range steps {
			if s.asks() && s.session == "" || s.session != "" && of[s.session] != "" && of[s.session] != s.id {
				t.Errorf("%s has the session %q, and so has %q", s.id, s.session, of[s.session])
			}
			of[s.session] = s.id
		}
	}
}

// All that is said to the page in English has its words in the other languages.
func TestWords_AreTranslated(t *testing.T) {
	t.Parallel()
	words, err := os.ReadFile("../page/static/words.js")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`(?:\b(?:Text|Label|title|text|hint): |stage\{|askStage\(s\.id, |unanswered = |answering\(|State: |errors\.New\(|state[A-Z]\w+ += )"([^"]+)"(?:, "([^"]+)")?`)
	found := 0
	same := []string{"/sessions", "Go to ", errDead.Error()} // a command, a part of two that are there, and what only a dead hermes hears
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "script_") || file == "cut_transport.go" || file == "process.go" {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said.FindAllStringSubmatch(string(source), -1) {
			for _, text := range m[1:] {
				if text != "" && !slices.Contains(same, text) && !strings.HasPrefix(text, "--") && !strings.Contains(string(words), `"`+text+`": "`) {
					t.Errorf("%s: words.js has no %q", file, text)
				}
				found++
			}
		}
	}
	kinds := closedset.Constants(t)["storage.EntryKind"]
	if len(kinds) < 30 {
		t.Errorf("only %d kinds of entries were found", len(kinds))
	}
	for _, kind := range kinds {
		if !strings.Contains(string(words), `"`+kind+`": "`) {
			t.Errorf("words.js has no %q, which the journal shows", kind)
		}
	}
	if found < 100 {
		t.Errorf("only %d texts were found", found)
	}
}
