package plugin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/internal/secret"
	"hermes/opencode/plugin"
)

const hermesURL = "http://127.0.0.1:4097"

func options(config string) plugin.Options {
	return plugin.Options{ConfigDir: config, URLs: []string{hermesURL}, Token: token}
}

func install(t *testing.T, config string) plugin.Report {
	t.Helper()
	report, err := plugin.Install(options(config))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func status(t *testing.T, config string) plugin.State {
	t.Helper()
	s, err := plugin.Status(plugin.Options{ConfigDir: config})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestInstall_StatusUninstall(t *testing.T) {
	config := filepath.Join(t.TempDir(), "not", "yet")
	if s := status(t, config); s.Installed || len(s.Warnings) > 0 {
		t.Errorf("before, the status is %+v", s)
	}
	report := install(t, config)
	if !report.Changed || report.Kept != "" || len(report.Warnings) > 0 {
		t.Errorf("the report is %+v", report)
	}
	folder := filepath.Join(config, "plugin")
	if got := files(t, folder); !slices.Equal(got, []string{"hermes.js", "hermes.json"}) {
		t.Errorf("the folder has %q", got)
	}
	info, err := os.Stat(report.Link)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the link file is %v %v", info.Mode(), err)
	}
	var link map[string]string
	if json.Unmarshal([]byte(get(t, report.Link)), &link) != nil || link["url"] != hermesURL || link["token"] != token {
		t.Error("the link file does not hold the URL and the token")
	}
	s := status(t, config)
	if !s.Installed || s.Edited || !s.Current || s.Version != plugin.Version() || !slices.Equal(s.URLs, []string{hermesURL}) || len(s.Warnings) > 0 {
		t.Errorf("the status is %+v", s)
	}
	if report, err := plugin.Uninstall(plugin.Options{ConfigDir: config}); err != nil || !report.Changed || report.Kept != "" {
		t.Errorf("uninstalling gave %+v, %v", report, err)
	}
	if got := files(t, folder); len(got) > 0 {
		t.Errorf("uninstalling left %q", got)
	}
	if report, err := plugin.Uninstall(plugin.Options{ConfigDir: filepath.Join(config, "nowhere")}); err != nil || report.Changed {
		t.Errorf("uninstalling nothing gave %+v, %v", report, err)
	}
}

func TestInstall_InstallingAgainChangesOnlyWhatIsNew(t *testing.T) {
	config := t.TempDir()
	report := install(t, config)
	before, _ := os.Stat(report.Plugin)
	if err := os.Chmod(report.Link, 0o644); err != nil {
		t.Fatal(err)
	}
	if s := status(t, config); len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "chmod 600") {
		t.Errorf("a link file that others can read gave the warnings %q", s.Warnings)
	}
	if again := install(t, config); again.Changed || again.Kept != "" {
		t.Errorf("the second report is %+v", again)
	}
	after, _ := os.Stat(report.Plugin)
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the plugin was written again")
	}
	if s := status(t, config); len(s.Warnings) > 0 {
		t.Errorf("after installing again the warnings are %q", s.Warnings)
	}
}

func TestInstall_AnOlderVersionIsReplacedAndAnEditedOneKept(t *testing.T) {
	config := t.TempDir()
	report := install(t, config)
	older := "// hermes plugin 0.1.0 sha256=" + "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c" + "\nfoo\n"
	put(t, report.Plugin, older)
	if s := status(t, config); s.Version != "0.1.0" || s.Current || s.Edited {
		t.Errorf("the status of an older version is %+v", s)
	}
	if again := install(t, config); !again.Changed || again.Kept != "" {
		t.Errorf("replacing an older version gave %+v", again)
	}
	for n, edited := range []string{get(t, report.Plugin) + "// mine\n", "export const Mine = async () => ({})\n"} {
		put(t, report.Plugin, edited)
		if s := status(t, config); !s.Edited || s.Current || s.Version != "" {
			t.Errorf("the status of an edited file is %+v", s)
		}
		again := install(t, config)
		if want := report.Plugin + ".kept-" + string(rune('1'+n)); again.Kept != want || get(t, want) != edited {
			t.Errorf("the edited file is kept in %q, want %q", again.Kept, want)
		}
		if s := status(t, config); !s.Current {
			t.Errorf("afterwards the status is %+v", s)
		}
	}
	put(t, report.Plugin, "third")
	gone, err := plugin.Uninstall(plugin.Options{ConfigDir: config})
	if err != nil || get(t, gone.Kept) != "third" {
		t.Errorf("uninstalling an edited file gave %+v, %v", gone, err)
	}
}

func TestInstall_WhereTheConfigurationFolderIs(t *testing.T) {
	base := t.TempDir()
	for _, c := range []struct {
		name, flag string
		env        map[string]string
		want       string
	}{
		{"flag", base + "/f", map[string]string{"OPENCODE_CONFIG_DIR": base + "/o"}, "/f"},
		{"OPENCODE_CONFIG_DIR", "", map[string]string{"OPENCODE_CONFIG_DIR": base + "/o", "XDG_CONFIG_HOME": base + "/x"}, "/o"},
		{"XDG_CONFIG_HOME", "", map[string]string{"XDG_CONFIG_HOME": base + "/x", "HOME": base + "/h"}, "/x/opencode"},
		{"HOME", "", map[string]string{"HOME": base + "/h"}, "/h/.config/opencode"},
	} {
		s, err := plugin.Status(plugin.Options{ConfigDir: c.flag, Getenv: func(name string) string { return c.env[name] }})
		if want := base + c.want + "/plugin/hermes.js"; err != nil || s.Plugin != want {
			t.Errorf("%s: got %s %v, want %s", c.name, s.Plugin, err, want)
		}
	}
	if _, err := plugin.Status(plugin.Options{Getenv: func(string) string { return "" }}); err == nil || !strings.Contains(err.Error(), "--config-dir") {
		t.Errorf("without HOME the error is %v", err)
	}
}

func TestInstall_LinksInTheFileSystem(t *testing.T) {
	real, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "dotfiles.js")
	config := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(real, config); err != nil {
		t.Fatal(err)
	}
	install(t, config)
	if got := files(t, filepath.Join(real, "plugin")); len(got) != 2 {
		t.Errorf("through a linked folder there is %q", got)
	}
	for _, name := range []string{"hermes.js", "hermes.json"} {
		path := filepath.Join(real, "plugin", name)
		put(t, elsewhere, "precious")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, path); err != nil {
			t.Fatal(err)
		}
		for doing, do := range map[string]func(plugin.Options) (plugin.Report, error){"install": plugin.Install, "uninstall": plugin.Uninstall} {
			if _, err := do(options(config)); err == nil || !strings.Contains(err.Error(), name+" is a symbolic link") {
				t.Errorf("%s over a linked %s gave %v", doing, name, err)
			}
		}
		if get(t, elsewhere) != "precious" {
			t.Errorf("the file behind a linked %s was changed", name)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		install(t, config)
	}
}

func TestInstall_WhatCannotBeWrittenIsExplained(t *testing.T) {
	config := t.TempDir()
	put(t, filepath.Join(config, "plugin"), "a file")
	if _, err := plugin.Install(options(config)); err == nil || !strings.Contains(err.Error(), filepath.Join(config, "plugin")) {
		t.Errorf("a file in place of the folder gave %v", err)
	}
	if _, err := plugin.Install(options("/proc/hermes")); err == nil || !strings.Contains(err.Error(), "/proc/hermes") {
		t.Errorf("a folder that cannot be made gave %v", err)
	}
}

func TestInstall_OtherCopiesAreWarnedOf(t *testing.T) {
	config := t.TempDir()
	other := filepath.Join(config, "plugins", "hermes.js")
	put(t, other, "x")
	if report := install(t, config); len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], other) {
		t.Errorf("the warnings are %q", report.Warnings)
	}
	if s := status(t, config); len(s.Warnings) != 1 {
		t.Errorf("the status warns %q", s.Warnings)
	}
}

func TestInstall_URLAndToken(t *testing.T) {
	for _, c := range []struct {
		url, token string
		ok         bool
		warnings   int
	}{
		{hermesURL, token, true, 0},
		{"http://[::1]:4097", token, true, 0},
		{"http://localhost:4097/base", token, true, 0},
		{"https://hermes.example", token, true, 0},
		{"http://hermes.example", token, true, 1},
		{"", token, false, 0},
		{"hermes.example:4097", token, false, 0},
		{"ftp://hermes.example", token, false, 0},
		{"file:///etc/passwd", token, false, 0},
		{"http://", token, false, 0},
		{"http://u:s3cret@hermes.example", token, false, 0},
		{"http://hermes.example?x=s3cret", token, false, 0},
		{"http://hermes.example/%zz-s3cret", token, false, 0},
		{hermesURL, "", false, 0},
		{hermesURL, "s3cret with space", false, 0},
		{hermesURL, "s3cret\n", false, 0},
	} {
		config := t.TempDir()
		report, err := plugin.Install(plugin.Options{ConfigDir: config, URLs: []string{c.url}, Token: secret.Text(c.token)})
		if (err == nil) != c.ok || len(report.Warnings) != c.warnings {
			t.Errorf("%q gave %v, warnings %q", c.url, err, report.Warnings)
		}
		if err != nil && (strings.Contains(err.Error(), "s3cret") || len(files(t, config)) > 0) {
			t.Errorf("%q gave %v and left %q", c.url, err, files(t, config))
		}
	}
}

func TestInstall_AMissingOrSpoiltLinkFileIsReported(t *testing.T) {
	config := t.TempDir()
	report := install(t, config)
	for _, content := range []string{"", "{", `{"url":"http://127.0.0.1:1"}`, `{"url":"x","token":"t"}`} {
		put(t, report.Link, content)
		if s := status(t, config); len(s.URLs) > 0 || len(s.Warnings) != 1 {
			t.Errorf("%q gave %+v", content, s)
		}
	}
	if err := os.Remove(report.Link); err != nil {
		t.Fatal(err)
	}
	if s := status(t, config); len(s.URLs) > 0 || len(s.Warnings) != 1 {
		t.Errorf("no file gave %+v", s)
	}
}

// hermes link run finds hermes where the plugin does: in the file, and only where there is none in the environment.
func TestFindLink(t *testing.T) {
	const token, other = "hermes_link_canary-0123456789abcdefghijklmnopqrstuvwxyz", "hermes_link_CANARY-0123456789abcdefghijklmnopqrstuvwxyz"
	good := `{"url":"https://hermes.example:4097","token":"` + token + `"}`
	both := map[string]string{"HERMES_URL": "http://127.0.0.1:4097", "HERMES_TOKEN": other}
	for name, c := range map[string]struct {
		file string
		env  map[string]string
		url  string
		says string
	}{
		"file":                 {good, nil, "https://hermes.example:4097", ""},
		"file before the rest": {good, both, "https://hermes.example:4097", ""},
		"several in the file":  {strings.Replace(good, `{`, `{"urls":["https://hermes.example:4097","https://b.example","https://b.example"],`, 1), both, "https://hermes.example:4097,https://b.example", ""},
		"one of them is none":  {strings.Replace(good, `{`, `{"urls":["https://hermes.example:4097","canary"],`, 1), both, "", "must be http or https"},
		"several outside":      {"", map[string]string{"HERMES_URL": "https://a.example, https://b.example", "HERMES_TOKEN": other}, "https://a.example,https://b.example", ""},
		"environment":          {"", both, "http://127.0.0.1:4097", ""},
		"no token there":       {"", map[string]string{"HERMES_URL": "http://127.0.0.1:4097"}, "", "no token of a link"},
		"neither":              {"", nil, "", "it is not known where hermes is"},
		"no JSON":              {"token=" + token, both, "", "cannot be used"},
		"another URL":          {strings.Replace(good, "https:", "ftp:", 1), nil, "", "must be http or https"},
		"password in it":       {strings.Replace(good, "hermes.ex", "a:canary@hermes.ex", 1), nil, "", "must not hold"},
		"another token":        {strings.Replace(good, "hermes_link_", "api_", 1), nil, "", "not the token of a link"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if c.file != "" {
				if err := os.MkdirAll(filepath.Join(dir, "plugin"), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "plugin", "hermes.json"), []byte(c.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := plugin.FindLink(plugin.Options{ConfigDir: dir, Getenv: func(name string) string { return c.env[name] }})
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(strings.ToLower(err.Error()), "canary") {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || strings.Join(got.URLs, ",") != c.url || (got.Token == token) != (c.file != "") {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

func TestFindLink_Warnings(t *testing.T) {
	open := filepath.Join(t.TempDir(), "hermes.json")
	if err := os.WriteFile(open, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		link plugin.Link
		want int
	}{
		{plugin.Link{URLs: []string{"https://hermes.example"}}, 0},
		{plugin.Link{URLs: []string{"http://127.0.0.1:4097"}}, 0},
		{plugin.Link{URLs: []string{"https://a.example", "http://hermes.example"}}, 1},
		{plugin.Link{URLs: []string{"http://hermes.example"}, From: open}, 2},
	} {
		if got := c.link.Warnings(); len(got) != c.want {
			t.Errorf("%s warns %q", c.link.URLs, got)
		}
	}
}
