package lab

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// installation is a fetched version: the binary, and the folder in which npm
// installed it together with the plugin SDK of the same version, or of the one before
// where there is none (1.18.34).
type installation struct {
	bin string
	dir string
}

// install fetches a version unless the cache has it.
func install(t testing.TB, version string) installation {
	t.Helper()
	pkg := platformPackage(t)
	dir := filepath.Join(cacheDir(t), version)
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		fetch(t, version, dir, pkg+"@"+version, "@opencode-ai/plugin@<="+version)
	}
	bin := filepath.Join(dir, "node_modules", pkg, "bin", "opencode")
	if _, err := os.Stat(bin); err != nil {
		t.Fatalf("%s is not an installation of OpenCode (%v); remove the folder and run the test again", dir, err)
	}
	return installation{bin, dir}
}

// fetch installs npm packages beside dir and then moves them there, so that
// dir is complete or absent.
func fetch(t testing.TB, version, dir string, packages ...string) {
	t.Helper()
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".fetch-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	args := append([]string{"install", "--prefix", tmp, "--save-exact", "--no-audit", "--no-fund", "--ignore-scripts"}, packages...)
	if out, err := exec.Command(tool(t, "npm"), args...).CombinedOutput(); err != nil {
		t.Fatalf("OpenCode %s cannot be downloaded, and nothing is played with it: npm install of %q: %v\n%s", version, packages, err, out)
	}
	if err := os.Rename(tmp, dir); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
}

// platformPackage is the npm package with the binary for this machine.
func platformPackage(t testing.TB) string {
	t.Helper()
	cpu, ok := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !ok || runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Fatalf("the lab does not know OpenCode's package for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return fmt.Sprintf("opencode-%s-%s", runtime.GOOS, cpu)
}

// cacheDir is .cache/opencode at the repository's root, which ignores itself.
func cacheDir(t testing.TB) string {
	t.Helper()
	cache := filepath.Join(repositoryRoot(t), ".cache")
	writeFile(t, filepath.Join(cache, ".gitignore"), "*\n")
	dir := filepath.Join(cache, "opencode")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func repositoryRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
	}
	t.Fatalf("there is no go.mod above %s", dir)
	return ""
}

// Binary is the path of that version's opencode, for what starts it by itself.
func Binary(t testing.TB, version string) string {
	t.Helper()
	return install(t, version).bin
}
