package plugin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/opencode/plugin"
)

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
