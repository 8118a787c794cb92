package daemon_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
)

// The description has every path that the daemon serves, no other, and who may call each; and each is there, behind that token.
func TestOpenAPI_HasEveryPath(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		document, served := rig.Description(), r.Daemon.Endpoints()
		if there, want := document.Patterns(), slices.Sorted(maps.Keys(served)); !slices.Equal(there, want) {
			t.Fatalf("the description has\n%s\nand the daemon serves\n%s\nadd what is missing to operations in internal/api/openapi_operations_test.go",
				strings.Join(there, "\n"), strings.Join(want, "\n"))
		}
		tokens := map[api.Caller][]string{api.Anybody: nil, api.LinkHolder: {"api", "link"}, api.TokenHolder: {"api"}}
		_, text := r.Request("POST", "/v1/links", `{"name":"laptop-7"}`)
		link := between(text, `"token":"`, `"`)
		for pattern, caller := range served {
			if got := document.Tokens(pattern); !slices.Equal(got, tokens[caller]) {
				t.Errorf("%s is opened by %q, want %q", pattern, got, tokens[caller])
			}
			method, path, _ := strings.Cut(pattern, " ")
			path = strings.NewReplacer("{id}", "none", "{name}", "none").Replace(path)
			wantOpenedBy(t, r, method, path, caller, link)
		}
	})
}

// wantOpenedBy asks without a token, and with that of a link.
func wantOpenedBy(t *testing.T, r *rig.Rig, method, path string, caller api.Caller, link string) {
	t.Helper()
	body := ""
	if method == "POST" || method == "PUT" {
		body = "{"
	}
	for _, c := range []struct {
		with, header string
		want         bool
	}{
		{with: "no token", header: "", want: caller == api.Anybody},
		{with: "the token of a link", header: "Bearer " + link, want: caller != api.TokenHolder},
	} {
		code, text := r.Request(method, path, body, "Authorization", c.header)
		if opened := code != http.StatusUnauthorized && code != http.StatusForbidden; opened != c.want {
			t.Errorf("%s %s with %s: %d %s", method, path, c.with, code, text)
		}
	}
	if code, text := r.Request(method, path, body, "Origin", "https://evil.example"); caller != api.Anybody && code != http.StatusForbidden {
		t.Errorf("%s %s from a web page: %d %s", method, path, code, text)
	}
}

func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}

func TestOpenAPI_IsServed(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if code, text := r.Request("GET", "/v1/openapi.json", ""); code != http.StatusOK || text != string(api.OpenAPI()) {
			t.Errorf("%d, %d bytes", code, len(text))
		}
	})
}

// Of every path, each answer that is no refusal is played: the rig holds it to the description.
func TestOpenAPI_HoldsEveryAnswer(t *testing.T) {
	var mu sync.Mutex
	heard := map[string]bool{}
	note := func(pattern string, status int) {
		mu.Lock()
		defer mu.Unlock()
		heard[pattern+" "+strconv.Itoa(status)] = true
	}
	rules := filepath.Join(t.TempDir(), "rules.toml")
	if err := os.WriteFile(rules, []byte(teamRules), 0o600); err != nil {
		t.Fatal(err)
	}
	rig.Play(t, func(c *config.Config) { c.PublicURL, c.Rules = publicURL, rules }, func(r *rig.Rig) {
		r.Answered = note
		playAsks(r)
		playLinks(r)
		playCare(r)
	})
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		r.Answered = note
		p := r.ConnectPluginTo("shed", r.Opencode, r.Opencode.Directory())
		r.Wait(2 * time.Minute) // its polls have nothing to carry
		p.Disconnect()
	})
	for _, pattern := range rig.Description().Patterns() {
		for _, status := range rig.Description().Statuses(pattern) {
			if status < "300" && !atHome[pattern] && !heard[pattern+" "+status] {
				t.Errorf("%s with %s was not played", pattern, status)
			}
		}
	}
}

// atHome is what callers on the same machine alone get, which the rig's connections do not come from: TestBackup_WhoMayFetchIt
// has its answers.
var atHome = map[string]bool{"GET /v1/backup": true}

func playAsks(r *rig.Rig) {
	r.Ask(rig.DatabaseQuestion())
	r.Request("GET", "/v1/questions?last=20", "")
	r.CallQuestion(r.OpenQuestion().ID, "")
	r.CallQuestion(r.OpenQuestion().ID, `{"answers":[["SQLite"]]}`)
	r.Wait(rig.WaitFor)
	path := r.Submit(rig.AskDeployLine())
	r.Request("GET", path+"?wait=1s", "")
	r.Request("DELETE", path, "")
}

func playLinks(r *rig.Rig) {
	if _, _, err := exchange(r, codeOf(r, rig.Bob), "laptop"); err != nil {
		r.T.Error(err)
	}
	r.Request("POST", "/v1/links", `{"name":"desk","owner":43}`)
	r.GiveLink("desk", rig.Ada)
	r.Request("GET", "/v1/link", "")
	hello := `{"protocol":1,"instance":"i","process":"p","directory":"/d","complete":true}`
	_, text := r.Request("POST", "/v1/link", hello)
	link := "/v1/link/" + between(text, `"link":"`, `"`)
	r.Request("GET", link+"/calls?after=0&follow=-1", "")
	r.Request("POST", link+"/events", `{"events":[{"type":"session.idle","properties":{}}]}`)
	r.Request("POST", link+"/results", `{"id":"1","status":200}`)
	r.Request("GET", "/v1/links", "")
	r.Request("PUT", "/v1/links/desk/name", `{"name":"shed"}`)
	r.Request("DELETE", "/v1/links/shed", "")
}

func playCare(r *rig.Rig) {
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/v1/status", "/v1/openapi.json", "/v1/journal?after=1&wait=1s", "/v1/journal/verify"} {
		r.Request("GET", path, "")
	}
	_, text := r.Request("POST", "/v1/pair", `{"group":false,"name":"Cy","roles":["dev"]}`)
	r.Request("GET", "/v1/pair", "")
	r.Request("DELETE", "/v1/pair/"+between(text, `"id":"`, `"`), "")
	r.Request("POST", "/v1/reload", "")
}
