//go:build e2e

package e2e_test

import (
	"strings"
	"testing"
)

// desk is everything around one hermes: a phone, and OpenCodes of one version in one
// project each, all reached in the same way.
type desk struct {
	t       testing.TB
	version string
	way     way
	phone   *phone
	hermes  *hermes
	here    *window   // the first project
	there   *window   // the second; nil if there is none
	windows []*window // all
}

// newDesk opens a window in each of the projects; by default there are two.
func newDesk(t *testing.T, bin, version string, w way, projects ...string) *desk {
	t.Helper()
	if projects == nil {
		projects = []string{"shop-api", "web-app"}
	}
	p := newPhone(t)
	h := newHermes(t, bin, p.url)
	d := &desk{t: t, version: version, way: w, phone: p, hermes: h}
	var urls []string
	for _, name := range projects {
		win := openWindow(t, version, w, name, h)
		d.windows, urls = append(d.windows, win), append(urls, win.URL)
	}
	d.here = d.windows[0]
	if len(d.windows) > 1 {
		d.there = d.windows[1]
	}
	if w == direct {
		h.env["HERMES_OPENCODE_URLS"] = strings.Join(urls, ",")
		h.env["HERMES_OPENCODE_PASSWORD"] = password
	}
	p.say("/start", 0)
	return d
}

// scene is one subtest; those after a failed one do not run, because they go on
// with what it left.
func (d *desk) scene(t *testing.T, name string, play func(*desk)) bool {
	return t.Run(name, func(t *testing.T) {
		outer := d.t
		d.speakTo(t)
		defer d.speakTo(outer)
		play(d)
	})
}

// speakTo makes t the test that everything fails.
func (d *desk) speakTo(t testing.TB) {
	d.t, d.phone.t = t, t
	for _, w := range d.windows {
		w.t = t
		w.SpeakTo(t)
	}
}
