package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// standbyServer is a standby that names another hermes, which nobody may go to.
func standbyServer(t *testing.T) string {
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request went where a standby sent it") }))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"error":"a standby","standby":true,"acting":"` + stranger.URL + `"}`))
	}))
	t.Cleanup(stranger.Close)
	t.Cleanup(s.Close)
	return s.URL
}

// A code counts at each hermes that shares the store, and the plugin learns the addresses of all.
func TestPluginInstall_WithACodeAtAStandby(t *testing.T) {
	for name, flags := range map[string]func(a, b string) []string{
		"twice":  func(a, b string) []string { return []string{"--url", a, "--url", b} },
		"commas": func(a, b string) []string { return []string{"--url", a + "," + b} },
	} {
		t.Run(name, func(t *testing.T) {
			testenv.Isolate(t)
			folder := t.TempDir()
			standby, acting := standbyServer(t), codeServer(t, "c0de", 0)
			code, out, errs := hermes(append([]string{"plugin", "install", "--config-dir", folder, "--code", "c0de"}, flags(standby, acting)...)...)
			if code != 0 || !strings.Contains(out, "laptop-7") {
				t.Fatalf("install: %d, %q, %q", code, out, errs)
			}
			file, err := os.ReadFile(filepath.Join(folder, "plugin", "hermes.json"))
			if err != nil || !strings.Contains(string(file), `"url": "`+standby+`"`) || strings.Count(string(file), acting) != 1 {
				t.Errorf("the link file is %s, %v", file, err)
			}
			code, out, errs = hermes("plugin", "status", "--config-dir", folder)
			if code != 0 || !strings.Contains(out, "hermes at  "+standby+"\nor at      "+acting+"\n") {
				t.Errorf("status: %d, %q, %q", code, out, errs)
			}
		})
	}
}

// Where a hermes knows how other machines reach it and those that share its store, the command for them is whole.
func TestLinkAdd_TheCommandForTheOtherMachine(t *testing.T) {
	c := rig.TestConfig("hermes.db")
	for want, set := range map[string]func(*config.Config){
		"--url URL --token-file FILE":                                   func(*config.Config) {},
		"--url https://a.example --token-file FILE":                     func(c *config.Config) { c.PublicURL = "https://a.example" },
		"--url https://a.example,https://b.example --token-file FILE\n": func(c *config.Config) { c.PublicURL, c.PeerURLs = "https://a.example", []string{"https://b.example"} },
	} {
		set(&c)
		var said bytes.Buffer
		printNextStep(&said, c)
		if !strings.Contains(said.String(), want) {
			t.Errorf("it says %s, want %q", &said, want)
		}
		c = rig.TestConfig("hermes.db")
	}
}
