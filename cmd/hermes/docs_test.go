package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"hermes/internal/handbook"
)

// hermesDocs runs the command with its output in a pipe: its exit code, and both outputs.
func hermesDocs(args ...string) (int, string, string) {
	var out, complaint strings.Builder
	code := run(append([]string{"docs"}, args...), streams{in: strings.NewReader(""), out: &out, err: &complaint})
	return code, out.String(), complaint.String()
}

func TestDocs_ListsPages(t *testing.T) {
	code, text, complaint := hermesDocs()
	if code != 0 || complaint != "" {
		t.Fatalf("%d, %s", code, complaint)
	}
	for _, p := range handbook.Pages() {
		if !strings.Contains(text, "\n"+p.Name+" ") && !strings.HasPrefix(text, p.Name+" ") || !strings.Contains(text, "  "+p.Title+"\n") {
			t.Errorf("%s is not listed in\n%s", p.Name, text)
		}
	}
}

func TestDocs_ShowsEveryPage(t *testing.T) {
	for _, p := range handbook.Pages() {
		for _, name := range []string{p.Name, p.Name + ".md"} {
			if code, text, complaint := hermesDocs(name); code != 0 || text != p.Render(handbook.Style{Width: 90}) {
				t.Errorf("%s: %d, %s%s", name, code, complaint, text)
			}
		}
	}
}

func TestDocs_Searches(t *testing.T) {
	for _, args := range [][]string{{"approver_not_owner"}, {"--search", "rules"}, {"approver_not_owner", "true"}, {"approver_not_owner true"}} {
		if code, text, complaint := hermesDocs(args...); code != 0 || !strings.Contains(text, "rules: ") || !strings.Contains(text, "\n    ") {
			t.Errorf("%q: %d, %s%s", args, code, complaint, text)
		}
	}
	if _, text, _ := hermesDocs("the"); !strings.Contains(text, " more; give another word\n") {
		t.Errorf("all of it is printed:\n%s", text)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"nosuchword"}, 1, `hermes: no page has "nosuchword"; hermes docs lists the pages`},
		{[]string{"--search"}, 2, "hermes: --search: words are missing"},
	} {
		if code, text, complaint := hermesDocs(c.args...); code != c.code || text != "" || strings.TrimSpace(complaint) != c.want {
			t.Errorf("%q: %d, %q, %q", c.args, code, text, complaint)
		}
	}
}

func TestDocs_CompletesPages(t *testing.T) {
	var out strings.Builder
	if code := run([]string{"__complete", "docs", ""}, streams{in: strings.NewReader(""), out: &out, err: &out}); code != 0 || !strings.Contains(out.String(), "\nrules\t") {
		t.Errorf("%d, %s", code, out.String())
	}
}

// On a terminal a page goes through $PAGER; one that fails, or none, leaves it to the terminal.
func TestDocs_Pager(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "hermes")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const marks = "sed s/^/paged:/"
	for _, pager := range []string{marks, "false", ""} {
		cmd := exec.Command(binary, "docs", "backup")
		cmd.Env = append(os.Environ(), "PAGER="+pager, "NO_COLOR=1")
		terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 60})
		if err != nil {
			t.Fatal(err)
		}
		text := readTerminal(terminal)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%q: %v", pager, err)
		}
		if strings.HasPrefix(text, "paged:") != (pager == marks) || !strings.Contains(text, "hermes.db") {
			t.Errorf("with %q it is\n%s", pager, text)
		}
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSpace(line))); n > 70 && !strings.HasPrefix(strings.TrimPrefix(line, "paged:"), "    ") {
				t.Errorf("with %q, a line of %d characters on a terminal of 60: %s", pager, n, line)
			}
		}
	}
}

func readTerminal(terminal *os.File) string {
	var b strings.Builder
	part := make([]byte, 4096)
	for {
		n, err := terminal.Read(part)
		b.Write(part[:n])
		if err != nil {
			return b.String() // Linux says EIO when the program has ended
		}
	}
}
