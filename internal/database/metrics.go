package database

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Standing is how a hermes stands among those that share its database.
type Standing struct {
	Acts  bool          // this one does
	Epoch int64         // of who acts
	Age   time.Duration // since who acts renewed its lease
	Delay time.Duration // of the database
}

// AddMetrics adds how this hermes stands, which is asked whenever somebody looks. A standby and the one that acts have the same metrics.
func AddMetrics(r *prometheus.Registry, now func() Standing) {
	for _, one := range []struct {
		name, help string
		of         func(Standing) float64
	}{
		{"hermes_acting", "With HERMES_STORE: 1 if this hermes acts, 0 if it stands by.", func(s Standing) float64 {
			if s.Acts {
				return 1
			}
			return 0
		}},
		{"hermes_lease_epoch", "With HERMES_STORE: how many times a hermes began to act, up to the one that acts now.", func(s Standing) float64 { return float64(s.Epoch) }},
		{"hermes_lease_age_seconds", "With HERMES_STORE: since the hermes that acts renewed its lease.", func(s Standing) float64 { return s.Age.Seconds() }},
		{"hermes_store_delay_seconds", "With HERMES_STORE: how long the database took for that.", func(s Standing) float64 { return s.Delay.Seconds() }},
	} {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: one.name, Help: one.help}, func() float64 { return one.of(now()) }))
	}
}
