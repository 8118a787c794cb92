//go:build e2e

package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefused plays plugins that their hub does not take: whoever sits at the terminal reads there why, OpenCode's log has it as well, and
// OpenCode asks on its own.
func TestRefused(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		for name, scene := range map[string]func(t *testing.T, e entry) (w *window, why string){
			"a link that is revoked": revokedInUse,
			"an older hub":           beforeItsHub,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, why := scene(t, entry{version, linkedTUI})
				w.awaitLogged(why)
				q := database("Which database without hermes?")
				w.ask("nobody else is asked", call(q))
				w.AwaitScreen(why) // a line of the toast, which the terminal may have missed while it started
				w.AwaitScreen(q.Question)
			})
		}
	})
}

// revokedInUse is a window whose link worked, and was revoked.
func revokedInUse(t *testing.T, e entry) (w *window, why string) {
	t.Helper()
	p := newPhone(t)
	h := newHermes(t, p.url)
	h.start(t)
	_, files := linkBy(t, h, "http://"+h.listen)
	w = openWindowWith(t, e, "shop-api", files)
	eventually(t, "the terminal is linked", func() bool { return linked(t, h) == 1 })
	if out, err := h.command("link", "revoke", "laptop").CombinedOutput(); err != nil {
		t.Fatalf("hermes link revoke: %v\n%s", err, out)
	}
	return w, "hermes does not take the token of this machine"
}

// beforeItsHub is a window whose plugin has a later protocol than its hub.
func beforeItsHub(t *testing.T, e entry) (w *window, why string) {
	t.Helper()
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUpgradeRequired)
		_, _ = w.Write([]byte(`{"error":"update hermes here","protocol":0}`))
	}))
	t.Cleanup(hub.Close)
	h, files := newHermes(t, hub.URL), map[string]string{}
	readPlugin(t, files, func(dir string) { h.installPlugin(t, dir) })
	files["plugin/hermes.json"] = `{"url":"` + hub.URL + `","token":"nobodys"}`
	return openWindowWith(t, e, "shop-api", files), "hermes has an older version than this plugin"
}

// awaitLogged waits until a log of OpenCode's has a text.
func (w *window) awaitLogged(text string) {
	w.t.Helper()
	logs := filepath.Join(w.Home, ".local", "share", "opencode", "log", "*.log")
	eventually(w.t, "OpenCode logs "+text, func() bool {
		names, err := filepath.Glob(logs)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, name := range names {
			if raw, err := os.ReadFile(name); err == nil && strings.Contains(string(raw), text) {
				return true
			}
		}
		return false
	})
}

// linked is how many machines have a link open now.
func linked(t *testing.T, h *hermes) int {
	t.Helper()
	out, err := h.command("link", "list", "--json").Output()
	if err != nil {
		t.Fatalf("hermes link list: %v", err)
	}
	return strings.Count(string(out), `"open":1`) + strings.Count(string(out), `"open": 1`)
}
