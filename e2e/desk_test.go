//go:build e2e

package e2e_test

import (
	"testing"
)

// desk is everything around one hermes: a phone, and two OpenCode of one version
// in two projects, both reached in the same way.
type desk struct {
	t       testing.TB
	version string
	way     way
	phone   *phone
	hermes  *hermes
	here    *window // the project shop-api
	there   *window // the project web-app
}

func newDesk(t *testing.T, bin, version string, w way) *desk {
	t.Helper()
	p := newPhone(t)
	h := newHermes(t, bin, p.url)
	d := &desk{
		t: t, version: version, way: w, phone: p, hermes: h,
		here: openWindow(t, version, w, "shop-api", h), there: openWindow(t, version, w, "web-app", h),
	}
	if w == direct {
		h.env["HERMES_OPENCODE_URLS"] = d.here.URL + "," + d.there.URL
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
	for _, w := range []*window{d.here, d.there} {
		w.t = t
		w.SpeakTo(t)
	}
}
