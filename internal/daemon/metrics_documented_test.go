package daemon_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// playTLS is rig.Play with a certificate and a lease, so that there is every metric.
func playTLS(t *testing.T, test func(*rig.Rig)) {
	t.Helper()
	rig.PlayWrapped(t, rig.WithLease, func(c *config.Config) {
		cert, key := testenv.SelfSigned(t, time.Now().Add(90*24*time.Hour))
		c.TLSCert, c.TLSKey = testenv.WriteFile(t, "cert.pem", cert), testenv.WriteFile(t, "key.pem", key)
	}, test)
}

// docs/http.md has a row for every metric, with its labels, and for no other.
func TestMetrics_AreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		for _, m := range regexp.MustCompile("`(hermes_[a-z_]+)(?:{([a-z_,]+)})?`").FindAllStringSubmatch(first, -1) {
			if strings.HasPrefix(line, "| `hermes_") {
				documented[m[1]+"{"+m[2]+"}"] = true
			}
		}
	}
	playTLS(t, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Tap("2.")
		r.Wait(time.Minute)
		got := map[string]bool{}
		for name, labels := range r.MetricLabels() {
			if strings.HasPrefix(name, "hermes_") {
				got[name+"{"+strings.Join(labels, ",")+"}"] = true
			}
		}
		for _, name := range slices.Sorted(maps.Keys(got)) {
			if !documented[name] {
				t.Errorf("docs/http.md does not tell of %s", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(documented)) {
			if !got[name] {
				t.Errorf("docs/http.md tells of %s, which is not there", name)
			}
		}
	})
}
