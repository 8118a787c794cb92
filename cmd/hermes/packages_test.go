//go:build packages

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/testenv"
)

// bareRoot is a Debian with what every Debian has, and the packages of two versions beside it: .ci/release-check makes both.
type bareRoot struct {
	*desk
	dir   string
	agent *opencode.Simulator
	env   []string
	way   way
}

func newBareRoot(t *testing.T, way way) *bareRoot {
	t.Helper()
	tar := os.Getenv("HERMES_BARE_ROOT")
	if tar == "" {
		t.Fatal("HERMES_BARE_ROOT names no archive of a bare Debian; make release-check makes one")
	}
	r := &bareRoot{desk: newDesk(t), dir: t.TempDir(), way: way}
	r.agent = opencode.New(opencode.Options{Version: opencode.VersionNew, Directory: "/home/ada/src/shop-api"})
	server := httptest.NewServer(r.agent)
	t.Cleanup(func() { r.agent.Stop(); server.CloseClientConnections(); server.Close() })
	if out, err := exec.Command("tar", "-xf", tar, "-C", r.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// A stand-in for systemctl tells what is asked of it.
	for name, text := range map[string]string{"usr/local/bin/systemctl": "#!/bin/sh\necho \"$@\" >>/run/systemctl.log\n", "run/systemctl.log": ""} {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(r.dir, "run/systemctl.log"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(r.dir, "run/systemd/system"), 0o755); err != nil {
		t.Fatal(err)
	}
	api := ""
	for _, v := range r.desk.env {
		if strings.HasPrefix(v, "HERMES_TELEGRAM_API_URL=") {
			api = v
		}
	}
	r.env = []string{
		"PATH=" + way.home + "/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + way.home, "DEBIAN_FRONTEND=noninteractive",
		"HERMES_LISTEN=" + freeAddress(t), "HERMES_NOTIFY_DELAY=0", api, "HERMES_OPENCODE_URLS=" + server.URL,
	}
	return r
}

// as is a command in the root, as a user, with a /proc that nobody else sees.
func (r *bareRoot) as(user string, args ...string) *exec.Cmd {
	const enter = `mount -t proc proc "$1/proc" && user=$2 && root=$1 && shift 2 && exec chroot --userspec="$user" "$root" "$@"`
	cmd := exec.Command("/usr/bin/unshare", append([]string{"--mount", "/bin/sh", "-c", enter, "sh", r.dir, user}, args...)...)
	cmd.Env = r.env
	return cmd
}

// does runs a command in the root to its end.
func (r *bareRoot) does(user string, args ...string) string {
	r.t.Helper()
	out, err := r.as(user, args...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

// installPackage installs the package of a version.
func (r *bareRoot) installPackage(version string) {
	r.t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv("HERMES_PACKAGES"), "hermes_"+version+"_*.deb"))
	if err != nil || len(found) != 1 {
		r.t.Fatalf("packages of %s: %q, %v", version, found, err)
	}
	deb, err := os.ReadFile(found[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(r.dir, "run/hermes.deb"), deb, 0o644)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.does("root", "dpkg", "-i", "/run/hermes.deb")
}

// runs starts a hermes that goes on until stop.
func (r *bareRoot) runs(cmd *exec.Cmd) (stop func()) {
	r.t.Helper()
	var log testenv.LockedBuffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			r.t.Errorf("hermes serve ended with %v:\n%s", err, log.String())
		}
	}
	r.t.Cleanup(stop)
	return stop
}

// files are the paths of the root, without what dpkg and the tools for users keep of their own work.
func (r *bareRoot) files() (list []string) {
	r.t.Helper()
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, r.dir)
		for _, own := range []string{"/proc", "/sys", "/dev", "/run", "/tmp", "/var/lib/dpkg", "/var/log", "/var/cache"} {
			if name == own {
				return fs.SkipDir
			}
		}
		if !slices.Contains([]string{"/etc/passwd-", "/etc/group-", "/etc/shadow-", "/etc/gshadow-", "/etc/subuid-", "/etc/subgid-", "/etc/.pwd.lock"}, name) {
			list = append(list, name)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

func (r *bareRoot) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// From a bare Debian to an answer, over an upgrade with an open question and two backups, to a Debian that is as it was.
func TestPackages_FromInstallToPurge(t *testing.T) {
	r := newBareRoot(t, way{
		user: "hermes:hermes", home: "/var/lib/hermes", config: "/etc/hermes/hermes.env", db: "/var/lib/hermes/hermes.db",
		flags: []string{"--config", "/etc/hermes/hermes.env"}, install: (*bareRoot).installPackage,
	})
	if out, err := r.as("root", "sh", "-c", "command -v go").CombinedOutput(); err == nil {
		t.Fatalf("the root is not bare: it has %s", out)
	}
	users, before := r.read("etc/passwd"), r.files()
	r.install("1.0.0")
	for path, want := range map[string]string{
		"/etc/hermes": "hermes hermes 700", "/etc/hermes/hermes.env": "hermes hermes 600", "/var/lib/hermes": "hermes hermes 700", "/usr/bin/hermes": "root root 755",
	} {
		if got := strings.TrimSpace(r.does("root", "stat", "-c", "%U %G %a", path)); got != want {
			t.Errorf("%s is of %s, not of %s", path, got, want)
		}
	}
	if log := r.read("run/systemctl.log"); strings.Contains(log, "enable") || strings.Contains(log, " start") {
		t.Errorf("the package starts what is not configured:\n%s", log)
	}

	kept := r.journey()
	if !strings.Contains(kept, "\nHERMES_DB=/var/lib/hermes/hermes.db\n") {
		t.Error("the configuration names another database than the package's")
	}
	if log := r.read("run/systemctl.log"); !strings.Contains(log, "try-restart hermes.service") || strings.Contains(log, "disable") {
		t.Errorf("the upgrade asks of systemctl:\n%s", log)
	}

	out := r.does("root", "dpkg", "-r", "hermes")
	if !strings.Contains(out, "/etc/hermes, /var/lib/hermes and the user hermes were kept") {
		t.Errorf("removing says nothing of what it keeps:\n%s", out)
	}
	if log := r.read("run/systemctl.log"); !strings.Contains(log, "disable --now hermes.service") {
		t.Errorf("removing asks of systemctl:\n%s", log)
	}
	if got := r.read(r.way.config); got != kept {
		t.Error("removing changed the configuration")
	}
	for _, name := range r.files() {
		if !slices.Contains(before, name) && !strings.HasPrefix(name, "/etc/hermes") && !strings.HasPrefix(name, "/var/lib/hermes") {
			t.Errorf("removing leaves %s, and does not say so", name)
		}
	}

	r.does("root", "dpkg", "-P", "hermes")
	if after := r.files(); !slices.Equal(before, after) {
		t.Errorf("purging leaves other files than there were:\n%s", difference(before, after))
	}
	if got := r.read("etc/passwd"); got != users {
		t.Errorf("purging leaves the users\n%s", got)
	}
}

func difference(before, after []string) string {
	var b bytes.Buffer
	for _, name := range after {
		if !slices.Contains(before, name) {
			fmt.Fprintln(&b, "+", name)
		}
	}
	for _, name := range before {
		if !slices.Contains(after, name) {
			fmt.Fprintln(&b, "-", name)
		}
	}
	return b.String()
}
