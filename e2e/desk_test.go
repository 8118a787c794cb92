//go:build e2e

package e2e_test

import (
	"strings"
	"testing"
)

// desk is everything around one hermes: a phone, and OpenCodes of one version in one
// project each, all reached in the same way.
type desk struct {
	entry
	t       testing.TB
	phone   *phone
	hermes  *hermes
	here    *window   // the first project
	there   *window   // the second; nil if there is none
	windows []*window // all
}

// newDesk opens a window in each of the projects.
func newDesk(t testing.TB, e entry, projects ...string) *desk {
	t.Helper()
	p := newPhone(t)
	h := newHermes(t, p.url)
	d := &desk{t: t, entry: e, phone: p, hermes: h}
	var urls []string
	for _, name := range projects {
		win := openWindow(t, e, name, h)
		d.windows, urls = append(d.windows, win), append(urls, win.URL)
	}
	d.here = d.windows[0]
	if len(d.windows) > 1 {
		d.there = d.windows[1]
	}
	if e.way == direct {
		h.env["HERMES_OPENCODE_URLS"] = strings.Join(urls, ",")
		h.env["HERMES_OPENCODE_PASSWORD"] = password
	}
	p.say("/start", 0)
	return d
}

// scene is a story that is played at a desk.
type scene struct {
	name  string
	play  func(*desk)
	scope scope
}

// play plays the scenes that the desk's entry is for, each as a subtest. Those after a
// failed one do not run, because they go on with what it left.
func (d *desk) play(t *testing.T, scenes []scene) bool {
	for _, s := range scenes {
		if d.plays(s.scope) && !t.Run(s.name, func(t *testing.T) {
			outer := d.t
			d.speakTo(t)
			defer d.speakTo(outer)
			s.play(d)
		}) {
			return false
		}
	}
	return true
}

// playAll plays scenes with a hermes that shows everything at once, and then looks at all
// that the chat shows.
func (d *desk) playAll(t *testing.T, scenes []scene) {
	d.hermes.start(t, "HERMES_NOTIFY_DELAY=0")
	d.hermes.awaitReady(t)
	if d.play(t, scenes) {
		d.phone.check()
		d.hermes.stop(t)
	}
}

// speakTo makes t the test that everything fails.
func (d *desk) speakTo(t testing.TB) {
	d.t, d.phone.t = t, t
	for _, w := range d.windows {
		w.t = t
		w.SpeakTo(t)
	}
}
