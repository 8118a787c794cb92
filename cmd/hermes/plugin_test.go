package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// hermes runs a command line that needs no input.
func hermes(args ...string) (code int, out, errs string) {
	var o, e strings.Builder
	code = run(args, streams{in: strings.NewReader(""), out: &o, err: &e})
	return code, o.String(), e.String()
}

func TestPluginCommand_Install(t *testing.T) {
	testenv.Isolate(t)
	folder := t.TempDir()
	token := testenv.WriteFile(t, "token", rig.LinkKey+"\n")
	install := []string{"plugin", "install", "--config-dir", folder, "--url", "https://hermes.example:4097/", "--token-file", token}
	code, out, errs := hermes(install...)
	if code != 0 || !strings.Contains(out, "Restart OpenCode to load it.") {
		t.Fatalf("install: %d, %q, %q", code, out, errs)
	}
	link, err := os.ReadFile(filepath.Join(folder, "plugin", "hermes.json"))
	if err != nil || !strings.Contains(string(link), rig.LinkKey) || !strings.Contains(string(link), `"https://hermes.example:4097"`) {
		t.Errorf("the link file is %s, %v", link, err)
	}
	rig.NoCanary(t, "install", out+errs)
	if _, out, _ := hermes(install...); !strings.Contains(out, "Nothing has changed.") {
		t.Errorf("again: %s", out)
	}
	if err := os.Remove(filepath.Join(folder, "plugin", "hermes.json")); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := hermes(install...); !strings.Contains(out, "Restart OpenCode to load it.") {
		t.Errorf("after the link file was deleted: %s", out)
	}
	for _, step := range []struct{ verb, want string }{{"status", "installed, version"}, {"uninstall", "Removed"}, {"uninstall", "It is not installed."}} {
		if code, out, errs = hermes("plugin", step.verb, "--config-dir", folder); code != 0 || !strings.Contains(out, step.want) {
			t.Errorf("%s: %d, %q, %q", step.verb, code, out, errs)
		}
	}
	if code, _, errs = hermes("plugin", "status", "--config-dir", folder); code != exitFailure || !strings.Contains(errs, "not installed") {
		t.Errorf("status without it: %d, %q", code, errs)
	}
}

// On another machine a new plugin goes on with the link that is there: no database is made, and OpenCode dials the same hermes.
func TestPluginCommand_InstallKeepsTheLink(t *testing.T) {
	testenv.Isolate(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "plugin", "hermes.json")
	token := testenv.WriteFile(t, "token", rig.LinkKey+"\n")
	if code, _, errs := hermes("plugin", "install", "--config-dir", folder, "--url", "https://hermes.example:4097", "--token-file", token); code != 0 {
		t.Fatal(code, errs)
	}
	was, _ := os.ReadFile(file)
	code, out, errs := hermes("plugin", "install", "--config-dir", folder)
	if code != 0 || !strings.Contains(out, "Nothing has changed.") {
		t.Errorf("%d, %q, %q", code, out, errs)
	}
	if is, err := os.ReadFile(file); err != nil || string(is) != string(was) {
		t.Errorf("the link file is other: %v", err)
	}
	rig.NoCanary(t, "install", out+errs)
}

// A machine that was linked to one of two hermes learns the address of the other one without another token. For strangers to its link it has none.
func TestPluginCommand_InstallAddsAnAddress(t *testing.T) {
	testenv.Isolate(t)
	folder := t.TempDir()
	install := func(args ...string) (int, string, string) {
		return hermes(append([]string{"plugin", "install", "--config-dir", folder}, args...)...)
	}
	if code, _, errs := install("--url", "https://a.example", "--token-file", testenv.WriteFile(t, "token", rig.LinkKey+"\n")); code != 0 {
		t.Fatal(code, errs)
	}
	if code, out, errs := install("--url", "https://a.example/,https://b.example"); code != 0 || !strings.Contains(out, "Restart OpenCode") {
		t.Errorf("%d, %q, %q", code, out, errs)
	}
	file := filepath.Join(folder, "plugin", "hermes.json")
	both, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(both), rig.LinkKey) || !strings.Contains(string(both), `"https://b.example"`) {
		t.Errorf("the link file is %s, %v", both, err)
	}
	if code, _, errs := install("--url", "https://c.example"); code != exitFailure || !strings.Contains(errs, "give its token with --token-file") {
		t.Errorf("another hermes: %d, %q", code, errs)
	}
	if is, err := os.ReadFile(file); err != nil || string(is) != string(both) {
		t.Errorf("the link that works was spoiled: %s, %v", is, err)
	}
}

// What is wrong with a flag is a mistake in the use: exit code 2, and the flag's
// name. Its value is not shown, which may be a secret put in the wrong place.
func TestPluginCommand_InstallMistakes(t *testing.T) {
	for _, test := range []struct{ flag, value, want string }{
		{"--url", "canary", "--url: is not a URL that begins with http:// or https://"},
		{"--url", "ftp://canary.example", "--url: is not a URL"},
		{"--url", "https://user:canary@hermes.example", "--url: is not a URL"},
		{"--url", "https://hermes.example?canary", "--url: is not a URL"},
		{"--token-file", filepath.Join(t.TempDir(), "canary"), "--token-file: cannot be read: there is no such file"},
		{"--token-file", t.TempDir(), "--token-file: cannot be read: that is a directory"},
		{"--token-file", testenv.WriteFile(t, "empty", " \n"), "--token-file: holds no token of a link"},
		{"--token-file", testenv.WriteFile(t, "short", "canary"), "--token-file: holds no token of a link"},
		{"--token-file", testenv.WriteFile(t, "api", rig.HookKey), "--token-file: holds no token of a link"},
		{"--token-file", testenv.WriteFile(t, "words", "canary canary canary canary"), "--token-file: holds no token of a link"},
	} {
		testenv.Isolate(t)
		folder := t.TempDir()
		code, out, errs := hermes("plugin", "install", "--config-dir", folder, test.flag, test.value)
		if code != exitUsage || !strings.HasPrefix(errs, "hermes: "+test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s %s: %d, %q", test.flag, test.value, code, errs)
		}
		rig.NoCanary(t, test.flag, out+errs)
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
			t.Errorf("%s %s: something was written: %v, %v", test.flag, test.value, entries, err)
		}
	}
}
