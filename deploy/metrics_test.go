package deploy_test

import (
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

// rule is one alert of alerts.yaml.
type rule struct {
	Alert       string
	Expr        string
	For         string
	Labels      map[string]string
	Annotations struct{ Summary, Description, Runbook string }
}

func alerts(t *testing.T) []rule {
	t.Helper()
	type file struct {
		Groups []struct {
			Name  string
			Rules []rule
		}
	}
	files := readYAML[file](t, "prometheus/alerts.yaml")
	if len(files) != 1 || len(files[0].Groups) != 1 {
		t.Fatal("alerts.yaml is not one group")
	}
	return files[0].Groups[0].Rules
}

// Each alert says how bad it is, and what to do: its runbook is a heading that is there.
func TestAlerts_HaveARunbook(t *testing.T) {
	page, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range alerts(t) {
		if s := a.Labels["severity"]; s != "critical" && s != "warning" {
			t.Errorf("%s has the severity %q", a.Alert, s)
		}
		if want := "docs/operating.md#" + strings.ToLower(a.Alert); a.Annotations.Runbook != want || a.Annotations.Summary == "" || a.Annotations.Description == "" {
			t.Errorf("%s has %+v", a.Alert, a.Annotations)
		}
		if !strings.Contains(string(page), "\n### "+a.Alert+"\n") {
			t.Errorf("docs/operating.md says nothing of %s", a.Alert)
		}
	}
	for _, found := range regexp.MustCompile(`(?m)^### (Hermes\w+)$`).FindAllStringSubmatch(string(page), -1) {
		if !slices.ContainsFunc(alerts(t), func(a rule) bool { return a.Alert == found[1] }) {
			t.Errorf("docs/operating.md tells of %s, which is no alert", found[1])
		}
	}
}

var (
	metricIn    = regexp.MustCompile(`\b((?:hermes|process|go)_[a-z_]+)(?:{([^}]*)})?`)
	labelIn     = regexp.MustCompile(`([a-z_]+)\s*(?:=~|!~|!=|=)`)
	groupingIn  = regexp.MustCompile(`\b(?:by|without|on|ignoring) \(([^)]*)\)`)
	legendLabel = regexp.MustCompile(`{{([a-z_]+)}}`)
	suffix      = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// wantMetrics fails the test unless every metric and every label of a query is one that hermes has.
func wantMetrics(t *testing.T, from, query string, have map[string][]string) {
	t.Helper()
	known := []string{"job", "instance", "le"}
	found := metricIn.FindAllStringSubmatch(query, -1)
	for _, m := range found {
		labels, ok := have[suffix.ReplaceAllString(m[1], "")]
		if !ok {
			t.Errorf("%s: hermes has no %s", from, m[1])
		}
		known = append(known, labels...)
		for _, label := range labelIn.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(labels, label[1]) && !slices.Contains(known[:3], label[1]) {
				t.Errorf("%s: %s has no label %s", from, m[1], label[1])
			}
		}
	}
	for _, g := range groupingIn.FindAllStringSubmatch(query, -1) {
		for label := range strings.SplitSeq(g[1], ",") {
			if label = strings.TrimSpace(label); label != "" && !slices.Contains(known, label) {
				t.Errorf("%s: nothing in it has the label %s", from, label)
			}
		}
	}
	if len(found) == 0 && !strings.Contains(query, "up{") {
		t.Errorf("%s: no metric in %s", from, query)
	}
}

// What the alerts ask for is there.
func TestAlerts_AskForMetricsThatExist(t *testing.T) {
	have := allMetrics(t)
	for _, a := range alerts(t) {
		wantMetrics(t, a.Alert, a.Expr, have)
	}
}

// allMetrics are the metrics of a hermes in which everything is configured that has some, each with the names of its labels; a
// histogram without its suffixes and its le.
func allMetrics(t *testing.T) (all map[string][]string) {
	t.Helper()
	everything := func(c *config.Config) {
		cert, key := testenv.SelfSigned(t, time.Now().Add(90*24*time.Hour))
		c.TLSCert, c.TLSKey = testenv.WriteFile(t, "cert.pem", cert), testenv.WriteFile(t, "key.pem", key)
		c.BackupDir, c.BackupKeep = t.TempDir(), 7
	}
	rig.PlayWrapped(t, rig.WithLease, everything, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Tap("2.")
		r.Wait(time.Minute)
		all = metricLabels(r)
	})
	return all
}

// metricLabels are the metrics of GET /metrics that have samples.
func metricLabels(r *rig.Rig) map[string][]string {
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

var (
	sampleName  = regexp.MustCompile(`^([a-z_]+?)(?:_bucket|_sum|_count)?(?:{|$)`)
	sampleLabel = regexp.MustCompile(`([a-z_]+)="`)
)
