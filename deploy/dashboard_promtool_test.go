//go:build e2e

package deploy_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"hermes/internal/simulate/testenv"
)

// Prometheus reads every query of the dashboard: each is given to its own tool as a rule.
func TestDashboard_PrometheusReadsIt(t *testing.T) {
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	var rules []rule
	for _, query := range readDashboard(t).queries() {
		rules = append(rules, rule{fmt.Sprintf("dashboard:query:%d", len(rules)), query})
	}
	raw, err := json.Marshal(map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	findPromtool(t)(t, "check", "rules", testenv.WriteFile(t, "rules.yaml", string(raw)))
}
