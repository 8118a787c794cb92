package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/daemon"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/pending"
)

// serveProcess runs `hermes serve` against a Bot API on a real socket, with a
// configuration that is whole but for what is given, until it ends by itself.
func serveProcess(t *testing.T, settings map[string]string) (code int, stderr string) {
	t.Helper()
	testenv.Isolate(t)
	bot := telegram.New(telegram.Options{Token: rig.TestToken})
	api := httptest.NewServer(bot)
	defer api.Close()
	defer bot.Close()
	for name, value := range map[string]string{
		"TELEGRAM_TOKEN": rig.TestToken, "TELEGRAM_USERS": "42", "TELEGRAM_API_URL": api.URL, "LISTEN": "127.0.0.1:0",
		"DB": filepath.Join(t.TempDir(), "hermes.db"), "LOG_LEVEL": "debug",
	} {
		t.Setenv("HERMES_"+name, value)
	}
	for name, value := range settings {
		t.Setenv("HERMES_"+name, value)
	}
	var log testenv.LockedBuffer
	code = run([]string{"serve"}, streams{in: strings.NewReader(""), out: io.Discard, err: &log})
	rig.NoCanary(t, "hermes serve", log.String())
	return code, log.String()
}

func TestServe_WithAnotherToken(t *testing.T) {
	token := strings.Replace(rig.TestToken, "AAcanary", "BBcanary", 1)
	code, log := serveProcess(t, map[string]string{"TELEGRAM_TOKEN": token})
	if code != exitUsage || !strings.Contains(log, "hermes: HERMES_TELEGRAM_TOKEN: Telegram refuses this token; copy it again from @BotFather") {
		t.Errorf("hermes serve exits with %d:\n%s", code, log)
	}
}

func TestServe_BesideAnotherHermes(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hermes.db")
	other, err := pending.Open(db, pending.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	code, log := serveProcess(t, map[string]string{"DB": db})
	if code != exitFailure || !strings.Contains(log, "hermes: HERMES_DB: ") || !strings.Contains(log, "another hermes uses this database") {
		t.Errorf("hermes serve exits with %d:\n%s", code, log)
	}
}

func TestServe_OnAPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	code, log := serveProcess(t, map[string]string{"LISTEN": l.Addr().String()})
	if code != exitFailure || !strings.Contains(log, "hermes: HERMES_LISTEN: cannot listen there") {
		t.Errorf("hermes serve exits with %d:\n%s", code, log)
	}
}

// The HTTP interface speaks TLS with the configured certificate, also when its files are renewed, and nothing else.
func TestServe_TLS(t *testing.T) {
	c := rig.TestConfig(filepath.Join(t.TempDir(), "hermes.db"))
	cert, key := testenv.SelfSigned(t, time.Now().Add(time.Hour))
	c.TLSCert, c.TLSKey = testenv.WriteFile(t, "cert.pem", cert), testenv.WriteFile(t, "key.pem", key)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(cert))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.Listen, c.HookToken = l.Addr().String(), rig.HookKey
	bot, agent := telegram.New(telegram.Options{Token: rig.TestToken}), opencode.New(opencode.Options{})
	d, err := daemon.New(c, rig.HookKey, slog.New(slog.DiscardHandler), daemon.Outside{Telegram: bot.Transport(), Opencode: agent.Transport(), Listener: l})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- d.Run(ctx, func() {}, func() {}) }()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}}
	res, err := client.Get("https://" + l.Addr().String() + "/healthz")
	if err != nil || res.StatusCode != http.StatusOK || res.TLS.Version < tls.VersionTLS12 {
		t.Errorf("over TLS: %+v, %v", res, err)
	}
	if res, err := client.Get("http://" + l.Addr().String() + "/healthz"); err != nil || res.StatusCode != http.StatusBadRequest {
		t.Errorf("in the clear: %+v, %v", res, err)
	}
	if _, err := http.Get("https://" + l.Addr().String() + "/healthz"); err == nil {
		t.Error("a client that does not know the certificate was served")
	}
	ends := time.Now().Add(90 * 24 * time.Hour).Truncate(time.Second)
	cert, key = testenv.SelfSigned(t, ends)
	for name, text := range map[string]string{c.TLSCert: cert, c.TLSKey: key} {
		if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool.AppendCertsFromPEM([]byte(cert))
	if res, err := client.Get("https://" + l.Addr().String() + "/healthz"); err != nil || !res.TLS.PeerCertificates[0].NotAfter.Equal(ends) {
		t.Errorf("with renewed files: %v, %v", res, err)
	}
	measured, err := apiclient.New(c, nil).Do(t.Context(), http.MethodGet, "/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer measured.Body.Close()
	text, _ := io.ReadAll(measured.Body)
	if want := fmt.Sprintf("hermes_tls_certificate_expiry_seconds %g\n", float64(ends.Unix())); !strings.Contains(string(text), want) {
		t.Errorf("the metrics lack %s:\n%s", want, text)
	}
	stop()
	if err := <-stopped; err != nil {
		t.Error("the daemon ended:", err)
	}
	bot.Close()
}
