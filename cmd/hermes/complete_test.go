package main

import (
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// completed is what a shell is told for a line, of which the last word is not typed to its end: the values with what they
// stand for, and the number by which a shell knows whether files go with them (cobra's ShellCompDirective).
func completed(t *testing.T, words ...string) string {
	t.Helper()
	code, out, errs := hermes(append([]string{"__complete"}, words...)...)
	if code != 0 || !strings.HasPrefix(errs, "Completion ended with directive") || strings.Count(errs, "\n") != 1 {
		t.Errorf("%q: exit code %d, and the shell shows %q", words, code, errs)
	}
	return strings.TrimSuffix(out, "\n")
}

func TestComplete_Values(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_TELEGRAM_CHATS", "42,-100/5")
	const none, extensions, folders, anyFile = ":4", "\n:8", ":16", ":0"
	for line, want := range map[string]string{
		"setup --service ":        "systemd\nlaunchd\nnone\n" + none,
		"setup --config-dir ":     folders,
		"setup --token-file ":     anyFile,
		"serve --config ":         "env" + extensions,
		"ask --on-timeout ":       "reject\naccept-first\nwait\n" + none,
		"ask --permission ":       "bash\nedit\nwebfetch\n" + none,
		"ask --chat ":             "42\n-100/5\n" + none,
		"ask --file ":             anyFile,
		"ask ":                    none,
		"audit --since ":          "1h\n24h\n7d\n" + none,
		"audit --person ":         none,
		"pending ":                none,
		"pending --js":            "--json\twrite a JSON array on one line, as GET /v1/questions returns it\n" + none,
		"plugin uninst":           "uninstall\tRemove the plugin and its link file\n" + none,
		"rules check ":            "toml" + extensions,
		"rules check rules.toml ": none,
		"rules test --request ":   "json" + extensions,
		"help rules ch":           "check\tName every mistake in a rules file, with its line; exit 2 if there is one\n" + none,
		"completion b":            "bash\tGenerate the autocompletion script for bash\n" + none,
	} {
		if got := completed(t, strings.Split(line, " ")...); got != want {
			t.Errorf("hermes %s: got %q, want %q", line, got, want)
		}
	}
	if got := completed(t, "ask", "Go?", "--option", "yes", "--option", "no=Not now", "--default", ""); got != "yes\nno\n"+none {
		t.Errorf("the default is completed to %q", got)
	}
}

// What waits is completed to its id, and then to its answers.
func TestComplete_Answers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.runs = "__complete"
	agent := d.serve()
	complete := func(words ...string) string {
		out, code := d.flags(words...)
		values, _, found := strings.Cut(out, ":4\n")
		if code != 0 || !found {
			t.Errorf("%q: exit code %d, %s", words, code, out)
		}
		return values
	}
	dir := agent.Directory()
	agent.Ask(dir, agent.NewSession(dir, "Build"), rig.DatabaseQuestion())
	d.shows("Which database")
	line := complete("answer", "")
	id, what, _ := strings.Cut(line, "\t")
	if !strings.HasSuffix(what, " left: Database: Which database should this feature u…\n") {
		t.Errorf("what waits is completed to %q", line)
	}
	if got := complete("answer", id[:1]); !strings.HasPrefix(got, id+"\t") || strings.Count(got, "\n") != 1 {
		t.Errorf("its beginning is completed to %q", got)
	}
	if got := complete("answer", id, ""); got != "1\tSQLite\n2\tPostgreSQL (Recommended)\n" {
		t.Errorf("its answers are %q", got)
	}
	if got := complete("answer", id, "1", ""); got != "" {
		t.Errorf("a second answer to one question is %q", got)
	}
	if got := complete("link", "revoke", ""); got != "" {
		t.Errorf("links without any are %q", got)
	}
}
