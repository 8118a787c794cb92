package demo

import (
	"slices"
	"testing"

	"hermes/internal/page"
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

// An ask has its session's title on the page and on the phones.
func TestTour_SessionsHaveTitles(t *testing.T) {
	t.Parallel()
	for lang, steps := range allSteps() {
		for _, s := range steps {
			if s.asks() && s.session == "" {
				t.Errorf("%s has no session in %s", s.id, lang)
			}
		}
	}
}
