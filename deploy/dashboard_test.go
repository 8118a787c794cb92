package deploy_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// dashboard is what the tests read of grafana/hermes.json.
type dashboard struct {
	Title      string
	Panels     []panel
	Templating struct {
		List []struct{ Name, Definition string }
	}
	Annotations struct {
		List []struct{ Name, Expr string }
	}
}

type panel struct {
	ID      int
	Type    string
	Title   string
	GridPos struct{ X, Y, W, H int }
	Targets []struct{ Expr, LegendFormat string }
}

func readDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	text, err := os.ReadFile("grafana/hermes.json")
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// queries are all of a dashboard's, by where they are, with Grafana's variables filled in.
func (d dashboard) queries() map[string]string {
	fill := strings.NewReplacer("$__rate_interval", "5m", "$instance", ".*")
	list := map[string]string{}
	for _, p := range d.Panels {
		for i, q := range p.Targets {
			list[p.Title+" "+string(rune('A'+i))] = fill.Replace(q.Expr)
		}
	}
	for _, a := range d.Annotations.List {
		list[a.Name] = fill.Replace(a.Expr)
	}
	return list
}

// What the dashboard asks for is there, and each label that a legend names is one of its query's metrics.
func TestDashboard_AsksForMetricsThatExist(t *testing.T) {
	d, have := readDashboard(t), allMetrics(t)
	queries := d.queries()
	if len(queries) < 20 {
		t.Fatalf("%d queries were found", len(queries))
	}
	for from, query := range queries {
		wantMetrics(t, from, query, have)
		if strings.Contains(query, "$") {
			t.Errorf("%s: a variable is left in %s", from, query)
		}
	}
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			for _, label := range legendLabel.FindAllStringSubmatch(q.LegendFormat, -1) {
				wantMetrics(t, p.Title, q.Expr+" by ("+label[1]+")", have)
			}
		}
	}
	for _, v := range d.Templating.List {
		if name, ok := strings.CutPrefix(v.Definition, "label_values("); ok {
			wantMetrics(t, v.Name, name, have)
		}
	}
}
