package daemon

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"hermes/internal/api"
	"hermes/internal/standby"
	"hermes/pending"
	"hermes/telegram"
)

// linkState is what a link that somebody made is in. The words are the values of a metric's label.
type linkState string

const (
	linkOpen   linkState = "open"   // an OpenCode is linked with it now
	linkClosed linkState = "closed" // none is now
	linkUnused linkState = "unused" // none ever was
)

// linkMetrics is what there is of links. It names none.
type linkMetrics struct {
	links   func() api.NamedLinks
	refused func() int

	named, rejected *prometheus.Desc
}

func newLinkMetrics(d *Daemon) linkMetrics {
	return linkMetrics{
		links:    func() api.NamedLinks { return api.NamedLinksOf(d.links.list(), api.Linking{Open: d.Gateway.Links()}) },
		refused:  func() int { return len(d.Gateway.Refused()) },
		named:    prometheus.NewDesc("hermes_links_made", "Links that were made, by state: open (an OpenCode is linked with it), closed or unused (none ever was).", []string{"state"}, nil),
		rejected: prometheus.NewDesc("hermes_links_refused", "Plugins that were refused in the last two minutes, as they speak another protocol.", nil, nil),
	}
}

// Describe implements [prometheus.Collector].
func (m linkMetrics) Describe(descs chan<- *prometheus.Desc) {
	descs <- m.named
	descs <- m.rejected
}

// Collect implements [prometheus.Collector].
func (m linkMetrics) Collect(metrics chan<- prometheus.Metric) {
	count := map[linkState]int{linkOpen: 0, linkClosed: 0, linkUnused: 0}
	for _, l := range m.links().Links {
		switch {
		case l.Open > 0:
			count[linkOpen]++
		case l.Seen == nil:
			count[linkUnused]++
		default:
			count[linkClosed]++
		}
	}
	for state, n := range count {
		metrics <- prometheus.MustNewConstMetric(m.named, prometheus.GaugeValue, float64(n), string(state))
	}
	metrics <- prometheus.MustNewConstMetric(m.rejected, prometheus.GaugeValue, float64(m.refused()))
}

// addQueues adds what waits to be sent. No label names a chat: the id of a private chat is a person's.
func (m *metrics) addQueues(b *telegram.Bot) {
	for kind, count := range map[string]func(telegram.Queued) int{
		"cards": func(q telegram.Queued) int { return q.Cards },
		"notes": func(q telegram.Queued) int { return q.Notes },
		"live":  func(q telegram.Queued) int { return q.Live },
	} {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "hermes_telegram_queue", ConstLabels: prometheus.Labels{"kind": kind},
			Help: "Messages that wait to be sent, in all chats together, by kind: cards (asks), notes or live.",
		}, func() float64 { return float64(count(b.Queued())) }))
	}
	m.gauge("hermes_telegram_queue_chats", "Chats in which messages wait to be sent.", func() float64 { return float64(b.Queued().Chats) })
	m.gauge("hermes_telegram_queue_longest", "Messages that wait in the chat where most do.", func() float64 { return float64(b.Queued().Longest) })
}

// addTurn adds how the lease on a shared store stands; nil: there is none, and none of it.
func (m *metrics) addTurn(t standby.Turn) {
	if t == nil {
		return
	}
	standby.AddMetrics(m.registry, func() standby.Standing {
		return standby.Standing{Acts: t.Valid() == nil, Epoch: t.Epoch(), Age: t.Age(), Delay: t.Delay()}
	})
}

// addDisk adds how large the database is, and how much room it has, where the system tells.
func (m *metrics) addDisk(s *pending.Store) {
	if _, err := s.Size(); !errors.Is(err, errors.ErrUnsupported) {
		m.gauge("hermes_store_bytes", "Size of the database: of its file or, with HERMES_STORE, of its tables.", func() float64 {
			n, _ := s.Size() // a file that is gone has none
			return float64(n)
		})
	}
	if _, err := s.Free(); err == nil {
		m.gauge("hermes_store_free_bytes", "What is left of the disk that has the database; absent where the system does not tell.", func() float64 {
			free, _ := s.Free()
			return float64(free)
		})
	}
}
