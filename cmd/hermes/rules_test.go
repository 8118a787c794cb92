package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/policy"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
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

func TestRules_ServeWithoutTheRulesFile(t *testing.T) {
	code, log := serveProcess(t, map[string]string{"RULES": "/nowhere/rules.toml"})
	if code != exitUsage || !strings.Contains(log, "hermes: HERMES_RULES: the rules cannot be read: there is no such file") {
		t.Errorf("hermes serve exits with %d:\n%s", code, log)
	}
}

// Where the file is, and that with it nobody needs to name users.
func TestRules_InTheConfiguration(t *testing.T) {
	testenv.Isolate(t)
	load := func(text string) (config.Config, error) {
		return rig.LoadFile(t, "HERMES_TELEGRAM_TOKEN="+testenv.GoodToken+"\n"+text)
	}
	c, err := load("HERMES_RULES=team/rules.toml\n")
	if want := filepath.Join(filepath.Dir(c.File), "team", "rules.toml"); err != nil || c.Rules != want || len(c.Warnings) != 0 {
		t.Errorf("got %q, %v, %v, want %q", c.Rules, err, c.Warnings, want)
	}
	c, err = load("HERMES_RULES=/etc/rules.toml\nHERMES_TELEGRAM_USERS=7\n")
	if err != nil || c.Rules != "/etc/rules.toml" || len(c.Warnings) != 1 || len(c.TelegramChats) != 0 {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err = load("HERMES_RULES=~/rules.toml\n"); err == nil || !strings.HasPrefix(err.Error(), "HERMES_RULES: is not a path") {
		t.Errorf("got %v", err)
	}
	t.Setenv("HERMES_RULES", "rules.toml")
	if _, err := config.Load(config.Options{}); err == nil || !strings.HasPrefix(err.Error(), "HERMES_RULES: is not a path") {
		t.Errorf("without a file: got %v", err)
	}
}

func TestRules_BookOfTheConfiguration(t *testing.T) {
	path := testenv.WriteFile(t, "rules.toml", rig.TeamRules[:strings.Index(rig.TeamRules, "[[rule]]")])
	for _, c := range []struct {
		config config.Config
		want   []policy.Target
	}{
		{config.Config{TelegramUsers: []chat.UserID{1}, TelegramChats: []config.Chat{{ID: -5, Topic: 7}}}, []policy.Target{{Chat: -5, Topic: 7}}},
		{config.Config{Rules: path}, []policy.Target{{Chat: rig.Ada}, {Chat: rig.Bob}}},
		{config.Config{Rules: path, TelegramChats: []config.Chat{{ID: -5}}}, []policy.Target{{Chat: -5}}},
	} {
		b, err := c.config.Ruleset()
		if err != nil || !reflect.DeepEqual(b.Targets(), c.want) {
			t.Errorf("%+v: %v, %v", c.config, b.Targets(), err)
		}
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

func TestRules_InAGroup(t *testing.T) {
	_, alter := ruled(t, rig.TeamRules)
	rig.Play(t, alter, func(r *rig.Rig) {
		r.AddTeam(false)
		_, call := r.Ask(rig.DatabaseQuestion())
		card := r.LastIn(rig.Team)
		rig.WantAlert(t, "a tap without the role", r.ForgeTap(rig.Bob, rig.Team, card.ID, r.Data(card, "1.")), "You need one of these roles to answer: lead")
		rig.WantAlert(t, "a stranger's tap", r.ForgeTap(rig.Eve, rig.Team, card.ID, r.Data(card, "1.")), rig.SaysEve)
		r.SayIn(rig.Bob, rig.Team, "1", card.ID)
		if note := r.LastIn(rig.Team); note.Text != "🔒 You need one of these roles to answer: lead" {
			t.Errorf("the text got %q", note.Text)
		}
		r.SayIn(rig.Bob, rig.Team, "1", card.ID)
		r.WantNoAnswer(call)
		r.WantRefusals("wrong-role", "stranger", "wrong-role", "wrong-role")
		r.SayIn(rig.Ada, rig.Team, "2", card.ID)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		if e := r.Journal(storage.EntryAnswered); len(e) != 1 || e[0].Rule != "leads" {
			t.Errorf("the journal has %+v", e)
		}
	})
}

func TestReload(t *testing.T) {
	path, alter := ruled(t, rig.TeamRules)
	rig.Play(t, alter, func(r *rig.Rig) {
		r.AddTeam(false)
		_, call := r.Ask(rig.DatabaseQuestion())
		card := r.LastIn(rig.Team)
		reload := func(want int) (answer struct {
			Rules, Error      string
			Changes, Mistakes []string
		},
		) {
			t.Helper()
			code, body := r.Request("POST", "/v1/reload", "")
			if err := json.Unmarshal([]byte(body), &answer); err != nil || code != want {
				t.Errorf("got %d %s (%v), want %d", code, body, err, want)
			}
			return answer
		}
		if got := reload(200); got.Rules != "rules.toml" || got.Changes == nil || len(got.Changes) != 0 {
			t.Errorf("nothing is other, but %+v", got)
		}
		rewrite(t, path, rig.WrongRules)
		if got := reload(422); len(got.Mistakes) != 2 || !strings.HasPrefix(got.Mistakes[0], "rules.toml:9: ") || got.Error == "" {
			t.Errorf("%+v", got)
		}
		if !strings.Contains(r.Log.String(), "the rules were not taken over; those before stay in force") {
			t.Error("the log does not tell of the mistakes")
		}
		rig.WantAlert(t, "under the rules before", r.ForgeTap(rig.Bob, rig.Team, card.ID, r.Data(card, "1.")), "You need one of these roles to answer: lead")
		rewrite(t, path, strings.Replace(rig.TeamRules, `["dev"]`, `["dev", "lead"]`, 1))
		if got := reload(200); len(got.Changes) != 1 || got.Changes[0] != "person 43 (Bob): changed" {
			t.Errorf("%+v", got)
		}
		r.TapIn(rig.Bob, rig.Team, "1.")
		r.WantAnswers(call, []string{"SQLite"})
	})
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

func TestReload_WithoutRules(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if code, body := r.Request("POST", "/v1/reload", ""); code != 409 || !strings.Contains(body, "HERMES_RULES is not set") {
			t.Errorf("%d %s", code, body)
		}
	})
}
