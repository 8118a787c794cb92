package rig

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	telegram "hermes/internal/simulate/telegramsim"
)

// parameter is one in a form, or in a JSON object, of a file in telegram/botapi's
// testdata/requests.
var parameter = regexp.MustCompile(`(?m)^(?:  ")?([a-z_]+)(?:"| \(a file.*\))?:`)

// documented are the parameters in those files, by method.
var documented = sync.OnceValue(func() map[string][]string {
	known := map[string][]string{"file": {"file_path"}} // in a URL
	files, _ := filepath.Glob(filepath.Join(moduleRoot(), "telegram", "botapi", "testdata", "requests", "*.txt"))
	for _, name := range files {
		text, _ := os.ReadFile(name)
		method, _, _ := strings.Cut(filepath.Base(name), ".")
		known[method] = append(known[method], "")
		for _, found := range parameter.FindAllStringSubmatch(string(text), -1) {
			known[method] = append(known[method], found[1])
		}
	}
	return known
})

// moduleRoot is the folder with go.mod, above that of the package whose tests run.
func moduleRoot() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return dir
}

// WantDocumented fails the test if a call is none of those that package botapi has as files.
func WantDocumented(t *testing.T, calls []telegram.Call) {
	t.Helper()
	for _, c := range calls {
		known, ok := documented()[c.Method]
		if !ok {
			t.Errorf("%s is in none of botapi's testdata/requests", c.Method)
		}
		for name := range c.Params {
			if ok && !slices.Contains(known, name) {
				t.Errorf("%s has %s, which no file in botapi's testdata/requests has", c.Method, name)
			}
		}
	}
}
