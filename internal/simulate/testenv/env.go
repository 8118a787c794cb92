package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/config"
)

// GoodToken has the form of a bot's token.
const GoodToken = "123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ"

// Isolate takes every variable of hermes out of the test's environment and
// gives it a home of its own. Everything is put back afterwards.
func Isolate(t *testing.T) (home string) {
	t.Helper()
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, config.Prefix) || strings.HasPrefix(name, "XDG_") {
			t.Setenv(name, value) // so that it comes back
			os.Unsetenv(name)
		}
	}
	home = t.TempDir()
	t.Setenv("HOME", home)
	return home
}

// WriteFile writes a private file and returns its path.
func WriteFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Canary is a value that no output may show.
const Canary = "CANARY-5cKx92hQ"
