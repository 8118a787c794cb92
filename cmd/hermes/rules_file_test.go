package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// A rules file that others may change is warned of, as the configuration file is: when
// hermes starts, by doctor, and when it is taken over anew.
func TestRules_ThatOthersMayChange(t *testing.T) {
	testenv.Isolate(t)
	folder := t.TempDir()
	rules, link := filepath.Join(folder, "rules.toml"), filepath.Join(t.TempDir(), "link.toml")
	if err := os.WriteFile(rules, []byte(rulesForGuests), 0o600); err != nil {
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

func TestReload_WarnsOfRulesThatOthersMayChange(t *testing.T) {
	rules := testenv.WriteFile(t, "rules.toml", rulesForGuests)
	rig.Play(t, func(c *config.Config) { c.Rules = rules }, func(r *rig.Rig) {
		if err := os.Chmod(rules, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, text := r.Request("POST", "/v1/reload", ""); code != 200 {
			t.Fatalf("%d %s", code, text)
		}
		if !strings.Contains(r.Log.String(), "may change the file (mode 0666)") {
			t.Error("the log says nothing")
		}
	})
}
