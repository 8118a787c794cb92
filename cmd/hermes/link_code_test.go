package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// codeServer takes one code, and the token whose hash came with it; failures are how many answers are lost on the way.
func codeServer(t *testing.T, code string, failures int) string {
	var hash string
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+api.ExchangePath, func(w http.ResponseWriter, r *http.Request) {
		var in api.Exchange
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Code != code || hash != "" && hash != in.TokenHash {
			api.Refuse(w, http.StatusForbidden, api.CodeRefused)
			return
		}
		if hash = in.TokenHash; failures > 0 {
			failures--
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		api.Reply(w, http.StatusOK, api.LinkName{Name: "laptop-7"})
	})
	mux.HandleFunc("GET /v1/link", func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
		if hex.EncodeToString(got[:]) != hash {
			api.Refuse(w, http.StatusUnauthorized, "no")
			return
		}
		api.Reply(w, http.StatusOK, api.LinkName{Name: "laptop-7"})
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// The code becomes a link that is written down, also where the first answer is lost; used, it changes nothing that is there.
func TestPluginInstall_WithACode(t *testing.T) {
	testenv.Isolate(t)
	url, folder := codeServer(t, "c0de-canary", 1), t.TempDir()
	install := []string{"plugin", "install", "--config-dir", folder, "--url", url, "--code", "c0de-canary"}
	code, out, errs := hermes(install...)
	if code != 0 || !strings.Contains(out, "link       laptop-7 (") || !strings.Contains(out, "Restart OpenCode to load it.") {
		t.Fatalf("%d, %q, %q", code, out, errs)
	}
	file := filepath.Join(folder, "plugin", "hermes.json")
	first, err := os.ReadFile(file)
	info, statErr := os.Stat(file)
	if err != nil || statErr != nil || info.Mode().Perm() != 0o600 || !strings.Contains(string(first), `"hermes_link_`) || !strings.Contains(string(first), url) {
		t.Errorf("%s, %v, %v", first, err, statErr)
	}
	rig.NoCanary(t, "install", out+errs)
	if code, out, errs = hermes(install...); code != exitFailure || !strings.Contains(errs, "this code makes no link") {
		t.Errorf("the code once more: %d, %q, %q", code, out, errs)
	}
	rig.NoCanary(t, "once more", out+errs)
	if again, err := os.ReadFile(file); err != nil || string(again) != string(first) {
		t.Errorf("the link that works was spoiled: %s, %v", again, err)
	}
}

// A certificate that the machine does not trust is told of with what to do, at once: nothing is sent, so the code stays good.
func TestLinkCode_UntrustedCertificate(t *testing.T) {
	testenv.Isolate(t)
	var heard atomic.Int32
	hub := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
	hub.Config.ErrorLog = log.New(io.Discard, "", 0)
	hub.StartTLS()
	defer hub.Close()
	folder := t.TempDir()
	for _, args := range [][]string{
		{"plugin", "install", "--config-dir", folder, "--url", hub.URL, "--code", "c0de-canary"},
		{"link", "run", "--config-dir", folder, "--url", hub.URL, "--code", "c0de-canary"},
	} {
		began := time.Now()
		code, out, errs := hermes(args...)
		for _, want := range []string{"does not trust the certificate of " + hub.URL, "unknown authority", "the code can still be used", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"} {
			if code != exitFailure || !strings.Contains(errs, want) {
				t.Errorf("%q lacks %q: %d %q %q", args[:2], want, code, out, errs)
			}
		}
		if entries, _ := os.ReadDir(folder); len(entries) != 0 || heard.Load() != 0 || time.Since(began) > 900*time.Millisecond {
			t.Errorf("%q wrote %v, sent %d requests, took %s", args[:2], entries, heard.Load(), time.Since(began))
		}
		rig.NoCanary(t, "the command", out+errs)
	}
}
