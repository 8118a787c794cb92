package opencode

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
	"hermes/opencode/release"
)

// TestUntested_VersionsAreLoggedOnce: what is not in the range that hermes is tested with is
// told, by either way in, once for each version.
func TestUntested_VersionsAreLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		s := opencodesim.New(opencodesim.Options{})
		w := watch(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil)), Servers: []Server{{URL: serverURL, Transport: s.Transport()}}})
		for n, version := range []string{"1.19.0", "1.19.0", "1.0.185", "2.0.18", release.Oldest, release.Newest} {
			hello := helloFrom("p"+string(rune('0'+n)), proj)
			hello.Version = version
			plug(t, w, s, hello)
			wait(0)
		}
		for text, want := range map[string]int{
			"version that hermes is not tested with":                                 2,
			"version=1.19.0 host=laptop why=\"it is newer than all":                  1,
			"version=1.0.185 host=laptop why=\"it is older than all":                 1,
			"connected to OpenCode\" server=opencode:4096 version=" + release.Newest: 1,
		} {
			if n := strings.Count(log.String(), text); n != want {
				t.Errorf("%q is logged %d times, want %d:\n%s", text, n, want, log.String())
			}
		}
	})
}

// A plugin may name any version.
func TestUntested_VersionsAreBounded(t *testing.T) {
	u := newUntested(slog.New(slog.DiscardHandler))
	for n := range maxUntested + 5 {
		u.hear("1.19."+strings.Repeat("1", n), link.Hello{}.Host)
	}
	if n := u.warned.Len(); n != maxUntested {
		t.Errorf("%d versions are remembered", n)
	}
}
