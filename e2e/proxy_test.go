//go:build e2e

package e2e_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/e2e/lab"
	"hermes/internal/api"
	"hermes/internal/simulate/testenv"
	"hermes/opencode/link"
)

// TestProxy plays questions over a link that goes through the proxies of deploy, which run as an ordinary user with a certificate of
// the test's. The machine without one of them skips it.
func TestProxy(t *testing.T) {
	t.Parallel()
	for _, kind := range []proxyKind{nginx(), caddy()} {
		t.Run(kind.program, func(t *testing.T) {
			t.Parallel()
			program, err := exec.LookPath(kind.program)
			if err != nil {
				t.Skipf("%s is not installed; .ci/run installs it on Debian", kind.program)
			}
			playProxy(t, kind, program)
		})
	}
}

func playProxy(t *testing.T, kind proxyKind, program string) {
	p := newPhone(t)
	h := newHermes(t, p.url)
	x := newProxy(t, kind, program, h.listen)
	x.start()
	token, files := linkBy(t, h, x.url())
	d := &desk{t: t, entry: entry{newest, linkedServe}, phone: p, hermes: h}
	d.here = openWindowWith(t, d.entry, "shop-api", files, "NODE_EXTRA_CA_CERTS="+x.cert)
	d.windows = []*window{d.here}
	p.say("/start", 0)
	d.playAll(t, []scene{
		{"a question", singleChoice, quick},
		{"reload while a question waits", func(d *desk) { reloadedProxy(d, x) }, quick},
		{"polls that are cut off", func(d *desk) { hastyProxy(d, x) }, quick},
		{"asked while the proxy is down", func(d *desk) { askedBehindProxy(d, x) }, quick},
		{"tapped while the proxy is down", func(d *desk) { tappedBehindProxy(d, x) }, quick},
		{"large bodies", func(d *desk) { x.takesBodies(d.t, token) }, quick},
		{"what a header claims opens nothing", func(d *desk) { x.believesNothing(d.t) }, quick},
		{"a code of /link", func(d *desk) { x.takesCodes(d.t) }, quick},
	})
}

// linkBy makes a link, and the plugin's files for a machine that dials url.
func linkBy(t *testing.T, h *hermes, url string) (token string, files map[string]string) {
	t.Helper()
	out, err := h.command("link", "add", "laptop").Output()
	token = strings.TrimSpace(string(out))
	if err != nil || !strings.HasPrefix(token, "hermes_link_") {
		t.Fatalf("hermes link add: %v\n%s", err, out)
	}
	name, dir := testenv.WriteFile(t, "token", token), t.TempDir()
	if out, err := h.command("plugin", "install", "--config-dir", dir, "--url", url, "--token-file", name).CombinedOutput(); err != nil {
		t.Fatalf("hermes plugin install: %v\n%s", err, out)
	}
	files = map[string]string{}
	readPluginFiles(t, dir, files)
	return token, files
}

func reloadedProxy(d *desk, x *proxy) {
	q := database("Which database survives a reload?")
	d.here.ask("reload", call(q))
	card := d.phone.card(q)
	x.reload()
	d.phone.tap(card, "2.")
	d.answeredOnce(q, card, "PostgreSQL (Recommended)")
}

// hastyProxy has a proxy with a time that is too short for a poll: the plugin makes up for it.
func hastyProxy(d *desk, x *proxy) {
	x.stop()
	x.configure(x.kind.hasty)
	x.start()
	q := database("Which database do cut polls need?")
	d.here.ask("cut polls", call(q))
	card := d.phone.card(q)
	eventually(d.t, "a poll is cut off", x.cutPoll)
	d.phone.tap(card, "1.")
	d.answeredOnce(q, card, "SQLite")
	x.configure(nil)
	x.reload()
}

func askedBehindProxy(d *desk, x *proxy) {
	x.stop()
	q := database("Which database while the proxy is down?")
	d.here.ask("asked in the dark", call(q))
	d.here.awaitAsked(q)
	x.start()
	card := d.phone.card(q)
	d.phone.tap(card, "1.")
	d.answeredOnce(q, card, "SQLite")
}

func tappedBehindProxy(d *desk, x *proxy) {
	q := database("Which database is tapped while the proxy is down?")
	d.here.ask("tapped in the dark", call(q))
	card := d.phone.card(q)
	x.stop()
	d.phone.tap(card, "2.")
	d.phone.reads(card, "Waiting for OpenCode")
	x.start()
	d.answeredOnce(q, card, "PostgreSQL (Recommended)")
}

// answeredOnce waits until the agent has the answer and the card says so, and holds that the chat had the question once.
func (d *desk) answeredOnce(q item, card int, answer string) {
	d.t.Helper()
	d.here.told(q, answered(q.Question, answer))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ "+answer, "Ada · hh:mm")
	cards := 0
	for _, m := range d.phone.telegram.Messages(ada) {
		if strings.Contains(m.Text, q.Question) {
			cards++
		}
	}
	if cards != 1 {
		d.t.Errorf("the question stands in %d messages", cards)
	}
}

// proxyKind is what is particular to a program.
type proxyKind struct {
	program, file string   // the file in deploy
	hasty         []string // old and new: too short a time
	own           func(x *proxy, site string) string
	replace       func(x *proxy) []string // old and new: what a test must have different
	run           func(x *proxy) []string // arguments
	reload        func(x *proxy)
}

func nginx() proxyKind {
	return proxyKind{
		program: "nginx", file: "nginx.conf", hasty: []string{"proxy_read_timeout 120s", "proxy_read_timeout 1s"},
		own: func(x *proxy, site string) string {
			return fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log %[1]s/error.log; events {}
http { access_log %[1]s/access.log; client_body_temp_path %[1]s/1; proxy_temp_path %[1]s/2; fastcgi_temp_path %[1]s/3; uwsgi_temp_path %[1]s/4; scgi_temp_path %[1]s/5;
%[2]s}`, x.dir, site)
		},
		replace: func(x *proxy) []string {
			return []string{
				"127.0.0.1:4097", x.hermes, "listen 443 ssl", "listen " + x.listen + " ssl", "server_name hermes.example", "server_name localhost",
				"/etc/letsencrypt/live/hermes.example/fullchain.pem", x.cert, "/etc/letsencrypt/live/hermes.example/privkey.pem", x.key,
			}
		},
		run:    func(x *proxy) []string { return []string{"-p", x.dir, "-e", x.dir + "/error.log", "-c", x.config} },
		reload: func(x *proxy) { _ = x.cmd.Process.Signal(syscall.SIGHUP) },
	}
}

func caddy() proxyKind {
	return proxyKind{
		program: "caddy", file: "Caddyfile", hasty: []string{"response_header_timeout 120s", "response_header_timeout 1s"},
		own: func(x *proxy, site string) string {
			return fmt.Sprintf("{\n\tadmin unix//%s/admin\n\tauto_https disable_redirects\n}\n%s", x.dir, site)
		},
		replace: func(x *proxy) []string {
			return []string{"127.0.0.1:4097", x.hermes, "hermes.example {", fmt.Sprintf("https://%s {\n\ttls %s %s\n\tlog {\n\t\toutput file %s/access.log\n\t}\n", x.listen, x.cert, x.key, x.dir)}
		},
		run: func(x *proxy) []string { return []string{"run", "--adapter", "caddyfile", "--config", x.config} },
		reload: func(x *proxy) {
			cmd := x.command("reload", "--force", "--adapter", "caddyfile", "--config", x.config, "--address", "unix//"+x.dir+"/admin")
			if out, err := cmd.CombinedOutput(); err != nil {
				x.t.Fatalf("caddy reload: %v\n%s", err, out)
			}
		},
	}
}

// proxy is a program in front of hermes.
type proxy struct {
	kind                            proxyKind
	t                               *testing.T
	program, dir, config, cert, key string
	listen, hermes                  string // addresses
	namespace                       string // of the network; empty: the test's
	pool                            *x509.CertPool
	cmd                             *exec.Cmd
	ended                           chan struct{}
}

func newProxy(t *testing.T, kind proxyKind, program, hermes string) *proxy {
	t.Helper()
	return newProxyAt(t, kind, program, hermes, lab.FreeAddress(t))
}

func newProxyAt(t *testing.T, kind proxyKind, program, hermes, listen string) *proxy {
	t.Helper()
	dir, err := os.MkdirTemp("", "proxy-")
	if err != nil {
		t.Fatal(err)
	}
	x := &proxy{kind: kind, t: t, program: program, dir: dir, config: filepath.Join(dir, "config"), listen: listen, hermes: hermes, pool: x509.NewCertPool()}
	x.cert, x.key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	t.Cleanup(func() { x.stop(); os.RemoveAll(dir) })
	host, _, _ := strings.Cut(listen, ":")
	cert, key := testenv.SelfSigned(t, time.Now().Add(time.Hour), net.ParseIP(host))
	x.pool.AppendCertsFromPEM([]byte(cert))
	x.write(x.cert, cert)
	x.write(x.key, key)
	x.configure(nil)
	return x
}

func (x *proxy) url() string { return "https://" + x.listen }

func (x *proxy) write(name, text string) {
	x.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		x.t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := errors.Join(os.Chown(x.dir, nobody, nobody), os.Chown(name, nobody, nobody)); err != nil {
			x.t.Fatal(err)
		}
	}
}

// configure writes deploy's file, with what the test must have different; further are pairs of old and new.
func (x *proxy) configure(further []string) {
	x.t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "deploy", x.kind.file))
	if err != nil {
		x.t.Fatal(err)
	}
	pairs, site := append(x.kind.replace(x), further...), string(raw)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(site, pairs[i]) {
			x.t.Fatalf("deploy/%s has no %q", x.kind.file, pairs[i])
		}
		site = strings.ReplaceAll(site, pairs[i], pairs[i+1])
	}
	x.write(x.config, x.kind.own(x, site))
}

const nobody = 65534

// command runs the program as an ordinary user.
func (x *proxy) command(args ...string) *exec.Cmd {
	cmd := exec.Command(x.program, args...)
	if x.namespace != "" {
		cmd = exec.Command("ip", append([]string{"netns", "exec", x.namespace, x.program}, args...)...)
	}
	cmd.Dir, cmd.Env = x.dir, []string{"HOME=" + x.dir, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 && x.namespace == "" {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return cmd
}

func (x *proxy) start() {
	x.t.Helper()
	var out bytes.Buffer
	x.cmd, x.ended = x.command(x.kind.run(x)...), make(chan struct{})
	x.cmd.Stdout, x.cmd.Stderr = &out, &out
	if err := x.cmd.Start(); err != nil {
		x.t.Fatal(err)
	}
	ended, cmd := x.ended, x.cmd
	go func() { _ = cmd.Wait(); close(ended) }()
	eventually(x.t, x.kind.program+" listens", func() bool {
		select {
		case <-ended:
			x.t.Fatalf("%s ended:\n%s", x.kind.program, out.String())
		default:
		}
		status, _ := x.try(http.MethodGet, "/", "", nil)
		return status == http.StatusNotFound
	})
}

// stop ends the program at once, with what it carries.
func (x *proxy) stop() {
	if x.cmd == nil {
		return
	}
	_ = syscall.Kill(-x.cmd.Process.Pid, syscall.SIGKILL)
	<-x.ended
	x.cmd = nil
}

func (x *proxy) reload() {
	x.t.Helper()
	x.kind.reload(x)
}

// try makes a request; a status of 0 is no answer.
func (x *proxy) try(method, path, token string, body []byte, headers ...string) (status int, answer string) {
	req, err := http.NewRequest(method, x.url()+path, bytes.NewReader(body))
	if err != nil {
		x.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for _, h := range headers {
		req.Header.Set(h, "127.0.0.1")
	}
	client := http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: x.pool}}}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw)
}

// cutPoll reports whether the program has given up a poll.
func (x *proxy) cutPoll() bool {
	raw, _ := os.ReadFile(filepath.Join(x.dir, "access.log"))
	return regexp.MustCompile(`(/calls\?.* 504 |/calls\?.*"status":504)`).Match(raw)
}

// takesBodies sends the largest body that hermes takes, and one that is larger. That may end in a connection that is closed before all is sent.
func (x *proxy) takesBodies(t testing.TB, token string) {
	t.Helper()
	hello := `{"protocol":1,"instance":"i","process":"large","directory":"/large","host":"laptop","version":"` + newest + `","complete":true,"filler":"`
	for size, taken := range map[int]bool{link.MaxBody: true, link.MaxBody + 2<<20: false} {
		body := hello + strings.Repeat("x", size-len(hello)-2) + `"}`
		if status, answer := x.try(http.MethodPost, "/v1/link", token, []byte(body)); (status == http.StatusOK) != taken {
			t.Errorf("a body of %d bytes is answered with %d %s", size, status, answer)
		}
	}
}

// believesNothing claims to be this machine.
func (x *proxy) believesNothing(t testing.TB) {
	t.Helper()
	claims := []string{"X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Forwarded-Host", "X-Forwarded-User"}
	for path, want := range map[string]int{"/v1/link": http.StatusUnauthorized, "/v1/link/x/calls": http.StatusUnauthorized, "/v1/status": http.StatusNotFound, "/metrics": http.StatusNotFound, "/v1/links": http.StatusNotFound} {
		if status, answer := x.try(http.MethodGet, path, "hermes_link_"+strings.Repeat("a", 43), nil, claims...); status != want {
			t.Errorf("GET %s with another token is answered with %d %s", path, status, answer)
		}
	}
}

// takesCodes lets a machine come to hermes with a code of /link: what is wrong with this one, hermes says.
func (x *proxy) takesCodes(t testing.TB) {
	t.Helper()
	body := `{"code":"` + strings.Repeat("a", 48) + `","token_hash":"` + strings.Repeat("b", 64) + `","host":"laptop"}`
	if status, answer := x.try(http.MethodPost, api.ExchangePath, "", []byte(body)); status != http.StatusForbidden {
		t.Errorf("a code that nobody was given is answered with %d %s", status, answer)
	}
}
