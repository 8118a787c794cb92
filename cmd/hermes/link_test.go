package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
	"hermes/pending"
)

func helloFrom(process string) string {
	return `{"protocol":1,"instance":"i","process":"` + process + `","directory":"/src/shop","host":"laptop-7","version":"1.18.33","plugin":"1.3.0"}`
}

// A link's token opens the paths of links and nothing else, whatever becomes of the interface.
func TestLink_TokenOpensNothingElse(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		token, err := r.Links().Add(r.T.Context(), "laptop-7", 0)
		if err != nil {
			t.Fatal(err)
		}
		if code, body := r.RequestAs(token, "GET", "/v1/link", ""); code != http.StatusOK || body != "{\"name\":\"laptop-7\"}\n" {
			t.Errorf("its own path says %d %s", code, body)
		}
		routes := r.Daemon.Routes()
		if len(routes) < 17 {
			t.Errorf("only %d routes", len(routes))
		}
		for pattern := range routes {
			method, path, _ := strings.Cut(pattern, " ")
			path = strings.NewReplacer("{id}", "x", "{name}", "laptop-7").Replace(path)
			for _, token := range []secret.Text{token, rig.LinkKey, ""} {
				if code, body := r.RequestAs(token, method, path, "{}"); code != http.StatusUnauthorized && code != http.StatusForbidden {
					t.Errorf("%s is open to a link's token: %d %s", pattern, code, body)
				}
			}
			if code, body := r.RequestAs(token, method, path, "{}"); !strings.Contains(body, "opens /v1/link and nothing else") {
				t.Errorf("%s does not say why: %d %s", pattern, code, body)
			}
		}
		if list, err := r.Links().List(r.T.Context()); err != nil || len(list.Links) != 1 {
			t.Errorf("the link's token has changed the links: %+v, %v", list, err)
		}
	})
}

// The list tells of each machine whose it is, what is linked with it, and what waits there.
func TestLinkList_Table(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		tokens := map[string]secret.Text{}
		for name, owner := range map[string]chat.UserID{"laptop-7": rig.Ada, "old": 0, "unused": 0} {
			token, err := r.Links().Add(r.T.Context(), name, owner)
			if err != nil {
				t.Fatal(err)
			}
			tokens[name] = token
		}
		r.RequestAs(tokens["laptop-7"], "POST", "/v1/link", helloFrom("p"))
		r.RequestAs(tokens["old"], "POST", "/v1/link", strings.Replace(helloFrom("q"), `"protocol":1`, `"protocol":0`, 1))
		r.Wait(2 * time.Second)
		var b strings.Builder
		if err := printLinks(r.T.Context(), &b, r.Links(), false); err != nil {
			t.Fatal(err)
		}
		made, seen := time.Now().Local().Format(time.DateOnly), time.Now().Local().Format("2006-01-02 15:04") // whatever the zone
		want := []string{
			"NAME      OWNER  MADE        LAST SEEN         HOST      WAITING",
			"laptop-7  42     " + made + "  " + seen + "  laptop-7  0",
			"  1.18.33 (plugin 1.3.0, protocol 1)",
			"old       -      " + made + "  never                       0",
			"  1.18.33 (plugin 1.3.0, protocol 0, refused: update it, or hermes)",
			"unused    -      " + made + "  never                       0",
		}
		if got := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"); !slices.Equal(got, want) {
			t.Errorf("got\n%s", b.String())
		}
	})
}

func TestLink_Names(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		for _, name := range []string{"", "a b", "-x", "a/b", "ä", strings.Repeat("x", 64), `a"`, "."} {
			body, _ := json.Marshal(api.LinkName{Name: name})
			if code, text := r.Request("POST", "/v1/links", string(body)); code != http.StatusBadRequest || !strings.Contains(text, "1 to 63 letters") {
				t.Errorf("%q gave %d %s", name, code, text)
			}
		}
		for _, body := range []string{"", "[]", `{"name":"a","person":1}`, `{"name":"a"}{}`} {
			if code, _ := r.Request("POST", "/v1/links", body); code != http.StatusBadRequest {
				t.Errorf("%s gave %d", body, code)
			}
		}
	})
	for host, want := range map[string]string{"laptop": "laptop", "Ada's Mac.local": "Ada-s-Mac.local", "": "machine", "---": "machine", strings.Repeat("h", 90): strings.Repeat("h", 56)} {
		if got := api.LinkNameFor(host); got != want || !api.LinkNameForm.MatchString(got) {
			t.Errorf("the link of host %q is %q, want %q", host, got, want)
		}
	}
}

// Where no hermes runs, a link can be made, also before the first start. What changes or lists links says that hermes must run.
func TestLinkCommand_WithoutHermes(t *testing.T) {
	home := testenv.Isolate(t)
	t.Setenv("HERMES_LISTEN", "127.0.0.1:1") // nobody
	db := filepath.Join(home, ".local", "state", "hermes", "hermes.db")
	code, token, errs := hermes("link", "add", "laptop-7")
	if code != 0 || !strings.HasPrefix(token, "hermes_link_") || strings.Count(token, "\n") != 1 || errs != "" {
		t.Fatalf("add: %d %q %q", code, token, errs)
	}
	for range 2 { // the second time in a database that is there
		if code, _, errs = hermes("link", "add", "laptop-7"); code != exitFailure || !strings.Contains(errs, "already: laptop-7") {
			t.Errorf("add again: %d %q", code, errs)
		}
	}
	if code, out, _ := hermes("audit"); code != 0 || !strings.Contains(out, "made a link for OpenCode: \"laptop-7\"") || !strings.Contains(out, "terminal") {
		t.Errorf("audit: %d %q", code, out)
	}
	if content, err := os.ReadFile(db); err != nil || strings.Contains(string(content), strings.TrimSpace(token)) {
		t.Errorf("the database holds the token: %v", err)
	}
	for _, args := range [][]string{
		{"link", "list"},
		{"link", "revoke", "laptop-7"},
		{"link", "rename", "laptop-7", "desk"},
		{"link", "owner", "laptop-7", "--person", "42"},
		{"link", "add", "other", "--person", "42"},
	} {
		if code, _, errs := hermes(args...); code != exitFailure || !strings.HasPrefix(errs, "hermes: no hermes runs at http://127.0.0.1:1 (HERMES_LISTEN); ") {
			t.Errorf("%q: %d %q", args, code, errs)
		}
	}
	for _, args := range [][]string{{"link", "rename", "a"}, {"link", "rename", "a", "b c"}, {"link"}, {"link", "add"}, {"link", "add", "a", "b"}, {"link", "add", "a b"}, {"link", "revoke"}} {
		if code, _, errs := hermes(args...); code != exitUsage {
			t.Errorf("%q: %d %q", args, code, errs)
		}
	}
}

// hermes plugin install makes a link where none is given: with and without --url, before the first start and after it.
func TestPluginInstall_MakesALink(t *testing.T) {
	for _, url := range []string{"", "https://hermes.example:4097"} {
		home := testenv.Isolate(t)
		t.Setenv("HERMES_LISTEN", "127.0.0.1:1") // nobody
		t.Setenv("HERMES_TELEGRAM_TOKEN", rig.TestToken)
		folder := t.TempDir()
		args := []string{"plugin", "install", "--config-dir", folder}
		if url != "" {
			args = append(args, "--url", url)
		}
		linked := func() string {
			content, err := os.ReadFile(filepath.Join(folder, "plugin", "hermes.json"))
			if err != nil {
				t.Fatal(err)
			}
			return string(content)
		}
		code, out, errs := hermes(args...)
		first := linked()
		if code != 0 || !strings.Contains(out, "\nlink       "+apiclient.OwnLinkName()+" (") || !strings.Contains(first, `"hermes_link_`) {
			t.Fatalf("before the first start: %d %q %q", code, out, errs)
		}
		if code, out, errs = hermes(args...); code != 0 || !strings.Contains(out, "Nothing has changed.") || linked() != first {
			t.Errorf("again: %d %q %q", code, out, errs)
		}
		revokeIn(t, filepath.Join(home, ".local", "state", "hermes", "hermes.db"), apiclient.OwnLinkName())
		if code, out, errs = hermes(args...); code != 0 || linked() == first || !strings.Contains(out, "\nlink       "+apiclient.OwnLinkName()+" (") {
			t.Errorf("after it was revoked: %d %q %q", code, out, errs)
		}
		other := t.TempDir() // of another OpenCode on this machine
		if code, out, errs = hermes("plugin", "install", "--config-dir", other); code != 0 || !strings.Contains(out, "\nlink       "+apiclient.OwnLinkName()+"-2 (") {
			t.Errorf("for another configuration folder: %d %q %q", code, out, errs)
		}
	}
}

// revokeIn takes a link out of a database that no hermes has open.
func revokeIn(t *testing.T, db, name string) {
	t.Helper()
	store, err := pending.Open(db, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	entry := api.LinkEntry(storage.EntryUnlinked, name, question.Actor{Kind: question.Terminal})
	if err := errors.Join(store.Links().Remove(name, entry), store.Close()); err != nil {
		t.Fatal(err)
	}
}

// On a machine that has no hermes a token that is made would be worth nothing.
func TestPluginInstall_WhereThereIsNoHermes(t *testing.T) {
	testenv.Isolate(t)
	folder := t.TempDir()
	code, _, errs := hermes("plugin", "install", "--config-dir", folder, "--url", "https://hermes.example:4097")
	if entries, _ := os.ReadDir(folder); code != exitFailure || !strings.Contains(errs, "run hermes link add NAME where hermes runs") || len(entries) > 0 {
		t.Errorf("%d %q, %v", code, errs, entries)
	}
}

// A plugin from before links had tokens holds the API's. It goes on working, and hermes plugin install takes the API's token away.
func TestPluginInstall_ReplacesTheAPIToken(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_LISTEN", "127.0.0.1:1") // nobody
	folder := t.TempDir()
	file := filepath.Join(folder, "plugin", "hermes.json")
	if code, _, errs := hermes("plugin", "install", "--config-dir", folder); code != 0 {
		t.Fatal(errs)
	}
	if err := os.WriteFile(file, []byte(`{"url":"http://127.0.0.1:1","token":"`+rig.HookKey+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := hermes("plugin", "status", "--config-dir", folder); code != 0 || !strings.Contains(out, "holds the token of hermes' API") {
		t.Errorf("status: %d %q", code, out)
	}
	code, out, errs := hermes("plugin", "install", "--config-dir", folder)
	content, err := os.ReadFile(file)
	if code != 0 || err != nil || strings.Contains(string(content), rig.HookKey) || !strings.Contains(string(content), "hermes_link_") {
		t.Errorf("install: %d %q %q, %v", code, out, errs, err)
	}
	rig.NoCanary(t, "install", out+errs)
}

func TestLink_WithTheAPIToken(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if code, body := r.Request("POST", "/v1/link", helloFrom("p")); code != http.StatusOK {
			t.Fatalf("a plugin from before links had tokens is refused: %d %s", code, body)
		}
		list, err := r.Links().List(r.T.Context())
		if err != nil || list.Unnamed != 1 || len(list.Links) != 0 {
			t.Errorf("listed: %+v, %v", list, err)
		}
		if log := r.Log.String(); !strings.Contains(log, "run hermes plugin install") || strings.Count(log, "API's token") != 1 {
			t.Errorf("the log does not say once what to do: %s", log)
		}
	})
}
