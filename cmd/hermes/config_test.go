package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
)

// What is set is shown with where it comes from, and no secret; what is wrong may be one.
func TestConfig_Show(t *testing.T) {
	testenv.Isolate(t)
	file := testenv.WriteFile(t, "hermes.env", "HERMES_TELEGRAM_TOKEN="+testenv.GoodToken+"\nHERMES_LANG=zh\nHERMES_TOPICS="+testenv.GoodToken+"\n")
	t.Setenv("HERMES_LANG", "en")
	code, out, errs := hermes("config", "--config", file)
	const want = "HERMES_TELEGRAM_TOKEN  ***  FILE\nHERMES_TOPICS          ***  FILE\nHERMES_LANG            en   the environment\n"
	if got := strings.ReplaceAll(out, file, "FILE"); got != want || code != exitUsage || errs != "hermes: HERMES_TOPICS: is not true or false\n" {
		t.Errorf("exit code %d\n%s%s", code, got, errs)
	}
}

func TestConfig_Set(t *testing.T) {
	testenv.Isolate(t)
	file := config.UsualFile()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("# mine\nHERMES_LANG=zh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	set := func(stdin string, args ...string) (int, string) {
		var out, errs strings.Builder
		code := run(append([]string{"config", "set"}, args...), streams{in: strings.NewReader(stdin), out: &out, err: &errs})
		if strings.Contains(out.String()+errs.String(), testenv.GoodToken) {
			t.Errorf("%q shows the token", args)
		}
		return code, errs.String()
	}
	for _, c := range []struct {
		stdin, name, value string
		code               int
		errs               string
	}{
		{"", "HERMES_LANG", "", 0, ""},
		{"", "HERMES_QUESTION_TTL", "2h", 0, ""},
		{testenv.GoodToken + "\n", "HERMES_TELEGRAM_TOKEN", "-", 0, ""},
		{"", "HERMES_TELEGRAM_TOKEN", testenv.GoodToken, exitUsage, "hermes: HERMES_TELEGRAM_TOKEN: is a secret"},
		{"", "HERMES_QUESTION_TTLS", "2h", exitUsage, "hermes: HERMES_QUESTION_TTLS: is not a variable of hermes; did you mean HERMES_QUESTION_TTL?"},
		{"", "HERMES_TOPICS", "true\nx", exitUsage, "hermes: HERMES_TOPICS: must be one line"},
		{"", "HERMES_TOPICS", "perhaps", exitUsage, "hermes: HERMES_TOPICS: is not true or false"},
	} {
		if code, errs := set(c.stdin, c.name, c.value); code != c.code || !strings.HasPrefix(errs, c.errs) || c.errs == "" && errs != "" {
			t.Errorf("%s: exit code %d, %s", c.name, code, errs)
		}
	}
	text, err := os.ReadFile(file)
	info, _ := os.Stat(file)
	if want := "# mine\nHERMES_QUESTION_TTL=2h\nHERMES_TELEGRAM_TOKEN=" + testenv.GoodToken + "\nHERMES_TOPICS=perhaps\n"; err != nil || string(text) != want || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v\n%s", err, info.Mode(), text)
	}
}
