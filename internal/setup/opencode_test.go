package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/console"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode"
	openservice "hermes/opencode/service"
)

// Setup says that the service of OpenCode 2 is followed and needs no plugin, and what keeps hermes
// from believing its file.
func TestOpenCodeFinder_Service(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(s *opencode2sim.Simulator, file string) error
		found bool
		said  string
	}{
		"it runs":      {func(*opencode2sim.Simulator, string) error { return nil }, true, "OpenCode service: OpenCode 2.0.26 at http://127.0.0.1:"},
		"none":         {func(s *opencode2sim.Simulator, _ string) error { s.Stop(); return nil }, false, ""},
		"not believed": {func(_ *opencode2sim.Simulator, file string) error { return os.Chmod(file, 0o644) }, false, "can be read or written by other users"},
		"another process": {func(_ *opencode2sim.Simulator, file string) error {
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, []byte(strings.Replace(string(raw), `"version":"`, `"version":"9`, 1)), 0o600)
		}, true, "and hermes does not use it; run opencode service restart"},
		"does not start": {func(s *opencode2sim.Simulator, _ string) error { s.FailBoot(); return nil }, true, "is starting, or cannot"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "service.json")
				s := opencode2sim.New(opencode2sim.Options{Password: "canary", Registration: file})
				defer s.Stop()
				if err := c.spoil(s, file); err != nil {
					t.Fatal(err)
				}
				var out strings.Builder
				f := openCodeFinder{term: console.NewTerminal(nil, &out)}
				of := opencode.Service{File: openservice.File{Path: file, IsRunning: func(int) bool { return s.Running() }}, Transport: s.Transport()}
				found := f.findService(t.Context(), of)
				said := strings.Join(strings.Fields(out.String()), " ")
				if found != c.found || !strings.Contains(said, c.said) || c.said == "" && said != "" || strings.Contains(said, "canary") {
					t.Errorf("found %v, said %q", found, said)
				}
			})
		})
	}
}
