package deploy_test

import (
	"cmp"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

var variableIn = regexp.MustCompile(`\bHERMES_[A-Z0-9_]*`)

// compose is what compose.yaml may hold. A field that is not here is a mistake in the file, or belongs here.
type compose struct {
	Name     string
	Services map[string]struct {
		Build          struct{ Context, Dockerfile string }
		Image, Restart string
		StopGrace      string `yaml:"stop_grace_period"`
		ShmSize        string `yaml:"shm_size"`
		User           string
		ReadOnly       bool     `yaml:"read_only"`
		CapDrop        []string `yaml:"cap_drop"`
		CapAdd         []string `yaml:"cap_add"`
		SecurityOpt    []string `yaml:"security_opt"`
		Tmpfs          []string
		Environment    map[string]string
		Secrets        []string
		Volumes, Ports []string
		Profiles       []string
		DependsOn      map[string]struct{ Condition string } `yaml:"depends_on"`
		Healthcheck    struct {
			Test              []string
			Interval, Timeout string
			StartPeriod       string `yaml:"start_period"`
			Retries           int
		}
	}
	Secrets map[string]struct{ File string }
	Volumes map[string]any
}

// secretTexts are what hermes takes in the files of these variables; in all others it takes the API's token.
var secretTexts = map[string]string{
	"HERMES_TELEGRAM_TOKEN_FILE": rig.TestToken,
	"HERMES_STORE_FILE":          "postgres://hermes:none@postgres/hermes?sslmode=disable",
}

// wantSettings fails the test unless hermes serve takes these variables, with secrets in files that there are: under secretsDir.
func wantSettings(t *testing.T, environment map[string]string, secretsDir string, secrets []string) config.Config {
	t.Helper()
	var lines []string
	for name, value := range environment {
		if strings.HasSuffix(name, "_FILE") {
			if dir, base := path.Split(value); path.Clean(dir) != secretsDir || !slices.Contains(secrets, base) {
				t.Errorf("%s names %s, and no such secret is there", name, value)
			}
			value = testenv.WriteFile(t, path.Base(value), cmp.Or(secretTexts[name], rig.HookKey))
		}
		lines = append(lines, name+"="+value)
	}
	c, err := rig.LoadFile(t, strings.Join(lines, "\n"))
	if err != nil {
		t.Errorf("hermes does not take these settings: %v", err)
	}
	return c
}

// wantConfined fails the test where a service of the file may do more than it has to, or has a secret that is not there.
func wantConfined(t *testing.T, file compose) {
	t.Helper()
	for name, s := range file.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s may do more than it has to", name)
		}
		for _, secret := range s.Secrets {
			if _, ok := file.Secrets[secret]; !ok {
				t.Errorf("%s: there is no secret %s", name, secret)
			}
		}
	}
}

// hermes takes the settings of compose.yaml, and runs as the image's user, with nothing to write but its volume.
func TestCompose(t *testing.T) {
	file := readYAML[compose](t, "compose.yaml")[0]
	hermes := file.Services["hermes"]
	environment := hermes.Environment
	if !strings.HasPrefix(environment["HERMES_TELEGRAM_USERS"], "${HERMES_TELEGRAM_USERS:?") {
		t.Errorf("who may answer is not asked for: %s", environment["HERMES_TELEGRAM_USERS"])
	}
	environment["HERMES_TELEGRAM_USERS"] = "42"
	c := wantSettings(t, environment, "/run/secrets", hermes.Secrets)
	if !slices.Contains(hermes.Volumes, "hermes:"+path.Dir(c.DB)) {
		t.Errorf("the database %s is in none of the volumes %q", c.DB, hermes.Volumes)
	}
	image, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(image), "\nUSER "+hermes.User+"\n") {
		t.Errorf("the image has another user than %s", hermes.User)
	}
	wantConfined(t, file)
	proxy := file.Services["caddy"]
	if site, err := os.ReadFile("Caddyfile"); err != nil || !slices.Equal(proxy.Profiles, []string{"proxy"}) || proxy.Environment["UPSTREAM"] != "hermes:4097" ||
		!strings.Contains(string(site), "{$UPSTREAM:127.0.0.1:4097}") {
		t.Errorf("Caddy does not reach hermes: %v %+v", err, proxy)
	}
}

// deployment is what the test reads of kubernetes/hermes.yaml.
type deployment struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		Replicas int
		Strategy struct{ Type string }
		Template struct {
			Spec struct {
				ServiceLinks    *bool `yaml:"enableServiceLinks"`
				SecurityContext struct {
					RunAsNonRoot bool `yaml:"runAsNonRoot"`
				} `yaml:"securityContext"`
				Containers []container
			}
		}
	}
}

type container struct {
	Env       []struct{ Name, Value string }
	Readiness probe `yaml:"readinessProbe"`
	Liveness  probe `yaml:"livenessProbe"`
	Startup   probe `yaml:"startupProbe"`
	Security  struct {
		ReadOnly bool                    `yaml:"readOnlyRootFilesystem"`
		Escalate *bool                   `yaml:"allowPrivilegeEscalation"`
		Caps     struct{ Drop []string } `yaml:"capabilities"`
	} `yaml:"securityContext"`
	Mounts []mount `yaml:"volumeMounts"`
}

type mount struct {
	Name string
	Path string `yaml:"mountPath"`
}

type probe struct {
	Get struct{ Path, Port string } `yaml:"httpGet"`
}

// hermes takes the settings of the deployment; there is one of it, and its pod is ready before an OpenCode is linked, as else none could be.
func TestKubernetes(t *testing.T) {
	var d deployment
	for _, one := range readLoosely[deployment](t, "kubernetes/hermes.yaml") {
		if one.Kind == "Deployment" {
			d = one
		}
	}
	if d.Spec.Replicas != 1 || d.Spec.Strategy.Type != "Recreate" {
		t.Error("two hermes would run at once")
	}
	pod := d.Spec.Template.Spec
	if pod.ServiceLinks == nil || *pod.ServiceLinks || !pod.SecurityContext.RunAsNonRoot || len(pod.Containers) != 1 {
		t.Fatalf("the pod is %+v", pod)
	}
	one := pod.Containers[0]
	c := wantSettings(t, one.environment(t), "/run/secrets/hermes", []string{"telegram-token", "hook-token"})
	if !slices.ContainsFunc(one.Mounts, func(m mount) bool { return m.Name == "state" && strings.HasPrefix(c.DB, m.Path+"/") }) {
		t.Errorf("the database %s is in no volume", c.DB)
	}
	one.wantProbed(t)
}

// environment is what the container sets, and fails the test if it may do more than it has to.
func (c container) environment(t *testing.T) map[string]string {
	t.Helper()
	if s := c.Security; !s.ReadOnly || s.Escalate == nil || *s.Escalate || !slices.Equal(s.Caps.Drop, []string{"ALL"}) {
		t.Errorf("it may do more than it has to: %+v", s)
	}
	environment := map[string]string{}
	for _, e := range c.Env {
		environment[e.Name] = e.Value
	}
	return environment
}

// wantProbed fails the test unless all probes are good before an OpenCode is linked.
func (c container) wantProbed(t *testing.T) {
	t.Helper()
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		r.Wait(time.Minute)
		for _, p := range []probe{c.Readiness, c.Liveness, c.Startup} {
			if code, text := r.Request("GET", p.Get.Path, "", "Authorization", ""); code != http.StatusOK {
				t.Errorf("%s, before an OpenCode is linked: %d %s", p.Get.Path, code, text)
			}
		}
	})
}

// Every YAML file can be read, has no key twice, and names variables of hermes alone.
func TestContainers_NameVariablesThatExist(t *testing.T) {
	known := config.Variables()
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".yaml") {
			return err
		}
		readLoosely[any](t, name)
		text, err := os.ReadFile(name)
		for _, variable := range variableIn.FindAllString(string(text), -1) {
			if _, ok := known[variable]; !ok && variable != config.Prefix {
				t.Errorf("%s names %s, which is no variable of hermes", name, variable)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
