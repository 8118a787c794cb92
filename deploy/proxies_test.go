package deploy_test

import (
	"os"
	"regexp"
	"testing"

	"hermes/internal/api"
)

// What stands in front of hermes lets a machine in that comes with a code of /link, as docs/machines.md has it.
func TestProxies_LetCodesIn(t *testing.T) {
	path := regexp.MustCompile(`(?m)(^|\s)` + regexp.QuoteMeta(api.ExchangePath) + `(\s|$)`)
	for _, name := range []string{"Caddyfile", "nginx.conf", "kubernetes/ingress.yaml"} {
		if text, err := os.ReadFile(name); err != nil || !path.Match(text) {
			t.Errorf("%s does not let %s through: %v", name, api.ExchangePath, err)
		}
	}
}
