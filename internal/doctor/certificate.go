package doctor

import (
	"context"
	"fmt"
	"time"

	"hermes/internal/certificate"
	"hermes/internal/config"
)

// certificateChecks look at the certificate with which hermes speaks TLS, if it does.
func certificateChecks(c config.Config) []check {
	if c.TLSCert == "" || c.TLSKey == "" {
		return nil
	}
	return []check{{"certificate", one(func(context.Context) result { return checkCertificate(c, time.Now()) })}}
}

func checkCertificate(c config.Config, now time.Time) result {
	const remedy = "renew the files that HERMES_TLS_CERT and HERMES_TLS_KEY name; hermes takes them up without a restart"
	pair, err := certificate.Load(c.TLSCert, c.TLSKey)
	if err != nil {
		return gradeFail.because(fmt.Sprintf("HERMES_TLS_CERT, HERMES_TLS_KEY: cannot be used: %v", config.WithoutPath(err)), "name a certificate and its key, two PEM files")
	}
	ends, err := pair.Expires()
	day := ends.Local().Format(time.DateOnly)
	switch left := ends.Sub(now); {
	case err != nil:
		return skip("the certificate is being renewed: %v", config.WithoutPath(err))
	case left <= 0:
		return gradeFail.because("the certificate in HERMES_TLS_CERT expired on "+day+"; plugins refuse to connect", remedy)
	case left <= certificate.Notice:
		return gradeWarn.because(fmt.Sprintf("the certificate in HERMES_TLS_CERT expires on %s, %s", day, inDays(left)), remedy)
	}
	return pass("it is valid until %s", day)
}

// inDays says how long a time to come is, in whole days.
func inDays(left time.Duration) string {
	switch days := int(left / (24 * time.Hour)); days {
	case 0:
		return "within a day"
	case 1:
		return "in 1 day"
	default:
		return fmt.Sprintf("in %d days", days)
	}
}
