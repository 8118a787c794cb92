package link_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"hermes/opencode/link"
)

func serviceHello(protocol int, process string) string {
	return fmt.Sprintf(`{"kind":"service","protocol":%d,"instance":"relay","process":%q,"pid":7,"host":"h","version":"2.0.18","plugin":"1.0.0","complete":true}`, protocol, process)
}

// A link of a service has a protocol number of its own, so that a hermes that takes no services refuses it; and a token of
// its own, by which it is told from other machines' services.
func TestService_Hello(t *testing.T) {
	good := serviceHello(2, "service-1")
	for name, c := range map[string]struct {
		token, hello string
		code         int
		says         string
	}{
		"good":               {"a", good, 200, `"poll":`},
		"of the API's token": {"", good, http.StatusForbidden, "takes the token of a link alone"},
		"of a plugin's":      {"a", strings.Replace(good, `"protocol":2`, `"protocol":1`, 1), http.StatusUpgradeRequired, `"protocol":2`},
		"of a plugin":        {"a", strings.Replace(good, `"kind":"service",`, "", 1), http.StatusUpgradeRequired, "update hermes here"},
		"of an older plugin": {"a", strings.NewReplacer(`"kind":"service",`, "", `:2,`, `:0,`).Replace(good), http.StatusUpgradeRequired, "run hermes plugin install"},
		"older":              {"a", strings.Replace(good, `"protocol":2`, `"protocol":0`, 1), http.StatusUpgradeRequired, "update hermes there"},
		"newer":              {"a", strings.Replace(good, `"protocol":2`, `"protocol":3`, 1), http.StatusUpgradeRequired, "update hermes here"},
		"without a number":   {"a", strings.Replace(good, `"protocol":2,`, "", 1), http.StatusUpgradeRequired, "update hermes there"},
		"of another kind":    {"a", strings.NewReplacer(`"service"`, `"other"`, `:2,`, `:1,`).Replace(good), http.StatusBadRequest, "kind"},
		"without a process":  {"a", strings.Replace(good, `"pid":7`, `"pid":0`, 1), http.StatusBadRequest, "pid"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMachines(t).as(t.Context(), c.token, "POST", "/v1/link", strings.NewReader(c.hello))
			if w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("got %d %s", w.Code, w.Body)
			}
		})
	}
}

// The same service opens its link anew; a token has few services.
func TestQuota_Services(t *testing.T) {
	m := newMachines(t)
	for n := range 6 {
		want := 200
		if n >= 4 {
			want = http.StatusTooManyRequests
		}
		if code := m.opens(t, "a", serviceHello(2, fmt.Sprint("service-", n))); code != want {
			t.Errorf("service %d gave %d", n, code)
		}
	}
	for name, hello := range map[string]string{"again": serviceHello(2, "service-1"), "a plugin": hello("i", "p", "/src")} {
		if code := m.opens(t, "a", hello); code != 200 {
			t.Errorf("%s gave %d", name, code)
		}
	}
	if code := m.opens(t, "b", serviceHello(2, "service-9")); code != 200 {
		t.Errorf("another machine's gave %d", code)
	}
}

// What is of no more use is ended, and opened again by whoever opened it.
func TestHub_Drop(t *testing.T) {
	j := newJournal(t, link.Config{})
	l := j.open(t, hello("i", "p", "/src"))
	j.Drop(l)
	j.Drop(l)
	j.want(t, "opened i", "closed i lost")
}
