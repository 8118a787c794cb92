//go:build packages

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
)

// imageRun is how an image runs, as its configuration says.
type imageRun struct {
	User       string
	Env        []string
	Entrypoint []string
	Cmd        []string
	Volumes    map[string]struct{}
}

// openImage unpacks the image of linux/amd64 in the release, as a tool for containers does: from the index to the layer.
func openImage(t *testing.T, root string) imageRun {
	t.Helper()
	layout := t.TempDir()
	extract := func(file, to string) {
		if out, err := exec.Command("tar", "--numeric-owner", "-xpf", file, "-C", to).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
	}
	extract(filepath.Join(os.Getenv("HERMES_PACKAGES"), "hermes_1.0.1_image.tar"), layout)
	type blob struct{ Digest string }
	var file struct {
		Manifests []blob
		Config    json.RawMessage
		Layers    []blob
	}
	read := func(name string) {
		text, err := os.ReadFile(filepath.Join(layout, name))
		if err == nil {
			err = json.Unmarshal(text, &file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	at := func(b blob) string { return "blobs/" + strings.ReplaceAll(b.Digest, ":", "/") }
	read("index.json")
	read(at(file.Manifests[0]))
	read(at(file.Manifests[0]))
	var config blob
	if err := json.Unmarshal(file.Config, &config); err != nil {
		t.Fatal(err)
	}
	for _, layer := range file.Layers {
		extract(filepath.Join(layout, at(layer)), root)
	}
	read(at(config))
	var run imageRun
	if err := json.Unmarshal(file.Config, &run); err != nil {
		t.Fatal(err)
	}
	return run
}

// The image starts as its configuration says, as its user, with a root where nothing can be written but the volume: a question is answered, and
// hermes ends in order.
func TestPackages_ImageRuns(t *testing.T) {
	r := newBareRoot(t, way{})
	r.dir = t.TempDir()
	run := openImage(t, r.dir)
	if run.User != "65532:65532" || len(run.Volumes) != 1 {
		t.Fatalf("the image runs as %+v", run)
	}
	r.env = slices.Concat(slices.DeleteFunc(r.env, func(v string) bool { return strings.HasPrefix(v, "PATH=") || strings.HasPrefix(v, "HOME=") }), run.Env,
		[]string{"HERMES_TELEGRAM_TOKEN=" + rig.TestToken, "HERMES_TELEGRAM_USERS=42"})
	if _, err := r.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	stop := r.runs(r.inImage(run, run.Cmd...))
	call := r.asks(r.agent, rig.DatabaseQuestion())
	r.taps("Which database should this feature use?", "2.")
	r.receives(call, "PostgreSQL (Recommended)")
	stop()
	for path := range run.Volumes {
		if info, err := os.Stat(filepath.Join(r.dir, path, "hermes.db")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the database in %s: %v, %v", path, info, err)
		}
	}
}

// inImage is a command of the image, in a root that is read-only but for its volumes.
func (r *bareRoot) inImage(run imageRun, args ...string) *exec.Cmd {
	const enter = `own=$PATH PATH=/usr/sbin:/usr/bin:/sbin:/bin && mount --bind "$1" "$1" && mount --bind "$1$3" "$1$3" && mount -o remount,bind,ro "$1" && ! touch "$1/x" 2>/dev/null && user=$2 && root=$1 && shift 3 && exec env PATH="$own" /usr/sbin/chroot --userspec="$user" "$root" "$@"`
	volume := ""
	for path := range run.Volumes {
		volume = path
	}
	cmd := exec.Command("/usr/bin/unshare", slices.Concat([]string{"--mount", "/bin/sh", "-c", enter, "sh", r.dir, run.User, volume}, run.Entrypoint, args)...)
	cmd.Env = r.env
	return cmd
}
