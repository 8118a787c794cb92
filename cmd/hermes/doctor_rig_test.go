package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/pending"
)

// clinic is a rig with a doctor: everything is well until a test spoils it.
type clinic struct {
	*rig
	opts     doctorOptions
	patient  config                  // what the doctor is given
	wrong    mistakes                // of the configuration
	refuse   atomic.Bool             // nothing listens where hermes should
	skew     time.Duration           // of the clock here
	answers  map[string]string       // of methods and paths, in place of the stand-ins'
	missing  string                  // a path that the hermes that runs does not know
	here     string                  // the working directory
	free     uint64                  // bytes on the disk
	notice   lockedBuffer            // what a person is told
	polled   func()                  // told of each poll of the doctor; may be nil
	through  func(req *http.Request) // sees each request to Telegram; may be nil
	rendered string

	linkToken string // with which links are opened
}

const agentsAllow = `[
	{"name":"build","native":true,"permission":[{"permission":"*","action":"allow","pattern":"*"}]},
	{"name":"general","native":true,"permission":[{"permission":"question","action":"deny","pattern":"*"}]},
	{"name":"reviewer","permission":[{"permission":"question","action":"deny","pattern":"*"},{"permission":"question","action":"allow","pattern":"*"}]}]`

// playClinic plays a test with a daemon that runs, or, if it is idle, with none.
func playClinic(t *testing.T, idle bool, test func(*clinic)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, nil)
		c := &clinic{rig: r, free: 1 << 40, answers: map[string]string{"/agent": agentsAllow}, linkToken: linkKey}
		c.refuse.Store(idle)
		if _, err := r.telegram.Say(ada, ada, "/start"); err != nil {
			t.Fatal(err)
		}
		addLinkTo(t, r.config.DB, "laptop", linkKey)
		if !idle {
			r.start()
		}
		c.patient = r.config
		c.patient.HookToken = hookKey
		c.install()
		test(c)
		if !idle {
			r.halt()
		}
		r.close()
		noCanary(t, "the report", c.rendered)
		noCanary(t, "the notice", c.notice.String())
	})
}

// addLinkTo stores a link of a known token in a database that no hermes has open.
func addLinkTo(t *testing.T, db, name string, token secret) {
	t.Helper()
	store, err := pending.Open(db, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = store.AddLink(pending.Link{Name: name, Hash: link.HashOf(token), Made: time.Now()}, question.Entry{At: time.Now(), Kind: question.EntryLinked, Note: name})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
}

func (c *clinic) install() {
	c.t.Helper()
	c.opts.plugin = plugin.Options{ConfigDir: c.t.TempDir()}
	o := c.opts.plugin
	o.URL, o.Token = c.patient.ownURL(), linkKey
	if _, err := plugin.Install(o); err != nil {
		c.t.Fatal(err)
	}
}

// file is a file of OpenCode's configuration folder.
func (c *clinic) file(parts ...string) string {
	return filepath.Join(append([]string{c.opts.plugin.ConfigDir}, parts...)...)
}

// write puts a file there.
func (c *clinic) write(path, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// world reaches the stand-ins, with the answers that are put in their place.
func (c *clinic) world() doctorWorld {
	return doctorWorld{
		telegram: roundTripper(c.toTelegram), opencode: c.over(c.opencode.Transport()), hermes: roundTripper(c.toHermes),
		free: func(string) (uint64, error) { return c.free, nil }, notice: &c.notice, here: c.here,
	}
}

func (c *clinic) toTelegram(req *http.Request) (*http.Response, error) {
	if c.through != nil {
		c.through(req)
	}
	if strings.HasSuffix(req.URL.Path, "/getUpdates") && c.polled != nil {
		c.polled()
	}
	res, err := c.over(c.telegram.Transport()).RoundTrip(req)
	if err == nil {
		res.Header.Set("Date", time.Now().Add(-c.skew).UTC().Format(http.TimeFormat))
	}
	return res, err
}

func (c *clinic) toHermes(req *http.Request) (*http.Response, error) {
	if c.refuse.Load() {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	if req.URL.Path == c.missing {
		req.URL.Path = "/v1/missing"
	}
	return c.over(roundTripper(c.roundTrip)).RoundTrip(req)
}

// over answers what the test wants answered. "401" and the like stand for a status.
func (c *clinic) over(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
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
func (c *clinic) examine() []diagnosis {
	c.t.Helper()
	list, _ := c.examineFor(context.Background())
	return list
}

func (c *clinic) examineFor(ctx context.Context) ([]diagnosis, error) {
	c.t.Helper()
	var out bytes.Buffer
	err := newDoctor(c.patient, c.wrong, c.opts, c.world()).report(ctx, &out, reportStyle{json: true})
	c.rendered += out.String()
	var report struct{ Checks []diagnosis }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		c.t.Fatalf("%v in %s", err, out.String())
	}
	return report.Checks, err
}

// finds fails the test unless the doctor says this, and says what to do if
// something is wrong.
func (c *clinic) finds(name string, status grade, detail, remedy string) {
	c.t.Helper()
	list := c.examine()
	for _, d := range list {
		if d.Name == name && d.Status == status && strings.Contains(d.Detail, detail) && strings.Contains(d.Remedy, remedy) {
			if wrong := status == gradeWarn || status == gradeFail; wrong != (d.Remedy != "") {
				c.t.Errorf("%+v has a remedy, or has none, where it should not", d)
			}
			return
		}
	}
	c.t.Errorf("the doctor does not say %s %s %q -> %q, but:\n%s", name, status, detail, remedy, words(list))
}

func words(list []diagnosis) string {
	var b strings.Builder
	r := report{out: &b}
	for _, d := range list {
		r.redact = newRedactor()
		b.WriteString(r.line(d) + "\n")
	}
	return b.String()
}

// database makes a database that the doctor finds where no hermes runs, with its
// bytes changed.
func (c *clinic) database(change func([]byte) []byte) {
	c.t.Helper()
	store, err := pending.Open(c.patient.DB, pending.Options{NoSync: true})
	if err != nil {
		c.t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		c.t.Fatal(err)
	}
	content, err := os.ReadFile(c.patient.DB)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(c.patient.DB, string(change(content)))
}
