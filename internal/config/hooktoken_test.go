package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/internal/simulate/testenv"
)

func TestHookToken_IsMadeOnceAndKept(t *testing.T) {
	c := config.Config{DB: filepath.Join(t.TempDir(), "new", "hermes.db")}
	if _, err := config.KeptHookToken(c); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first start: got %v, want fs.ErrNotExist", err)
	}
	var tokens [8]secret.Text
	var wg sync.WaitGroup
	for i := range tokens {
		wg.Go(func() {
			var err error
			if tokens[i], err = config.HookToken(c); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	kept, err := config.KeptHookToken(c)
	for _, token := range tokens {
		if token != kept || err != nil {
			t.Errorf("two tokens of one database, or %v", err)
		}
	}
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`).MatchString(kept.Reveal()) {
		t.Error("the token is not 32 bytes of base64url")
	}
	entries, _ := os.ReadDir(filepath.Dir(c.DB))
	info, err := os.Stat(c.HookTokenFile())
	if err != nil || info.Mode().Perm() != 0o600 || len(entries) != 1 {
		t.Errorf("got mode %v, %d files, %v; want 0600 and one file", info.Mode(), len(entries), err)
	}
}

func TestHookToken_Configured(t *testing.T) {
	dir := t.TempDir()
	got, err := config.HookToken(config.Config{HookToken: "0123456789abcdef", DB: filepath.Join(dir, "hermes.db")})
	entries, _ := os.ReadDir(dir)
	if got != "0123456789abcdef" || err != nil || len(entries) != 0 {
		t.Errorf("got %q, %v, %d files; want the configured one and no file", got.Reveal(), err, len(entries))
	}
}

func TestHookToken_FileThatIsWrong(t *testing.T) {
	for _, test := range []struct {
		text string
		mode fs.FileMode
		want string
	}{
		{"", 0o600, "holds no token"},
		{testenv.Canary + " " + testenv.Canary, 0o600, "holds no token"},
		{testenv.Canary + testenv.Canary, 0o644, "chmod 600"},
	} {
		c := config.Config{DB: filepath.Join(t.TempDir(), "hermes.db")}
		if err := os.WriteFile(c.HookTokenFile(), []byte(test.text), test.mode); err != nil {
			t.Fatal(err)
		}
		_, err := config.HookToken(c)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), testenv.Canary) {
			t.Errorf("%q, %v: got %v, want %q", test.text, test.mode, err, test.want)
		}
	}
}

func TestHookToken_CannotBeKept(t *testing.T) {
	file := testenv.WriteFile(t, "file", "")
	_, err := config.HookToken(config.Config{DB: filepath.Join(file, "hermes.db")})
	if err == nil || !strings.Contains(err.Error(), "HERMES_DB") && !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("got %v", err)
	}
}
