package daemon

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
)

// The log tells of a certificate that nobody renews each day from 14 days before its end, and no more once it is renewed.
func TestCertificate_ToldDaily(t *testing.T) {
	const day = 24 * time.Hour
	synctest.Test(t, func(t *testing.T) {
		cert, key := testenv.SelfSigned(t, time.Now().Add(16*day+time.Hour))
		c := config.Config{TLSCert: testenv.WriteFile(t, "cert.pem", cert), TLSKey: testenv.WriteFile(t, "key.pem", key)}
		pair, err := LoadCertificate(c)
		if err != nil {
			t.Fatal(err)
		}
		var text testenv.LockedBuffer
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go watchCertificate(ctx, pair, slog.New(slog.NewTextHandler(&text, nil)))
		told := func(days int, soon, expired, unusable int) {
			t.Helper()
			time.Sleep(time.Duration(days) * day)
			synctest.Wait()
			log := text.String()
			for says, want := range map[string]int{"expires soon": soon, "has expired": expired, "keeps the certificate from before": unusable} {
				if got := strings.Count(log, says); got != want {
					t.Errorf("%q is said %d times, not %d:\n%s", says, got, want, log)
				}
			}
		}
		told(2, 0, 0, 0)
		told(3, 3, 0, 0)   // 14 days before the end is after the second day
		told(12, 14, 1, 0) // the last day is the fourteenth
		write := func(file, text string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cert, key = testenv.SelfSigned(t, time.Now().Add(90*day))
		write(c.TLSCert, cert+"\n")
		told(1, 14, 2, 1)
		write(c.TLSKey, key+"\n")
		told(30, 14, 2, 1)
	})
}
