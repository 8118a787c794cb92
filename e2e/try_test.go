//go:build e2e

package e2e_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/page"
	"hermes/internal/simulate/browser"
)

// TestTry_Demo runs hermes try with each OpenCode as the one on PATH, and answers
// its question on the page's phone.
func TestTry_Demo(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		b := browser.Open(t, startDemo(t, hermesProgram(t), lab.Binary(t, version)))
		shows := func(sign, text string) func(page.State) bool {
			return func(s page.State) bool {
				if len(s.People) == 0 {
					return false
				}
				m := browser.Last(s, 0)
				return strings.Contains(m.Text, sign) && strings.Contains(m.Text, text)
			}
		}
		q := database("Which database does the demo need?")
		b.Do(page.Action{Do: "prompt", Text: call(q)})
		b.Until("the question on the phone", shows("❓", q.Question))
		b.Tap(0, "2.")
		b.Until("what the agent received", func(s page.State) bool {
			return len(s.Asks) == 1 && s.Asks[0].State == "received" && s.Asks[0].Received == answered(q.Question, "PostgreSQL (Recommended)")
		})
		b.Until("the end on the phone", shows("✅", "→ PostgreSQL (Recommended)"))
	})
}

// startDemo runs hermes try until the test ends, which must leave nothing behind,
// and returns the page's address.
func startDemo(t *testing.T, bin, opencode string) string {
	t.Helper()
	tmp := t.TempDir()
	cmd := exec.Command(bin, "try", "--opencode-demo", "--no-browser")
	cmd.Env = []string{"HOME=" + tmp, "TMPDIR=" + tmp, "PATH=" + filepath.Dir(opencode) + ":" + os.Getenv("PATH")}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address := strings.TrimSpace(lines.Text()); strings.HasPrefix(address, "http://") {
			t.Cleanup(func() { endDemo(t, cmd, tmp) })
			return address
		}
	}
	_ = cmd.Wait()
	t.Fatalf("hermes try printed no address: %s", errs.String())
	return ""
}

func endDemo(t *testing.T, cmd *exec.Cmd, tmp string) {
	_ = cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err != nil {
		t.Errorf("hermes try ends with %v", err)
	}
	left, err := os.ReadDir(tmp)
	left = slices.DeleteFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}
