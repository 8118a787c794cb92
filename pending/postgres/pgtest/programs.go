//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// programs are those of PostgreSQL, and who runs them: its server refuses to be root.
type programs struct {
	dir  string
	user *syscall.Credential // nil: who runs the test
}

func findPrograms(t testing.TB) programs {
	t.Helper()
	dir, err := findDir()
	if err != nil {
		t.Fatal(err)
	}
	p := programs{dir: dir}
	if os.Geteuid() == 0 {
		p.user = ordinaryUser(t)
	}
	return p
}

// findDir prefers what pg_config names. Debian has the server's programs in a directory of their version, which is in nobody's PATH.
func findDir() (string, error) {
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		if dir := strings.TrimSpace(string(out)); hasServer(dir) {
			return dir, nil
		}
	}
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.Reverse(dirs)
	for _, dir := range dirs {
		if hasServer(dir) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("PostgreSQL's server is missing: neither pg_config --bindir nor /usr/lib/postgresql/*/bin has initdb and postgres; on Debian: apt-get install postgresql")
}

func hasServer(dir string) bool {
	for _, name := range []string{"initdb", "postgres", "pg_ctl", "pg_basebackup", "psql"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

func ordinaryUser(t testing.TB) *syscall.Credential {
	t.Helper()
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	t.Fatal("PostgreSQL's server does not run as root, and there is neither a user postgres nor nobody")
	return nil
}

// makeDir makes a temporary directory that belongs to the server's user. A test's own one would not do: others may not pass the one above it.
func (p programs) makeDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hermes-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if p.user != nil {
		if err := os.Chown(dir, int(p.user.Uid), int(p.user.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a program to its end, and returns what it printed.
func (p programs) run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(p.dir, name), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PGPASSWORD="+Password, "LC_ALL=C", "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.user}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out.String())
	}
	return out.String(), nil
}

func (p programs) mustRun(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	out, err := p.run(dir, name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
