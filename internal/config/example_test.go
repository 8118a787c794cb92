package config_test

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// readExample returns config.example.env.
func readExample(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../config.example.env")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The example must name every variable once, with its default, and no other.
func TestExample_HasEveryVariable(t *testing.T) {
	found := map[string]bool{}
	line := regexp.MustCompile(`(?m)^#?([A-Z_]+)=(.*)$`)
	known := config.Variables()
	for _, match := range line.FindAllStringSubmatch(readExample(t), -1) {
		name, value := match[1], match[2]
		want, ok := known[name]
		if !ok || value != want || found[name] {
			t.Errorf("%s=%s: known %v, default %q, or it stands twice", name, value, ok, want)
		}
		found[name] = true
	}
	for name := range known {
		if !found[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// With every line in force the example must load and mean the defaults.
func TestExample_Loads(t *testing.T) {
	testenv.Isolate(t)
	want, err := config.Load(config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(readExample(t), "\n#HERMES_", "\nHERMES_")
	got, err := config.Load(config.Options{File: testenv.WriteFile(t, "hermes.env", text)})
	if err != nil || len(got.Warnings) != 0 {
		t.Errorf("got %v, warnings %v", err, got.Warnings)
	}
	if got.File = ""; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// Untouched, the example must ask for what serve needs and for nothing else.
func TestExample_Untouched(t *testing.T) {
	testenv.Isolate(t)
	_, err := rig.LoadFile(t, readExample(t))
	var lines config.Mistakes
	errors.As(err, &lines)
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "HERMES_TELEGRAM_TOKEN: is not set") || !strings.HasPrefix(lines[1], "HERMES_TELEGRAM_USERS: is not set") {
		t.Errorf("got %v", err)
	}
}

// The example says what each HERMES_ON_EXPIRY does, and no other page has a list of them
// that could lack one.
func TestExampleHasEveryExpiry(t *testing.T) {
	before, _, _ := strings.Cut(readExample(t), "\n#HERMES_ON_EXPIRY=")
	paragraph := before[strings.LastIndex(before, "\n\n"):]
	for _, e := range question.Expiries() {
		if !regexp.MustCompile(`\b` + string(e) + `\b`).MatchString(paragraph) {
			t.Errorf("config.example.env says nothing of %q above HERMES_ON_EXPIRY", e)
		}
	}
	for page, row := range map[string]string{"../../docs/configuration.md": "HERMES_ON_EXPIRY", "../../docs/http.md": "on_timeout", "../../docs/rules.md": "on_timeout"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile("(?m)^\\| `" + row + "` \\|.*$").FindString(string(text))
		if !strings.Contains(found, "config.example.env") {
			t.Errorf("%s does not refer to config.example.env: %q", page, found)
		}
	}
}
