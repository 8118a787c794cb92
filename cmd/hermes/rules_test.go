package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

func TestRules_ServeWithMistakesInTheRules(t *testing.T) {
	path := testenv.WriteFile(t, "rules.toml", rig.WrongRules)
	code, log := serveProcess(t, map[string]string{"RULES": path, "LANG": "klingon"})
	for _, line := range []string{"hermes: HERMES_LANG: is not", "hermes: rules.toml:9: roles is empty", "hermes: rules.toml:14: chats must name chats"} {
		if !strings.Contains(log, line) {
			t.Errorf("it does not say %q:\n%s", line, log)
		}
	}
	if code != exitUsage {
		t.Errorf("hermes serve exits with %d", code)
	}
}

func TestRules_Check(t *testing.T) {
	home := testenv.Isolate(t)
	good, bad := testenv.WriteFile(t, "good.toml", rig.TeamRules), testenv.WriteFile(t, "bad.toml", rig.WrongRules)
	check := func(args ...string) (int, string) {
		var out, errs strings.Builder
		code := run(append([]string{"rules", "check"}, args...), streams{in: strings.NewReader(""), out: &out, err: &errs})
		return code, out.String() + errs.String()
	}
	if code, out := check(good); code != 0 || out != good+": people 2, rules 1, chats 1\n" {
		t.Errorf("%d %s", code, out)
	}
	code, out := check(bad)
	if code != exitUsage || strings.Count(out, "hermes: "+bad+":") != 2 || !strings.Contains(out, bad+":9: ") || !strings.Contains(out, bad+":14: ") {
		t.Errorf("%d %s", code, out)
	}
	if code, out := check(filepath.Join(home, "none.toml")); code != exitUsage || !strings.Contains(out, "there is no such file") {
		t.Errorf("%d %s", code, out)
	}
	if code, out := check(); code != exitUsage || !strings.Contains(out, "HERMES_RULES: is not set; set it, or name a file to check") {
		t.Errorf("%d %s", code, out)
	}
	t.Setenv("HERMES_RULES", bad)
	if code, out := check(); code != exitUsage || !strings.Contains(out, "hermes: bad.toml:9: ") {
		t.Errorf("%d %s", code, out)
	}
}

// ruled configures a rules file, which the test can change.
func ruled(t *testing.T, text string) (path string, alter func(*config.Config)) {
	t.Helper()
	path = testenv.WriteFile(t, "rules.toml", text)
	return path, func(c *config.Config) { c.Rules, c.TelegramUsers, c.TelegramChats = path, nil, nil }
}

func rewrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReload_Command(t *testing.T) {
	path, alter := ruled(t, rig.TeamRules)
	rig.Play(t, alter, func(r *rig.Rig) {
		r.Config.HookToken = rig.HookKey
		command := func() (string, error) {
			var out strings.Builder
			cmd := reloadCommand()
			cmd.SetOut(&out)
			cmd.SetContext(context.Background())
			err := askReload(cmd, apiclient.New(r.Config, rig.RoundTripper(r.RoundTrip)))
			return out.String(), err
		}
		if out, err := command(); err != nil || out != "rules.toml: nothing has changed\n" {
			t.Errorf("%q, %v", out, err)
		}
		rewrite(t, path, rig.TeamRules+"claim = \"5m\"\n")
		if out, err := command(); err != nil || out != "rule \"leads\": changed\n" {
			t.Errorf("%q, %v", out, err)
		}
		rewrite(t, path, rig.WrongRules)
		out, err := command()
		if out != "" || exitCode(err, true) != exitUsage || strings.Count(err.Error(), "rules.toml:") != 2 {
			t.Errorf("%q, %v", out, err)
		}
	})
}
