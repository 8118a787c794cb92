package rig

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
)

// Metrics is GET /metrics.
func (r *Rig) Metrics() string {
	r.T.Helper()
	code, text := r.Request("GET", "/metrics", "")
	if code != http.StatusOK {
		r.T.Errorf("GET /metrics gives %d %s", code, text)
	}
	if code, _ := r.Request("GET", "/metrics", "", "Authorization", ""); code != http.StatusUnauthorized {
		r.T.Errorf("GET /metrics without the token gives %d", code)
	}
	return text
}

// Samples is GET /metrics as values by series, spelled as there: with the labels in their order.
func (r *Rig) Samples() map[string]float64 {
	r.T.Helper()
	list := map[string]float64{}
	for line := range strings.Lines(r.Metrics()) {
		line = strings.TrimSuffix(line, "\n")
		i := strings.LastIndexByte(line, ' ')
		if strings.HasPrefix(line, "#") || i < 0 {
			continue
		}
		value, err := strconv.ParseFloat(line[i+1:], 64)
		if err != nil {
			r.T.Fatalf("%q is no sample", line)
		}
		list[line[:i]] = value
	}
	return list
}

// WantSamples fails the test unless these series have these values.
func (r *Rig) WantSamples(when string, want map[string]float64) {
	r.T.Helper()
	got := r.Samples()
	for series, value := range want {
		if found, ok := got[series]; !ok || found != value {
			r.T.Errorf("%s: %s is %v (%v), not %v", when, series, found, ok, value)
		}
	}
}

var (
	sampleName  = regexp.MustCompile(`^([a-z_]+?)(?:_bucket|_sum|_count)?(?:{|$)`)
	sampleLabel = regexp.MustCompile(`([a-z_]+)="`)
)

// AllMetrics are the metrics of a hermes in which everything is configured that has some, each with the names of its labels; a
// histogram without its suffixes and its le.
func AllMetrics(t *testing.T) (all map[string][]string) {
	t.Helper()
	everything := func(c *config.Config) {
		cert, key := testenv.SelfSigned(t, time.Now().Add(90*24*time.Hour))
		c.TLSCert, c.TLSKey = testenv.WriteFile(t, "cert.pem", cert), testenv.WriteFile(t, "key.pem", key)
		c.BackupDir, c.BackupKeep = t.TempDir(), 7
	}
	PlayWrapped(t, WithLease, everything, func(r *Rig) {
		r.Ask(DatabaseQuestion())
		r.Tap("2.")
		r.Wait(time.Minute)
		all = maps.Clone(r.metricLabels())
	})
	return all
}

// metricLabels are the metrics of GET /metrics that have samples.
func (r *Rig) metricLabels() map[string][]string {
	r.T.Helper()
	list := map[string][]string{}
	for series := range r.Samples() {
		name := sampleName.FindStringSubmatch(series)[1]
		for _, label := range sampleLabel.FindAllStringSubmatch(series, -1) {
			if label[1] != "le" && !slices.Contains(list[name], label[1]) {
				list[name] = append(list[name], label[1])
			}
		}
		if list[name] == nil {
			list[name] = []string{}
		}
	}
	return list
}
