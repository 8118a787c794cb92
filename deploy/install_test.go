package deploy_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const archiveName = "hermes_linux_amd64.tar.gz"

// releaseArchive is what a release has for a system, with a program that only tells a version.
func releaseArchive(t *testing.T, program string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	for _, f := range []struct {
		name, text string
		mode       int64
	}{
		{"hermes", program, 0o755},
		{"man/hermes.1", ".TH HERMES 1\n", 0o644},
		{"completion/hermes.bash", "# completion\n", 0o644},
	} {
		if err := files.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.text)), Mode: f.mode}); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// The script installs what the release's checksums fit, and nothing else, and says what it did.
func TestInstallScript(t *testing.T) {
	const works, broken = "#!/bin/sh\necho hermes v1.2.3\n", "#!/bin/sh\nexit 1\n"
	for _, c := range []struct {
		name, program string
		sums          func(sum string) string // checksums.txt
		version       string                  // asked for
		system, cpu   string                  // what uname says
		tls, leave    bool                    // the releases are at https, and the archive is elsewhere, without
		want          string
		installed     bool
	}{
		{name: "newest", program: works, want: "bin/hermes: hermes v1.2.3", installed: true},
		{name: "one version", program: works, version: "1.2.3", want: "bin/hermes: hermes v1.2.3", installed: true},
		{name: "one version with a v", program: works, version: "v1.2.3", want: "bin/hermes: hermes v1.2.3", installed: true},
		{name: "over https", program: works, tls: true, want: "bin/hermes: hermes v1.2.3", installed: true},
		{name: "redirected", program: works, leave: true, want: "bin/hermes: hermes v1.2.3", installed: true},
		{name: "redirected from https to http", program: works, tls: true, leave: true, want: archiveName + " cannot be fetched"},
		{name: "no such version", program: works, version: "9.9.9", want: "v9.9.9/checksums.txt cannot be fetched"},
		{name: "wrong checksum", program: works, sums: func(string) string { return strings.Repeat("0", 64) + "  " + archiveName + "\n" }, want: "nothing was installed"},
		{name: "no checksum", program: works, sums: func(sum string) string { return sum + "  " + archiveName + ".sbom\n" }, want: "does not have " + archiveName},
		{name: "does not start", program: broken, want: "does not start here; nothing was installed"},
		{name: "other system", program: works, system: "Plan9", want: "no release for Plan9"},
		{name: "other processor", program: works, cpu: "riscv64", want: "no release for the processor riscv64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			archive := releaseArchive(t, c.program)
			sums := func(sum string) string { return "00  other.deb\n" + sum + "  " + archiveName + "\n" }
			if c.sums != nil {
				sums = c.sums
			}
			archives := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) }))
			defer archives.Close()
			releases := http.NewServeMux()
			for _, at := range []string{"/latest/download/", "/download/v1.2.3/"} {
				releases.HandleFunc(at+archiveName, func(w http.ResponseWriter, r *http.Request) {
					if c.leave {
						http.Redirect(w, r, archives.URL, http.StatusFound)
						return
					}
					_, _ = w.Write(archive)
				})
				releases.HandleFunc(at+"checksums.txt", func(w http.ResponseWriter, _ *http.Request) {
					_, _ = fmt.Fprint(w, sums(fmt.Sprintf("%x", sha256.Sum256(archive))))
				})
			}
			server, trusted := httptest.NewUnstartedServer(releases), filepath.Join(t.TempDir(), "ca.pem")
			start := server.Start
			if c.tls {
				start = server.StartTLS
			}
			start()
			defer server.Close()
			if c.tls {
				authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
				if err := os.WriteFile(trusted, authority, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out, prefix, err := runInstall(t, server.URL, c.version, c.system, c.cpu, "CURL_CA_BUNDLE="+trusted)
			if (err == nil) != c.installed || !strings.Contains(out, c.want) {
				t.Errorf("it ended with %v and said:\n%s\nwant %q", err, out, c.want)
			}
			holdInstalled(t, prefix, c.installed)
		})
	}
}

func runInstall(t *testing.T, releases, version, system, cpu string, env ...string) (out, prefix string, err error) {
	t.Helper()
	bin, prefix := t.TempDir(), filepath.Join(t.TempDir(), "prefix")
	uname := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = -s ] && echo %s || echo %s\n", or(system, "Linux"), or(cpu, "x86_64"))
	if err := os.WriteFile(filepath.Join(bin, "uname"), []byte(uname), 0o755); err != nil {
		t.Fatal(err)
	}
	script := exec.Command("/bin/sh", "-c", "umask 000; exec /bin/sh install.sh")
	script.Env = append(append(os.Environ(), env...), "PATH="+bin+":"+os.Getenv("PATH"), "RELEASES="+releases, "PREFIX="+prefix, "VERSION="+version, "TMPDIR="+t.TempDir(), "no_proxy=127.0.0.1", "NO_PROXY=127.0.0.1")
	text, err := script.CombinedOutput()
	return string(text), prefix, err
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// holdInstalled: all of it or nothing is there, no file beside, and nothing that others may write.
func holdInstalled(t *testing.T, prefix string, installed bool) {
	t.Helper()
	var found []string
	_ = filepath.WalkDir(prefix, func(path string, d os.DirEntry, err error) error {
		if info, e := os.Stat(path); e == nil && info.Mode().Perm()&0o022 != 0 {
			t.Errorf("everybody may write %s: %v", path, info.Mode())
		}
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(prefix, path)
			found = append(found, name)
		}
		return nil
	})
	want := ""
	if installed {
		want = "bin/hermes share/bash-completion/completions/hermes share/man/man1/hermes.1"
	}
	if got := strings.Join(found, " "); got != want {
		t.Errorf("installed were %q, not %q", got, want)
	}
}
