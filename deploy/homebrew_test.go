package deploy_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The formula has, for each system and processor, the archive of its name with its checksum, nothing that was left to fill in, and
// installs what an archive has.
func TestHomebrew_Formula(t *testing.T) {
	dir := t.TempDir()
	targets := []string{"darwin_arm64", "darwin_amd64", "linux_arm64", "linux_amd64"}
	for _, target := range targets {
		if out, err := fillFormula(dir); err == nil {
			t.Fatalf("there is a formula without the archive %s:\n%s", target, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "hermes.rb")); err == nil {
			t.Fatal("a formula that is not whole was written")
		}
		if err := os.WriteFile(filepath.Join(dir, "hermes_"+target+".tar.gz"), []byte(target), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := fillFormula(dir); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "hermes.rb"))
	if err != nil {
		t.Fatal(err)
	}
	formula := string(text)
	if left := regexp.MustCompile(`@\w+@`).FindString(formula); left != "" || !strings.Contains(formula, `version "1.2.3"`) {
		t.Errorf("%q is left in\n%s", left, formula)
	}
	blocks := regexp.MustCompile(`(?s)on_(macos|linux) do\s+on_arm do\s+url "(\S+)"\s+sha256 "(\w+)"\s+end\s+on_intel do\s+url "(\S+)"\s+sha256 "(\w+)"\s+end\s+end\n`).FindAllStringSubmatch(formula, -1)
	var got []string
	for _, b := range blocks {
		got = append(got, b[1]+" "+b[2]+" "+b[3], b[1]+" "+b[4]+" "+b[5])
	}
	if len(got) != len(targets) {
		t.Fatalf("it is for %q:\n%s", got, formula)
	}
	for i, target := range targets {
		system := strings.Replace(strings.Split(target, "_")[0], "darwin", "macos", 1)
		end := fmt.Sprintf("/releases/download/v1.2.3/hermes_%s.tar.gz %x", target, sha256.Sum256([]byte(target)))
		if !strings.HasPrefix(got[i], system+" https://") || !strings.HasSuffix(got[i], end) {
			t.Errorf("%s, want %s …%s", got[i], system, end)
		}
	}
}

// Every file that the formula installs is put into the archives.
func TestHomebrew_InstallsWhatAnArchiveHas(t *testing.T) {
	formula, err := os.ReadFile("homebrew/hermes.rb")
	if err != nil {
		t.Fatal(err)
	}
	archives, err := os.ReadFile("../.ci/archives")
	if err != nil {
		t.Fatal(err)
	}
	installed := regexp.MustCompile(`\.install (?:Dir\[)?"([^"]+)"`).FindAllStringSubmatch(string(formula), -1)
	if len(installed) != 5 {
		t.Fatalf("it installs %q", installed)
	}
	for _, line := range installed {
		here := map[string]string{
			"hermes": "program=hermes", "man/*.1": `cp deploy/man/*.1 "$folder/man/"`,
			"completion/hermes.bash": "for shell in bash ", "completion/hermes.zsh": " zsh ", "completion/hermes.fish": " fish ",
		}[line[1]]
		if here == "" || !strings.Contains(string(archives), here) {
			t.Errorf(".ci/archives puts no %s into an archive", line[1])
		}
	}
}

// With ruby at hand, it is held to be Ruby.
func TestHomebrew_IsRuby(t *testing.T) {
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Skip("ruby is not here")
	}
	if out, err := exec.Command(ruby, "-c", "homebrew/hermes.rb").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func fillFormula(dir string) (string, error) {
	script := exec.Command("../.ci/formula", dir)
	script.Env = append(os.Environ(), "VERSION=1.2.3")
	out, err := script.CombinedOutput()
	return string(out), err
}
