package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
	"hermes/internal/version"
)

// buildHermes builds the binary as make build does.
func buildHermes(b testing.TB) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "hermes")
	build := exec.Command("make", "build", "OUT="+binary)
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// What a person types first, and what they see then: the exit code, and the first line.
func TestMain_FirstLines(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_LISTEN", "127.0.0.1:1") // nothing listens there
	const noHermes = "hermes: no hermes runs at http://127.0.0.1:1 (HERMES_LISTEN)"
	const setUp = "run hermes setup, or name the configuration of hermes with --config"
	file := config.UsualFile()
	for _, test := range []struct {
		line string
		code int
		out  string // its first line
		errs string // all of it
	}{
		{"", 0, "hermes carries OpenCode's questions to Telegram and the answers back.", ""},
		{"--help", 0, "hermes carries OpenCode's questions to Telegram and the answers back.", ""},
		{"--version", 0, version.Own(), ""},
		{"-v", 0, version.Own(), ""},
		{"version", 0, version.Own(), ""},
		{"version x", 2, "", "hermes: unknown command \"x\" for \"hermes version\"\nUsage: hermes version [flags]; hermes version --help says more"},
		{"version --loud", 2, "", "hermes: unknown flag: --loud\nUsage: hermes version [flags]; hermes version --help says more"},
		{"fly", 2, "", `hermes: unknown command "fly" for hermes; hermes --help lists the commands`},
		{"serv", 2, "", `hermes: unknown command "serv" for hermes; did you mean hermes serve?`},
		{"setip", 2, "", `hermes: unknown command "setip" for hermes; did you mean hermes setup?`},
		{"ls", 2, "", `hermes: unknown command "ls" for hermes; did you mean hermes pending?`},
		{"start", 2, "", `hermes: unknown command "start" for hermes; did you mean hermes serve?`},
		{"stop", 2, "", "hermes: to stop hermes, press ctrl-C where hermes serve runs"},
		{"p", 2, "", `hermes: unknown command "p" for hermes; did you mean hermes pair or hermes pending or hermes plugin?`},
		{"help ask", 0, "Ask the people who answer for OpenCode, wait, and print the answer: the ids of", ""},
		{"help nosuch", 2, "", `hermes: unknown command "nosuch" for hermes; hermes --help lists the commands`},
		{"help plugin instal", 2, "", `hermes: unknown command "instal" for hermes plugin; did you mean hermes plugin install?`},
		{"plugin", 2, "", "hermes: say what to do: hermes plugin install, hermes plugin uninstall, hermes plugin status"},
		{"plugin nosuch", 2, "", `hermes: unknown command "nosuch" for hermes plugin; hermes plugin --help lists the commands`},
		{"link add", 2, "", "hermes: accepts 1 arg(s), received 0\nUsage: hermes link add NAME [flags]; hermes link add --help says more"},
		{"link owner box", 2, "", "hermes: --person, --nobody: give one of the two"},
		{"rules check a b", 2, "", "hermes: accepts at most 1 arg(s), received 2\nUsage: hermes rules check [FILE] [flags]; hermes rules check --help says more"},
		{"config example", 0, "# Configuration of hermes. Copy it to ~/.config/hermes/hermes.env (or to", ""},
		{"completion fish", 0, "# fish completion for hermes                               -*- shell-script -*-", ""},
		{"serve", 2, "", "hermes: HERMES_TELEGRAM_TOKEN: is not set; run hermes setup, or put the token that @BotFather in Telegram gives you into " + file + "\n" +
			"hermes: HERMES_TELEGRAM_USERS: is not set, so nobody may answer; run hermes setup, which finds out your numeric Telegram user id, or put it into " + file},
		{
			"doctor", 1, "fail  configuration  HERMES_TELEGRAM_TOKEN: is not set -> run hermes setup, or put the token that @BotFather in Telegram gives you into " + file,
			"hermes: 4 of 13 checks failed; hermes is not set up yet: run hermes setup",
		},
		{"pending", 1, "", noHermes + "; " + setUp},
		{"trace", 1, "", noHermes + "; " + setUp},
		{"answer Kx3 yes", 1, "", noHermes + "; " + setUp},
		{"reload", 1, "", noHermes + "; " + setUp},
		{"pair", 1, "", noHermes + "; " + setUp},
		{"ask Deploy?", 1, "", noHermes + "; " + setUp},
	} {
		var out, errs strings.Builder
		code := run(strings.Fields(test.line), streams{in: strings.NewReader(""), out: &out, err: &errs})
		first, _, _ := strings.Cut(out.String(), "\n")
		if code != test.code || first != test.out || strings.TrimSuffix(errs.String(), "\n") != test.errs {
			t.Errorf("hermes %s: exit code %d\n%s\n%swant exit code %d\n%s\n%s", test.line, code, first, errs.String(), test.code, test.out, test.errs)
		}
	}
}

// run learns from the root's PersistentPreRun that a command has begun; a
// command with its own would hide that, and its failures would exit with 2.
func TestMain_NoCommandHidesItsBeginning(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.PersistentPreRun != nil || cmd.PersistentPreRunE != nil {
			t.Errorf("%s has a PersistentPreRun of its own", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand(streams{}))
}
