//go:build packages

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// bareRoot is a Debian with what every Debian has, and the packages of two versions beside it: .ci/release-check makes both.
type bareRoot struct {
	*desk
	dir   string
	agent *opencode.Simulator
	env   []string
}

func newBareRoot(t *testing.T) *bareRoot {
	t.Helper()
	tar := os.Getenv("HERMES_BARE_ROOT")
	if tar == "" {
		t.Fatal("HERMES_BARE_ROOT names no archive of a bare Debian; make release-check makes one")
	}
	r := &bareRoot{desk: newDesk(t), dir: t.TempDir()}
	r.agent = opencode.New(opencode.Options{Version: opencode.VersionNew, Directory: "/home/ada/src/shop-api"})
	server := httptest.NewServer(r.agent)
	t.Cleanup(func() { r.agent.Stop(); server.CloseClientConnections(); server.Close() })
	if out, err := exec.Command("tar", "-xf", tar, "-C", r.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// A stand-in for systemctl tells what the package asks of it.
	for name, text := range map[string]string{"usr/local/bin/systemctl": "#!/bin/sh\necho \"$@\" >>/run/systemctl.log\n"} {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
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
	r.env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/var/lib/hermes", "DEBIAN_FRONTEND=noninteractive", "HERMES_LISTEN=127.0.0.1:0", "HERMES_NOTIFY_DELAY=0", api, "HERMES_OPENCODE_URLS=" + server.URL}
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

// install installs the package of a version.
func (r *bareRoot) install(version string) {
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
	if got := r.does("root", "hermes", "--version"); !strings.HasPrefix(got, "hermes v"+version+" ") {
		r.t.Errorf("the package of %s has %s", version, got)
	}
}

// serves runs hermes as its unit would, until stop.
func (r *bareRoot) serves() (stop func()) {
	r.t.Helper()
	return r.runs(r.as("hermes:hermes", "hermes", "serve", "--config", "/etc/hermes/hermes.env"))
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

// receives waits until the agent has the answer of a call.
func (r *bareRoot) receives(call, label string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	if err := r.telegram.Await(ctx, func() bool { _, ok := r.agent.Received(call); return ok }); err != nil {
		r.t.Fatalf("the agent has no answer: %v", err)
	}
	if got, _ := r.agent.Received(call); !reflect.DeepEqual(got, [][]string{{label}}) {
		r.t.Errorf("the agent got %q, not %q", got, label)
	}
}

// restores puts a backup in the place of the database, as the user of the service: one that was made while a question was open, which was
// answered after it. A restore under a hermes that runs is refused.
func (r *bareRoot) restores() (stop func()) {
	r.t.Helper()
	const copied = "/var/lib/hermes/copy.db"
	stop = r.serves()
	call := r.asks(r.agent, opencode.Question{Question: "Which region?", Header: "Region", Options: []opencode.Option{{Label: "east"}, {Label: "west"}}})
	card := r.shows("Which region?")
	stop()
	r.does("hermes:hermes", "hermes", "backup", copied, "--config", "/etc/hermes/hermes.env")
	stop = r.serves()
	if _, err := r.telegram.Tap(rig.Ada, rig.Ada, card, "1."); err != nil {
		r.t.Fatal(err)
	}
	r.receives(call, "east")
	if out, err := r.as("hermes:hermes", "hermes", "restore", copied, "--config", "/etc/hermes/hermes.env").CombinedOutput(); err == nil {
		r.t.Errorf("a backup is restored under a hermes that runs:\n%s", out)
	}
	stop()
	if out := r.does("hermes:hermes", "hermes", "restore", copied, "--config", "/etc/hermes/hermes.env"); !strings.Contains(out, "/var/lib/hermes/hermes.db is the backup now") {
		r.t.Errorf("restore says:\n%s", out)
	}
	if got := strings.TrimSpace(r.does("root", "stat", "-c", "%U %G %a", "/var/lib/hermes/hermes.db")); got != "hermes hermes 600" {
		r.t.Errorf("the restored database is of %s", got)
	}
	r.does("hermes:hermes", "hermes", "audit", "--verify", "--config", "/etc/hermes/hermes.env")
	return r.serves()
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

// From a bare Debian to an answer, over an upgrade with an open question, to a Debian that is as it was.
func TestPackages_FromInstallToPurge(t *testing.T) {
	r := newBareRoot(t)
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

	if _, err := r.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	setup := r.as("hermes:hermes", append([]string{"hermes", "setup", "--config", "/etc/hermes/hermes.env"}, script()...)...)
	setup.Env = append(slices.Clip(r.env), "HERMES_TELEGRAM_TOKEN="+rig.TestToken)
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("setup: %v\n%s", err, out)
	}

	stop := r.serves()
	call := r.asks(r.agent, rig.DatabaseQuestion())
	r.taps("Which database should this feature use?", "2.")
	r.receives(call, "PostgreSQL (Recommended)")

	kept := r.read("etc/hermes/hermes.env")
	if !strings.Contains(kept, "\nHERMES_DB=/var/lib/hermes/hermes.db\n") {
		t.Error("the configuration names another database than the package's")
	}
	open := r.asks(r.agent, opencode.Question{Question: "Which name?", Header: "Name", Options: []opencode.Option{{Label: "Ada"}, {Label: "Bea"}}})
	card := r.shows("Which name?")
	r.install("1.0.1")
	if got := r.read("etc/hermes/hermes.env"); got != kept {
		t.Errorf("the upgrade changed the configuration:\n%s", got)
	}
	if log := r.read("run/systemctl.log"); !strings.Contains(log, "try-restart hermes.service") || strings.Contains(log, "disable") {
		t.Errorf("the upgrade asks of systemctl:\n%s", log)
	}
	stop()
	stop = r.serves()
	if _, err := r.telegram.Tap(rig.Ada, rig.Ada, card, "1."); err != nil {
		t.Fatal(err)
	}
	r.receives(open, "Ada")
	stop()
	stop = r.restores()
	again := r.asks(r.agent, opencode.Question{Question: "Which port?", Header: "Port", Options: []opencode.Option{{Label: "80"}, {Label: "443"}}})
	r.taps("Which port?", "2.")
	r.receives(again, "443")
	stop()

	out := r.does("root", "dpkg", "-r", "hermes")
	if !strings.Contains(out, "/etc/hermes, /var/lib/hermes and the user hermes were kept") {
		t.Errorf("removing says nothing of what it keeps:\n%s", out)
	}
	if log := r.read("run/systemctl.log"); !strings.Contains(log, "disable --now hermes.service") {
		t.Errorf("removing asks of systemctl:\n%s", log)
	}
	if got := r.read("etc/hermes/hermes.env"); got != kept {
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
