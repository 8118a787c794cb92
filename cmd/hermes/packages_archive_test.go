//go:build packages

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// installArchive installs the archive of a version for Ada, with the script.
func (r *bareRoot) installArchive(version string) {
	r.t.Helper()
	script := exec.Command("/bin/sh", "../../deploy/install.sh")
	script.Env = append(os.Environ(), "RELEASES=file://"+os.Getenv("HERMES_PACKAGES"), "PREFIX="+filepath.Join(r.dir, r.way.home, ".local"), "VERSION="+version)
	if out, err := script.CombinedOutput(); err != nil {
		r.t.Fatalf("install.sh: %v\n%s", err, out)
	}
	r.does("root", "chown", "-R", r.way.user, r.way.home+"/.local")
}

// The same way with an archive, as a person who is not root, and back by the lines of docs/uninstall.md.
func TestPackages_FromArchiveToUninstall(t *testing.T) {
	r := newBareRoot(t, way{
		user: "ada:ada", home: "/home/ada", config: "/home/ada/.config/hermes/hermes.env", db: "/home/ada/.local/state/hermes/hermes.db",
		install: (*bareRoot).installArchive,
	})
	r.does("root", "useradd", "--create-home", "ada")
	before := r.files()
	r.install("1.0.0")
	r.journey()
	r.does(r.way.user, "sh", "-c", uninstallLines(t))
	if log := r.read("run/systemctl.log"); !strings.Contains(log, "--user disable --now hermes") {
		t.Errorf("uninstalling asks of systemctl:\n%s", log)
	}
	for _, name := range r.files() {
		if info, err := os.Lstat(filepath.Join(r.dir, name)); !slices.Contains(before, name) && (err != nil || !info.IsDir()) {
			t.Errorf("uninstalling leaves %s", name)
		}
	}
}

// uninstallLines are those that docs/uninstall.md begins with.
func uninstallLines(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/uninstall.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, found := strings.Cut(string(page), "```sh\n")
	lines, _, ends := strings.Cut(lines, "```")
	if !found || !ends {
		t.Fatal("docs/uninstall.md has no lines to run")
	}
	return "set -e\n" + lines
}
