package opencode

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
)

// dial is a plugin of a newer protocol that tries to open a link.
func dial(t *testing.T, w *watched, directory string) {
	t.Helper()
	dialWith(t, w, 99, directory)
}

func dialWith(t *testing.T, w *watched, protocol int, directory string) {
	t.Helper()
	body := fmt.Sprintf(`{"protocol":%d,"plugin":"9.0.0","process":"p","host":"laptop","directory":%q,"version":"1.18.33"}`, protocol, directory)
	answer := httptest.NewRecorder()
	w.Handler().ServeHTTP(answer, httptest.NewRequest("POST", "/v1/link", strings.NewReader(body)))
	if answer.Code != 426 {
		t.Fatalf("it was answered with %d", answer.Code)
	}
}

func directories(list []link.Hello) string {
	var names []string
	for _, h := range list {
		names = append(names, h.Directory)
	}
	return strings.Join(names, " ")
}

func TestRefused_LinksAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		plug(t, w, s, helloFrom("p1", shop))
		plug(t, w, s, helloFrom("p2", proj))
		wait(0)
		if got := directories(w.Links()); got != proj+" "+shop {
			t.Errorf("listed are %s", got)
		}
		w.Close()
		wait(0)
		if got := directories(w.Links()); got != "" {
			t.Errorf("after the end %s are listed", got)
		}
	})
}

// A plugin of another protocol counts as there while it tries, and until its place is
// taken. The log has it once.
func TestRefused_PluginsAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		w := watch(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
		s := opencodesim.New(opencodesim.Options{})
		for range 4 {
			dial(t, w, shop)
			dial(t, w, proj)
			wait(refusedFor / 2)
		}
		got := w.Refused()
		if directories(got) != proj+" "+shop || got[0].Protocol != 99 || got[0].Plugin != "9.0.0" || got[0].Host != "laptop" {
			t.Errorf("refused are %+v", got)
		}
		if n := strings.Count(log.String(), "its plugin is newer than this hermes; update hermes here"); n != 2 {
			t.Errorf("it is logged %d times", n)
		}
		plug(t, w, s, helloFrom("p1", shop))
		wait(0)
		if got := directories(w.Refused()); got != proj {
			t.Errorf("after one was taken %s are refused", got)
		}
		wait(2 * refusedFor)
		if got := directories(w.Refused()); got != "" {
			t.Errorf("long after %s are refused", got)
		}
	})
}

func TestRefused_PluginsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, Config{})
		for n := range maxRefused + 5 {
			dial(t, w, fmt.Sprintf("/%d", n))
		}
		if n := len(w.Refused()); n != maxRefused {
			t.Errorf("%d are remembered", n)
		}
	})
}

// The log says what has to be updated: the plugin, or this hermes.
func TestRefused_OlderAndNewer(t *testing.T) {
	for protocol, want := range map[int]string{
		link.Protocol - 1: "run hermes plugin install and restart that OpenCode", link.Protocol + 1: "update hermes here",
	} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			w := watch(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
			dialWith(t, w, protocol, shop)
			if !strings.Contains(log.String(), want) {
				t.Errorf("of protocol %d it logs %q", protocol, log.String())
			}
		})
	}
}
