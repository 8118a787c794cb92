package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// teamRules are Ada, who leads, and Bob, who does not; what is asked goes to the team.
const teamRules = `[[person]]
id = 42
name = "Ada"
roles = ["lead"]

[[person]]
id = 43
name = "Bob"
roles = ["dev"]

[[rule]]
name = "leads"
roles = ["lead"]
chats = [-1001234567890]
`

// wrongRules have a mistake on line 9 and one on line 13.
var wrongRules = strings.NewReplacer(`["dev"]`, `[]`, `-1001234567890`, `"team"`).Replace(teamRules)

func TestServeWithMistakesInTheRules(t *testing.T) {
	path := writeFile(t, "rules.toml", wrongRules)
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

func TestServeWithoutTheRulesFile(t *testing.T) {
	code, log := serveProcess(t, map[string]string{"RULES": "/nowhere/rules.toml"})
	if code != exitUsage || !strings.Contains(log, "hermes: HERMES_RULES: the rules cannot be read: there is no such file") {
		t.Errorf("hermes serve exits with %d:\n%s", code, log)
	}
}

// Where the file is, and that with it nobody needs to name users.
func TestRulesInTheConfiguration(t *testing.T) {
	isolate(t)
	load := func(text string) (config, error) { return loadFile(t, "HERMES_TELEGRAM_TOKEN="+goodToken+"\n"+text) }
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
	if _, err := loadConfig(options{}); err == nil || !strings.HasPrefix(err.Error(), "HERMES_RULES: is not a path") {
		t.Errorf("without a file: got %v", err)
	}
}

func TestBookOfTheConfiguration(t *testing.T) {
	path := writeFile(t, "rules.toml", teamRules[:strings.Index(teamRules, "[[rule]]")])
	for _, c := range []struct {
		config config
		want   []policy.Target
	}{
		{config{TelegramUsers: []question.UserID{1}, TelegramChats: []chat{{ID: -5, Topic: 7}}}, []policy.Target{{Chat: -5, Topic: 7}}},
		{config{Rules: path}, []policy.Target{{Chat: ada}, {Chat: bob}}},
		{config{Rules: path, TelegramChats: []chat{{ID: -5}}}, []policy.Target{{Chat: -5}}},
	} {
		b, err := c.config.book()
		if err != nil || !reflect.DeepEqual(b.Targets(), c.want) {
			t.Errorf("%+v: %v, %v", c.config, b.Targets(), err)
		}
	}
}

func TestRulesCheck(t *testing.T) {
	home := isolate(t)
	good, bad := writeFile(t, "good.toml", teamRules), writeFile(t, "bad.toml", wrongRules)
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
func ruled(t *testing.T, text string) (path string, alter func(*config)) {
	t.Helper()
	path = writeFile(t, "rules.toml", text)
	return path, func(c *config) { c.Rules, c.TelegramUsers, c.TelegramChats = path, nil, nil }
}

func rewrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRulesInAGroup(t *testing.T) {
	_, alter := ruled(t, teamRules)
	play(t, alter, func(r *rig) {
		r.addTeam(false)
		_, call := r.ask(database())
		card := r.lastIn(team)
		wantAlert(t, "a tap without the role", r.forge(bob, team, card.ID, r.data(card, "1.")), "Answering this takes one of these roles: lead")
		wantAlert(t, "a stranger's tap", r.forge(eve, team, card.ID, r.data(card, "1.")), saysEve)
		r.sayIn(bob, team, "1", card.ID)
		if note := r.lastIn(team); note.Text != "🔒 Answering this takes one of these roles: lead" {
			t.Errorf("the text got %q", note.Text)
		}
		r.sayIn(bob, team, "1", card.ID)
		r.unanswered(call)
		r.refused("wrong-role", "stranger", "wrong-role", "wrong-role")
		r.sayIn(ada, team, "2", card.ID)
		r.got(call, []string{"PostgreSQL (Recommended)"})
		if e := r.journal(question.EntryAnswered); len(e) != 1 || e[0].Rule != "leads" {
			t.Errorf("the journal has %+v", e)
		}
	})
}

func TestReload(t *testing.T) {
	path, alter := ruled(t, teamRules)
	play(t, alter, func(r *rig) {
		r.addTeam(false)
		_, call := r.ask(database())
		card := r.lastIn(team)
		reload := func(want int) (answer struct {
			Rules, Error      string
			Changes, Mistakes []string
		},
		) {
			t.Helper()
			code, body := r.request("POST", "/v1/reload", "")
			if err := json.Unmarshal([]byte(body), &answer); err != nil || code != want {
				t.Errorf("got %d %s (%v), want %d", code, body, err, want)
			}
			return answer
		}
		if got := reload(200); got.Rules != "rules.toml" || got.Changes == nil || len(got.Changes) != 0 {
			t.Errorf("nothing is other, but %+v", got)
		}
		rewrite(t, path, wrongRules)
		if got := reload(422); len(got.Mistakes) != 2 || !strings.HasPrefix(got.Mistakes[0], "rules.toml:9: ") || got.Error == "" {
			t.Errorf("%+v", got)
		}
		if !strings.Contains(r.log.String(), "the rules were not taken over; those before stay in force") {
			t.Error("the log does not tell of the mistakes")
		}
		wantAlert(t, "under the rules before", r.forge(bob, team, card.ID, r.data(card, "1.")), "Answering this takes one of these roles: lead")
		rewrite(t, path, strings.Replace(teamRules, `["dev"]`, `["dev", "lead"]`, 1))
		if got := reload(200); len(got.Changes) != 1 || got.Changes[0] != "person 43 (Bob): changed" {
			t.Errorf("%+v", got)
		}
		r.tapIn(bob, team, "1.")
		r.got(call, []string{"SQLite"})
	})
}

func TestReloadCommand(t *testing.T) {
	path, alter := ruled(t, teamRules)
	play(t, alter, func(r *rig) {
		r.config.HookToken = hookKey
		command := func() (string, error) {
			var out strings.Builder
			cmd := reloadCommand()
			cmd.SetOut(&out)
			cmd.SetContext(context.Background())
			err := askReload(cmd, toRunning(r.config, roundTripper(r.roundTrip)))
			return out.String(), err
		}
		if out, err := command(); err != nil || out != "rules.toml: nothing has changed\n" {
			t.Errorf("%q, %v", out, err)
		}
		rewrite(t, path, teamRules+"claim = \"5m\"\n")
		if out, err := command(); err != nil || out != "rule \"leads\": changed\n" {
			t.Errorf("%q, %v", out, err)
		}
		rewrite(t, path, wrongRules)
		out, err := command()
		if out != "" || exitCode(err, true) != exitUsage || strings.Count(err.Error(), "rules.toml:") != 2 {
			t.Errorf("%q, %v", out, err)
		}
	})
}

func TestReloadWithoutRules(t *testing.T) {
	play(t, nil, func(r *rig) {
		if code, body := r.request("POST", "/v1/reload", ""); code != 409 || !strings.Contains(body, "HERMES_RULES is not set") {
			t.Errorf("%d %s", code, body)
		}
	})
}

func TestDoctorOnRules(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{strings.Replace(teamRules, "-1001234567890", "42", 1), []string{"ok rules.toml: people 2, rules 1, chats 1"}},
		{wrongRules, []string{"fail rules.toml:9: roles is empty; write something or leave it out", "fail rules.toml:14: chats must name"}},
	} {
		playClinic(t, false, func(k *clinic) {
			k.patient.TelegramChats = nil
			k.patient.Rules = writeFile(t, "rules.toml", c.text)
			list, _ := k.examineFor(context.Background())
			var got []string
			for _, d := range list {
				if d.Name == "rules" {
					got = append(got, string(d.Status)+" "+d.Detail)
				}
			}
			for i, want := range c.want {
				if i >= len(got) || !strings.HasPrefix(got[i], want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}
