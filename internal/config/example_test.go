package config_test

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hermes/internal/config"
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
