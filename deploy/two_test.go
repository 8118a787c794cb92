package deploy_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
)

// Both hermes of compose-two.yaml take their settings, share database and secrets, keep nothing, and differ in where they are reached alone.
func TestCompose_Two(t *testing.T) {
	file := readYAML[compose](t, "compose-two.yaml")[0]
	wantConfined(t, file)
	for name, port := range map[string]string{"hermes-a": "4097", "hermes-b": "4098"} {
		s := file.Services[name]
		if len(s.Volumes) > 0 || s.DependsOn["postgres"].Condition != "service_healthy" || !slices.Equal(s.Ports, []string{"127.0.0.1:" + port + ":4097"}) {
			t.Errorf("%s has the volumes %q and ports %q, and waits for %v", name, s.Volumes, s.Ports, s.DependsOn)
		}
		urls, ok := strings.CutPrefix(s.Environment["HERMES_PUBLIC_URL"], "${HERMES_PUBLIC_URL:-")
		s.Environment["HERMES_TELEGRAM_USERS"], s.Environment["HERMES_PUBLIC_URL"] = "42", strings.TrimSuffix(urls, "}")
		if c := wantSettings(t, s.Environment, "/run/secrets", s.Secrets); c.Store == "" || !ok || c.PublicURL != "http://127.0.0.1:"+port || len(c.PeerURLs) != 1 {
			t.Errorf("%s shares no database, or is said to be at %s, and the other at %s", name, c.PublicURL, c.PeerURLs)
		}
	}
	if p := file.Services["postgres"]; p.Healthcheck.Test == nil || len(p.Volumes) != 1 {
		t.Errorf("the database is %+v", p)
	}
}

// Of two-hermes.yaml both take their settings, have no volume of their own, and are ready whether they act or not: a rollout would wait for ever for a standby
// that is not.
func TestKubernetes_Two(t *testing.T) {
	var d deployment
	services := map[string]bool{}
	for _, one := range readLoosely[deployment](t, "kubernetes/two-hermes.yaml") {
		switch one.Kind {
		case "StatefulSet":
			d = one
		case "Service":
			services[one.Metadata.Name] = true
		}
	}
	pod := d.Spec.Template.Spec
	if d.Spec.Replicas != 2 || pod.ServiceLinks == nil || *pod.ServiceLinks || !pod.SecurityContext.RunAsNonRoot || len(pod.Containers) != 1 {
		t.Fatalf("the set is %+v", d.Spec)
	}
	one := pod.Containers[0]
	for i := range d.Spec.Replicas {
		name := fmt.Sprint(d.Metadata.Name, "-", i)
		if !services[name] {
			t.Errorf("no Service leads to %s", name)
		}
		environment := one.environment(t)
		environment["HERMES_PUBLIC_URL"] = strings.ReplaceAll(environment["HERMES_PUBLIC_URL"], "$(POD_NAME)", name)
		delete(environment, "POD_NAME")
		c := wantSettings(t, environment, "/run/secrets/hermes", []string{"telegram-token", "hook-token", "store"})
		if c.Store == "" || !strings.Contains(c.PublicURL, name) || len(c.PeerURLs) != 1 {
			t.Errorf("%s shares no database, or is said to be at %s, and the other at %s", name, c.PublicURL, c.PeerURLs)
		}
	}
	for _, m := range one.Mounts {
		if m.Name != "secrets" && m.Name != "tmp" {
			t.Errorf("it keeps something in %s", m.Name)
		}
	}
	one.wantProbed(t)
}

// Caddyfile.two knows who acts by an answer that does not depend on OpenCode: 401, without a token.
func TestProxies_TwoKnowWhoActs(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		r.Wait(time.Minute)
		if code, text := r.Request("GET", actsPath, "", "Authorization", ""); code != http.StatusUnauthorized {
			t.Errorf("%s without a token: %d %s", actsPath, code, text)
		}
	})
}

// actsPath is what Caddyfile.two asks for.
const actsPath = "/v1/status"
