package daemon_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/pending"
)

// A copy of everything is for this machine alone: not for others, nor by way of a proxy.
func TestBackup_WhoMayFetchIt(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		for _, c := range []struct {
			from, header string
			code         int
			to           string // where it came in
		}{
			{"127.0.0.1:5000", "", http.StatusOK, ""},
			{"[::1]:5000", "", http.StatusOK, ""},
			{"[::ffff:127.0.0.1]:5000", "", http.StatusOK, ""},
			{"192.0.2.7:5000", "", http.StatusForbidden, ""},
			{"[2001:db8::7]:5000", "", http.StatusForbidden, ""},
			{"", "", http.StatusForbidden, ""},
			{"127.0.0.1:5000", "X-Forwarded-For", http.StatusForbidden, ""},
			{"127.0.0.1:5000", "Forwarded", http.StatusForbidden, ""},
			{"127.0.0.1:5000", "X-Real-Ip", http.StatusForbidden, ""},
			{"127.0.0.1:5000", "Via", http.StatusForbidden, ""},
			{"192.0.2.1:5000", "", http.StatusOK, "192.0.2.1:4097"},
			{"192.0.2.7:5000", "", http.StatusForbidden, "192.0.2.1:4097"},
			{"192.0.2.1:5000", "X-Forwarded-For", http.StatusForbidden, "192.0.2.1:4097"},
		} {
			req := httptest.NewRequest(http.MethodGet, "/v1/backup", nil)
			if req.RemoteAddr = c.from; c.header != "" {
				req.Header.Set(c.header, "192.0.2.7")
			}
			if to, err := netip.ParseAddrPort(c.to); err == nil {
				req = req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, net.TCPAddrFromAddrPort(to)))
			}
			w := httptest.NewRecorder()
			r.Daemon.Routes()["GET /v1/backup"].ServeHTTP(w, req)
			if w.Code != c.code || (w.Code == http.StatusOK) != (w.Header().Get("Content-Length") == strconv.Itoa(w.Body.Len())) {
				t.Errorf("%+v: %d, %d bytes", c, w.Code, w.Body.Len())
			}
			if c.code != http.StatusOK {
				continue
			}
			path := filepath.Join(t.TempDir(), "copy.db")
			if err := os.WriteFile(path, w.Body.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if copied, err := pending.CheckCopy(path); err != nil || copied.Open != 1 || copied.Broken != nil {
				t.Errorf("%+v, %v", copied, err)
			}
		}
		if code, _ := r.RequestAs("", http.MethodGet, "/v1/backup", ""); code != http.StatusUnauthorized {
			t.Errorf("without the token: %d", code)
		}
	})
}

// HERMES_BACKUP_DIR gets a copy a day. One that fails is in the log once, and tried again.
func TestBackup_EveryDay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backups")
	rig.Play(t, func(c *config.Config) { c.BackupDir, c.BackupKeep = dir, 3 }, func(r *rig.Rig) {
		copies := func(want int) {
			t.Helper()
			list, _ := filepath.Glob(filepath.Join(dir, "hermes-*.db"))
			if len(list) != want {
				t.Errorf("%d copies, want %d\n%s", len(list), want, r.Log.String())
			}
		}
		copies(1)
		r.Wait(23 * time.Hour)
		copies(1)
		r.Wait(2 * time.Hour)
		copies(2)
		r.Wait(72 * time.Hour)
		copies(3)
		if text := r.Metrics(); !strings.Contains(text, "\nhermes_backup_last_seconds 9.4") {
			t.Errorf("the metric is missing:\n%s", text)
		}
		if err := os.Rename(dir, dir+".away"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r.Wait(48 * time.Hour)
		if n := strings.Count(r.Log.String(), "the database could not be backed up"); n != 1 {
			t.Errorf("the log has the failure %d times", n)
		}
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
		r.Wait(time.Hour)
		copies(1)
	})
}
