//go:build e2e

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/e2e/lab"
)

const askColour = `CALL question {"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]}]}`

func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	t.Parallel()
	for _, v := range lab.Versions {
		t.Run(v, func(t *testing.T) {
			t.Parallel()
			test(t, v)
		})
	}
}

// TestInstalled fetches the binaries, once, before the tests that run beside each other.
func TestInstalled(t *testing.T) {
	for _, v := range lab.Versions {
		lab.Binary(t, v)
	}
}

// markPlugin leaves a file where $MARK says when OpenCode loads it.
const markPlugin = `export const Mark = async ({ directory }) => {
  const fs = await import("node:fs")
  fs.writeFileSync(process.env.MARK, directory)
  return {}
}
`

// TestTerminal shows that the lab drives the plain program by keys: the prompt
// is typed, the question is answered in OpenCode's own dialogue, a plugin from
// the configuration folder is loaded, and after a kill the program comes up
// again.
func TestTerminal(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		mark := filepath.Join(t.TempDir(), "mark")
		oc := lab.Start(t, version, lab.TUI, lab.Options{
			Files: map[string]string{"plugin/mark.js": markPlugin},
			Env:   []string{"MARK=" + mark},
		})
		oc.Prompt("", askColour)
		oc.AwaitScreen("Type your own answer")
		oc.SendKeys("Down", "Enter")
		got := oc.AwaitResult("question", "Which colour?")
		if !strings.Contains(got, `"Which colour?"="Blue"`) {
			t.Errorf("the model was told %q", got)
		}
		if dir, err := os.ReadFile(mark); err != nil || string(dir) != oc.Dir {
			t.Errorf("the plugin was loaded for %q (%v), want %q", dir, err, oc.Dir)
		}
		oc.Restart()
	})
}
