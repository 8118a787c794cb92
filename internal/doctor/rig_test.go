package doctor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/pending"
)

// doctorRig is a rig with a doctor: everything is well until a test spoils it.
type doctorRig struct {
	*rig.Rig
	opts     Options
	patient  config.Config        // what the doctor is given
	wrong    config.Mistakes      // of the configuration
	refuse   atomic.Bool          // nothing listens where hermes should
	skew     time.Duration        // of the clock here
	answers  map[string]string    // of methods and paths, in place of the stand-ins'
	here     string               // the working directory
	free     uint64               // bytes on the disk
	notice   testenv.LockedBuffer // what a person is told
	polled   func()               // told of each poll of the doctor; may be nil
	rendered string

	stopsAtAgents func() // called when OpenCode is asked for its agents; may be nil

	linkToken string // with which links are opened
}

const agentsAllow = `[
	{"name":"build","native":true,"permission":[{"permission":"*","action":"allow","pattern":"*"}]},
	{"name":"general","native":true,"permission":[{"permission":"question","action":"deny","pattern":"*"}]},
	{"name":"reviewer","permission":[{"permission":"question","action":"deny","pattern":"*"},{"permission":"question","action":"allow","pattern":"*"}]}]`

// playDoctor plays a test with a daemon that runs, or, if it is idle, with none.
func playDoctor(t *testing.T, idle bool, test func(*doctorRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		c := &doctorRig{Rig: r, free: 1 << 40, answers: map[string]string{"/agent": agentsAllow}, linkToken: rig.LinkKey}
		c.refuse.Store(idle)
		if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
			t.Fatal(err)
		}
		addLinkTo(t, r.Config.DB, "laptop", rig.LinkKey)
		if !idle {
			r.Start()
		}
		c.patient = r.Config
		c.patient.HookToken = rig.HookKey
		c.install()
		test(c)
		if !idle {
			r.Halt()
		}
		r.Close()
		rig.NoCanary(t, "the report", c.rendered)
		rig.NoCanary(t, "the notice", c.notice.String())
	})
}

func (c *doctorRig) install() {
	c.T.Helper()
	c.opts.Plugin = plugin.Options{ConfigDir: c.T.TempDir()}
	o := c.opts.Plugin
	o.URLs, o.Token = []string{c.patient.OwnURL()}, rig.LinkKey
	if _, err := plugin.Install(o); err != nil {
		c.T.Fatal(err)
	}
}

// file is a file of OpenCode's configuration folder.
func (c *doctorRig) file(parts ...string) string {
	return filepath.Join(append([]string{c.opts.Plugin.ConfigDir}, parts...)...)
}

// write puts a file there.
func (c *doctorRig) write(path, text string) {
	c.T.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.T.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.T.Fatal(err)
	}
}

// world reaches the stand-ins, with the answers that are put in their place.
func (c *doctorRig) world() World {
	return World{
		telegram: rig.RoundTripper(c.toTelegram), opencode: c.over(c.Opencode.Transport()), hermes: rig.RoundTripper(c.toHermes),
		free: func(string) (uint64, error) { return c.free, nil }, Notice: &c.notice, Here: c.here, agents: c.listAgents,
	}
}

func (c *doctorRig) toTelegram(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.URL.Path, "/getUpdates") && c.polled != nil {
		c.polled()
	}
	res, err := c.over(c.Telegram.Transport()).RoundTrip(req)
	if err == nil {
		res.Header.Set("Date", time.Now().Add(-c.skew).UTC().Format(http.TimeFormat))
	}
	return res, err
}

func (c *doctorRig) toHermes(req *http.Request) (*http.Response, error) {
	if c.refuse.Load() {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	return c.over(rig.RoundTripper(c.RoundTrip)).RoundTrip(req)
}

// over answers what the test wants answered. "401" and the like stand for a status.
func (c *doctorRig) over(next http.RoundTripper) http.RoundTripper {
	return rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
		text, ok := c.answers[req.URL.Path]
		if !ok {
			text, ok = c.answers[filepath.Base(req.URL.Path)]
		}
		if !ok {
			return next.RoundTrip(req)
		}
		code := http.StatusOK
		if text == "401" {
			code = http.StatusUnauthorized
		}
		return &http.Response{
			StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(text)), Request: req,
		}, nil
	})
}

// examine lets the doctor look, and returns what it says.
func (c *doctorRig) examine() []result {
	c.T.Helper()
	list, _ := c.examineFor(context.Background())
	return list
}

func (c *doctorRig) examineFor(ctx context.Context) ([]result, error) {
	c.T.Helper()
	var out bytes.Buffer
	err := New(c.patient, c.wrong, c.opts, c.world()).Report(ctx, &out, console.Style{JSON: true})
	c.rendered += out.String()
	var report struct{ Checks []result }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		c.T.Fatalf("%v in %s", err, out.String())
	}
	return report.Checks, err
}

// finds fails the test unless the doctor says this, and says what to do if
// something is wrong.
func (c *doctorRig) finds(name string, status grade, detail, remedy string) {
	c.T.Helper()
	list := c.examine()
	for _, d := range list {
		if d.Name == name && d.Status == status && strings.Contains(d.Detail, detail) && strings.Contains(d.Remedy, remedy) {
			if wrong := status == gradeWarn || status == gradeFail; wrong != (d.Remedy != "") {
				c.T.Errorf("%+v has a remedy, or has none, where it should not", d)
			}
			return
		}
	}
	c.T.Errorf("the doctor does not say %s %s %q -> %q, but:\n%s", name, status, detail, remedy, words(list))
}

func words(list []result) string {
	var b strings.Builder
	r := report{out: &b}
	for _, d := range list {
		r.redact = secret.NewRedactor()
		b.WriteString(r.line(d) + "\n")
	}
	return b.String()
}

// database makes a database that the doctor finds where no hermes runs, with its
// bytes changed.
func (c *doctorRig) database(change func([]byte) []byte) {
	c.T.Helper()
	store, err := pending.Open(c.patient.DB, pending.Options{NoSync: true})
	if err != nil {
		c.T.Fatal(err)
	}
	if err := store.Close(); err != nil {
		c.T.Fatal(err)
	}
	content, err := os.ReadFile(c.patient.DB)
	if err != nil {
		c.T.Fatal(err)
	}
	c.write(c.patient.DB, string(change(content)))
}

// listAgents is opencode agent list as 1.1.53 and 1.18.34 print it. In folders named mute nobody may ask.
func (c *doctorRig) listAgents(_ context.Context, directory string) (string, error) {
	if c.stopsAtAgents != nil {
		c.stopsAtAgents()
	}
	action := "allow"
	if filepath.Base(directory) == "mute" {
		action = "deny"
	}
	return `build (primary)
  [
  {
    "permission": "*",
    "action": "allow",
    "pattern": "*"
  },
  {
    "permission": "question",
    "action": "` + action + `",
    "pattern": "*"
  }
]
general (subagent)
  [
  {
    "permission": "question",
    "action": "deny",
    "pattern": "*"
  }
]
team/reviewer (all)
  [
  {
    "permission": "question",
    "action": "` + action + `",
    "pattern": "*"
  }
]
`, nil
}

// edit changes the installed plugin by hand.
func (c *doctorRig) edit(old, new string) {
	c.T.Helper()
	path := c.file("plugin", "hermes.js")
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), old) {
		c.T.Fatalf("%q is not in the plugin, %v", old, err)
	}
	c.write(path, strings.Replace(string(text), old, new, 1))
}

// age installs a plugin as an older hermes would have.
func (c *doctorRig) age() {
	c.T.Helper()
	c.edit(fmt.Sprintf("const HERMES_PLUGIN_VERSION = %q", plugin.Version()), `const HERMES_PLUGIN_VERSION = "0.9.0"`)
	path := c.file("plugin", "hermes.js")
	text, err := os.ReadFile(path)
	if err != nil {
		c.T.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	c.write(path, fmt.Sprintf("// hermes plugin 0.9.0 sha256=%x; it is old\n%s", sha256.Sum256([]byte(rest)), rest))
}

// addLinkTo stores a link of a known token in a database that no hermes has open.
func addLinkTo(t *testing.T, db, name string, token secret.Text) {
	t.Helper()
	store, err := pending.Open(db, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = store.Links().Add(pending.Link{Name: name, Hash: link.HashOf(token), Made: time.Now()}, storage.Entry{At: time.Now(), Kind: storage.EntryLinked, Note: name})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
}
