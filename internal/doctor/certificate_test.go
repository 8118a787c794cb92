package doctor

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
)

func TestDoctor_CertificateThatEnds(t *testing.T) {
	const day = 24 * time.Hour
	for _, test := range []struct {
		name   string
		left   time.Duration
		status grade
		says   string
	}{
		{"for long", 90 * day, gradeOK, "valid until 2000-03-31"},
		{"a day more than the notice", 15 * day, gradeOK, "valid until"},
		{"within the notice", 14 * day, gradeWarn, "expires on 2000-01-15, in 14 days"},
		{"tomorrow", 36 * time.Hour, gradeWarn, "in 1 day"},
		{"today", time.Hour, gradeWarn, "within a day"},
		{"now", 0, gradeFail, "expired on 2000-01-01; plugins refuse"},
		{"a month ago", -30 * day, gradeFail, "expired on 1999-12-02"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cert, key := testenv.SelfSigned(t, time.Now().Add(test.left))
				c := config.Config{TLSCert: testenv.WriteFile(t, "cert.pem", cert), TLSKey: testenv.WriteFile(t, "key.pem", key)}
				got := checkCertificate(c, time.Now())
				if got.Status != test.status || !strings.Contains(got.Detail, test.says) || (got.Remedy == "") != (test.status == gradeOK) {
					t.Errorf("%+v", got)
				}
			})
		})
	}
	c := config.Config{TLSCert: testenv.WriteFile(t, "cert.pem", "half"), TLSKey: "/nowhere/key.pem"}
	if got := checkCertificate(c, time.Now()); got.Status != gradeFail || strings.Contains(got.Detail, "/nowhere") {
		t.Errorf("of files that cannot be used: %+v", got)
	}
	if got := checkCertificate(config.Config{}, time.Now()); got.Status != "" {
		t.Error("without TLS there is", got)
	}
}
