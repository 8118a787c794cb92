package daemon

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hermes/internal/broadcast"
	"hermes/internal/standby"
	"hermes/internal/storage"
	"hermes/internal/version"
	"hermes/pending"
)

// metrics are what GET /metrics tells a Prometheus. No label holds what an agent, a
// person or the configuration says: all their values are closed words.
type metrics struct {
	registry  *prometheus.Registry
	entries   *prometheus.CounterVec   // what happened, as the journal has it
	calls     *prometheus.HistogramVec // of the Bot API
	commits   prometheus.Histogram
	waits     waits
	answers   *prometheus.CounterVec // that were taken in
	strangers prometheus.Counter     // whom nothing else counts or keeps
	skipped   prometheus.Counter     // replies
	heldBack  prometheus.Counter     // asks
	foreign   prometheus.Counter     // what an OpenCode said of another one's session
}

func newMetrics() *metrics {
	r := prometheus.NewRegistry()
	with := promauto.With(r)
	counter := func(name, help string) prometheus.Counter {
		return with.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	with.NewGauge(prometheus.GaugeOpts{Name: "hermes_build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version.Own()}}).Set(1)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return &metrics{
		registry: r, waits: newWaits(r),
		entries: with.NewCounterVec(prometheus.CounterOpts{
			Name: "hermes_journal_entries_total", Help: "What happened to questions, by kind of journal entry.",
		}, []string{"kind"}),
		answers: with.NewCounterVec(prometheus.CounterOpts{
			Name: "hermes_answers_total", Help: "Answers and dismissals that hermes took in, by who gave them: person, api or rule.",
		}, []string{"by"}),
		calls: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hermes_telegram_call_seconds", Help: "Calls of the Bot API but for polls, by method and status; 0: no answer.",
			Buckets: []float64{.05, .1, .2, .5, 1, 2, 5, 15, 30},
		}, []string{"method", "status"}),
		commits: with.NewHistogram(prometheus.HistogramOpts{
			Name: "hermes_store_commit_seconds", Help: "Writes to the database, the wait for the disk included.",
			Buckets: []float64{.001, .002, .005, .01, .02, .05, .1, .5, 2},
		}),
		strangers: counter("hermes_strangers_total", "What people wrote and tapped who are not on the list."),
		skipped:   counter("hermes_replies_skipped_total", "Replies that were left out, as a person on the list asked for too many at once."),
		heldBack:  counter("hermes_asks_held_back_total", "Asks that wait at their OpenCode, as too many of that machine are open or came at once; each listing counts."),
		foreign:   counter("hermes_foreign_events_total", "What an OpenCode said of a session of another one; it changed nothing."),
	}
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

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// timeWrites times a write of the store, around whatever else is around it.
func (m *metrics) timeWrites(next func(func() error) error) func(func() error) error {
	return func(write func() error) error {
		began := time.Now()
		defer func() { m.commits.Observe(time.Since(began).Seconds()) }()
		if next != nil {
			return next(write)
		}
		return write()
	}
}

// countedStore is the store, with what it journals counted and announced.
type countedStore struct {
	*pending.Store
	metrics *metrics
	grown   *broadcast.Broadcast // rung when the journal has grown
	log     *slog.Logger
}

// Commit counts what is stored, and wakes those who wait for the journal.
func (c countedStore) Commit(change storage.Change) error {
	if err := c.Store.Commit(change); err != nil {
		return err
	}
	c.metrics.waits.observe(change)
	for _, e := range change.Entries {
		c.logEntry(e)
		c.metrics.entries.WithLabelValues(string(e.Kind)).Inc()
		if e.Kind == storage.EntryAnswered {
			c.metrics.answers.WithLabelValues(string(e.By.Kind)).Inc()
		}
	}
	for _, t := range change.Retired {
		c.log.Debug("nothing is owed to it any more", "question", t.ID)
	}
	if len(change.Entries) > 0 {
		c.grown.Ring()
	}
	return nil
}

// logEntry has the steps of an ask in the log, from the first to the last, under its id. It tells no words of
// anybody.
func (c countedStore) logEntry(e storage.Entry) {
	if e.Thread == "" || !c.log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	fields := []any{"question", e.Thread, "kind", string(e.Kind)}
	for _, f := range []struct{ key, value string }{
		{"by", string(e.By.Kind)}, {"request", string(e.Request)}, {"session", string(e.Session)},
	} {
		if f.value != "" {
			fields = append(fields, f.key, f.value)
		}
	}
	if e.By.Chat != 0 {
		fields = append(fields, "chat", e.By.Chat)
	}
	c.log.Debug("journaled", fields...)
}

// observeCall notes a call of the Bot API. A poll takes as long as nothing happens, and
// says nothing.
func (m *metrics) observeCall(method string, status int, took time.Duration) {
	if method != "getUpdates" {
		m.calls.WithLabelValues(method, strconv.Itoa(status)).Observe(took.Seconds())
	}
}

// announce counts an entry that was not stored by way of Commit, and wakes those who wait for the journal.
func (c countedStore) announce(kind storage.EntryKind) {
	c.metrics.entries.WithLabelValues(string(kind)).Inc()
	c.grown.Ring()
}
