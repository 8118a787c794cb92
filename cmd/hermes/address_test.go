package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// noAddress stands in documents for the address of the repository, until it has one.
const noAddress = "ADDRESS-OF-THIS-REPOSITORY"

// modulePath is the path of this module: the address of its repository, or a word without a dot.
func modulePath(t testing.TB) string {
	t.Helper()
	return moduleIn(t, "../..")
}

func moduleIn(t testing.TB, root string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("go.mod in %s names no module", root)
	}
	return string(found[1])
}

// wrongAddresses are the files that name another address of the repository than go.mod.
func wrongAddresses(t testing.TB, root string) (wrong []string) {
	t.Helper()
	address := moduleIn(t, root)
	if !strings.Contains(address, ".") {
		address = noAddress
	}
	for _, name := range []string{
		"README.md", "README.zh.md", "docs/install.md", "deploy/homebrew/hermes.rb", "deploy/install.sh", "deploy/packages/nfpm.yaml",
	} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), address) || address != noAddress && strings.Contains(string(text), noAddress) {
			wrong = append(wrong, name)
		}
	}
	return wrong
}

func TestAddress_AllPlacesAgree(t *testing.T) {
	for _, name := range wrongAddresses(t, "../..") {
		t.Errorf("%s has another address of the repository than go.mod; make address ADDRESS=%s", name, modulePath(t))
	}
}

// A copy of the repository gets an address, and then another one: all that is named by it follows.
func TestAddress_Changes(t *testing.T) {
	if testing.Short() {
		t.Skip("it copies the repository")
	}
	t.Parallel()
	root := copyRepository(t)
	for _, address := range []string{"github.com/Somebody/hermes", "example.com/else/bridge"} {
		script := exec.Command(".ci/address", address)
		script.Dir = root
		if out, err := script.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := moduleIn(t, root); got != address {
			t.Errorf("the module is %s, not %s", got, address)
		}
		for _, name := range wrongAddresses(t, root) {
			t.Errorf("%s does not have %s", name, address)
		}
	}
	if text, err := os.ReadFile(filepath.Join(root, "docs/install.md")); err != nil || !strings.Contains(string(text), "ghcr.io/somebody/hermes:") {
		t.Errorf("docs/install.md does not name the image of github.com/Somebody/hermes (%v)", err)
	}
	list := exec.Command("go", "list", "-deps", "./...")
	list.Dir = root
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("a package is not found after the changes: %v\n%s", err, out)
	}
	if n := strings.Count(string(out), "example.com/else/bridge/"); n < 60 {
		t.Errorf("only %d packages have the new address:\n%s", n, out)
	}
}

// copyRepository copies what is in the repository.
func copyRepository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range append(listFiles(t), ".ci/address", ".goreleaser.yaml", ".github/workflows/ci.yml", ".github/workflows/release.yml") {
		if strings.HasPrefix(name, "dist/") || name == ".cache" || name == ".git" || strings.Contains(name, "node_modules/") || name == "hermes" {
			continue
		}
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		from := filepath.Join("../..", name)
		info, err := os.Stat(from)
		if os.IsNotExist(err) {
			continue
		}
		text, err2 := os.ReadFile(from)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if err := os.WriteFile(to, text, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
