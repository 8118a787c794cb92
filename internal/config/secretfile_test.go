package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
)

func TestSecretFile(t *testing.T) {
	testenv.Isolate(t)
	path := testenv.WriteFile(t, "token", " "+testenv.GoodToken+"\n\n")
	t.Setenv("HERMES_TELEGRAM_TOKEN_FILE", path)
	t.Setenv("HERMES_TELEGRAM_USERS", "7")
	c, err := config.Load(config.Options{Serve: true})
	if err != nil || c.TelegramToken != testenv.GoodToken || len(c.Warnings) != 0 {
		t.Errorf("got %q, %v, %v", c.TelegramToken.Reveal(), err, c.Warnings)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	c, err = config.Load(config.Options{Serve: true})
	if err != nil || c.TelegramToken != testenv.GoodToken || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "0644") {
		t.Errorf("readable by others: got %v, %v", err, c.Warnings)
	}
}

func TestSecretFile_Mistakes(t *testing.T) {
	for _, name := range []string{"HERMES_TELEGRAM_TOKEN", "HERMES_TELEGRAM_WEBHOOK_SECRET", "HERMES_HOOK_TOKEN", "HERMES_OPENCODE_PASSWORD", "HERMES_STT_KEY"} {
		for _, test := range []struct{ path, also, want string }{
			{path: filepath.Join(t.TempDir(), "none"), want: name + "_FILE: cannot be read: there is no such file"},
			{path: t.TempDir(), want: name + "_FILE: cannot be read: that is a directory"},
			{path: testenv.WriteFile(t, "empty", " \n"), want: name + "_FILE: names a file that is empty"},
			{path: testenv.WriteFile(t, "large", strings.Repeat("a", config.MaxFile+1)), want: name + "_FILE: cannot be read: the file is larger"},
			{path: testenv.WriteFile(t, "both", "0123456789abcdef"), also: testenv.Canary, want: name + ": is set, and so is " + name + "_FILE"},
		} {
			testenv.Isolate(t)
			t.Setenv(name+"_FILE", test.path)
			t.Setenv(name, test.also)
			_, err := config.Load(config.Options{})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), testenv.Canary) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		}
	}
}
