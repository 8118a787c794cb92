package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"hermes/internal/certificate"
	"hermes/internal/config"
)

// LoadCertificate reads the configured certificate; nil if there is none.
func LoadCertificate(c config.Config) (*certificate.Pair, error) {
	if c.TLSCert == "" {
		return nil, nil
	}
	pair, err := certificate.Load(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("HERMES_TLS_CERT, HERMES_TLS_KEY: cannot be used: %w", config.WithoutPath(err))
	}
	return pair, nil
}

// watchCertificate looks at the certificate now and once a day, until ctx ends; nil is none. It logs that it must be renewed each time until
// it is, and that renewed files cannot be used.
func watchCertificate(ctx context.Context, pair *certificate.Pair, log *slog.Logger) {
	if pair == nil {
		return
	}
	regularly(ctx, 24*time.Hour, func() { logCertificate(pair, log, time.Now()) })
}

// logCertificate logs what is wrong with the certificate at this time; nothing, if nothing is.
func logCertificate(pair *certificate.Pair, log *slog.Logger, now time.Time) {
	ends, err := pair.Expires()
	if err != nil {
		log.Error("HERMES_TLS_CERT or HERMES_TLS_KEY changed and cannot be used; hermes keeps the certificate from before", "err", err)
	}
	switch left := ends.Sub(now); {
	case left <= 0:
		log.Error("the certificate in HERMES_TLS_CERT has expired; plugins refuse to connect", "expired", ends)
	case left <= certificate.Notice:
		log.Warn("the certificate in HERMES_TLS_CERT expires soon; renew it, hermes takes the new files up by itself", "expires", ends)
	}
}
