package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
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

// What the configuration allows, the parts take; what they refuse is told as a
// mistake before anything begins.
func TestServe_WhatIsAllowedCanBeServed(t *testing.T) {
	const webhook = "HERMES_TELEGRAM_WEBHOOK_SECRET=" + rig.HookSecret + "\nHERMES_TELEGRAM_WEBHOOK_URL="
	for name, test := range map[string]struct{ text, wrong string }{
		"webhook":                         {webhook + "https://hermes.example/hook", ""},
		"plain webhook":                   {webhook + "http://127.0.0.1:4097/hook", "HERMES_TELEGRAM_WEBHOOK_URL: must begin with https://"},
		"plain webhook of a local server": {webhook + "http://127.0.0.1:4097/hook\nHERMES_TELEGRAM_API_URL=http://127.0.0.1:8081/", ""},
		"proxy":                           {"HERMES_TELEGRAM_PROXY=socks5h://127.0.0.1:1080", ""},
		"long token":                      {"HERMES_TELEGRAM_TOKEN=123456789:" + strings.Repeat("a", 65), "HERMES_TELEGRAM_TOKEN: is not a bot token"},
	} {
		testenv.Isolate(t)
		text := "HERMES_TELEGRAM_USERS=42\n" + test.text + "\n"
		if !strings.Contains(text, "HERMES_TELEGRAM_TOKEN=") {
			text += "HERMES_TELEGRAM_TOKEN=" + rig.TestToken + "\n"
		}
		c, err := rig.LoadFile(t, text)
		if test.wrong != "" || err != nil {
			if test.wrong == "" || err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%s: the configuration gives %v, want %q", name, err, test.wrong)
			}
			continue
		}
		d, err := daemon.New(c, rig.HookKey, slog.New(slog.DiscardHandler), daemon.Outside{})
		if err != nil {
			t.Errorf("%s: the configuration is good, but %v", name, err)
			continue
		}
		if err := d.Store.Close(); err != nil {
			t.Error(err)
		}
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

func TestServe_WithADamagedDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		rig.AddLinkTo(t, r.Config.DB, "laptop", rig.LinkKey)
		content, err := os.ReadFile(r.Config.DB)
		if err != nil {
			t.Fatal(err)
		}
		metas := 2 * os.Getpagesize() // the pages by which the file is known to be hermes'
		copy(content[metas:], strings.Repeat("no page", len(content)))
		if err := os.WriteFile(r.Config.DB, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r.Start()
		defer r.End()
		if !strings.Contains(r.Log.String(), "the database was damaged; hermes begins a new one") {
			t.Errorf("the log does not say so:\n%s", r.Log.String())
		}
		aside, err := filepath.Glob(r.Config.DB + ".corrupt-*")
		if err != nil || len(aside) != 1 {
			t.Errorf("the damaged file is not kept: %v, %v", aside, err)
		}
		r.Say("/start", 0)
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Tap("1.")
		r.Wait(time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}

// The HTTP interface speaks TLS with the configured certificate, and nothing else.
func TestServe_TLS(t *testing.T) {
	c := rig.TestConfig(filepath.Join(t.TempDir(), "hermes.db"))
	pool := selfSigned(t, &c)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
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
	stop()
	if err := <-stopped; err != nil {
		t.Error("the daemon ended:", err)
	}
	bot.Close()
}

// selfSigned configures a new certificate for 127.0.0.1, and returns who trusts it.
func selfSigned(t *testing.T, c *config.Config) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c.TLSCert = writePEM(t, "CERTIFICATE", cert)
	c.TLSKey = writePEM(t, "PRIVATE KEY", private)
	pool := x509.NewCertPool()
	text, err := os.ReadFile(c.TLSCert)
	if err != nil || !pool.AppendCertsFromPEM(text) {
		t.Fatal("the certificate cannot be read back: ", err)
	}
	return pool
}

func writePEM(t *testing.T, kind string, der []byte) string {
	t.Helper()
	return testenv.WriteFile(t, strings.ReplaceAll(kind, " ", "-"), string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
}
