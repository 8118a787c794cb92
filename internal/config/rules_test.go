package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/policy"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

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

// A rules file that others may change is warned of, as the configuration file is: when
// hermes starts, by doctor, and when it is taken over anew.
func TestRules_ThatOthersMayChange(t *testing.T) {
	testenv.Isolate(t)
	folder := t.TempDir()
	rules, link := filepath.Join(folder, "rules.toml"), filepath.Join(t.TempDir(), "link.toml")
	if err := os.WriteFile(rules, []byte(rig.TeamRules), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(rules, link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HERMES_TELEGRAM_TOKEN", testenv.GoodToken)
	for _, test := range []struct {
		path         string
		file, folder os.FileMode
		want         []string
	}{
		{rules, 0o600, 0o700, nil},
		{rules, 0o644, 0o755, nil},
		{rules, 0o664, 0o700, []string{"may change the file (mode 0664); chmod go-w it"}},
		{rules, 0o646, 0o700, []string{"may change the file (mode 0646)"}},
		{rules, 0o600, 0o770, []string{"its folder is open to them (mode 0770); chmod go-w the folder"}},
		{rules, 0o666, 0o777, []string{"mode 0666", "mode 0777"}},
		{rules, 0o600, 0o777 | os.ModeSticky, nil},
		{link, 0o600, 0o777, []string{"mode 0777"}},
		{link, 0o600, 0o700, nil},
	} {
		if err := os.Chmod(rules, test.file); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, test.folder); err != nil {
			t.Fatal(err)
		}
		t.Setenv("HERMES_RULES", test.path)
		c, err := config.Load(config.Options{})
		told := strings.Join(c.Warnings, "\n")
		if err != nil || len(c.Warnings) != len(test.want) {
			t.Errorf("%v in %v: %v, %q", test.file, test.folder, err, told)
		}
		for _, want := range test.want {
			if !strings.Contains(told, "HERMES_RULES: other users of this machine") || !strings.Contains(told, want) {
				t.Errorf("%v in %v: %q lacks %q", test.file, test.folder, told, want)
			}
		}
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
}
