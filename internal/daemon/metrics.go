package daemon

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hermes/internal/broadcast"
	"hermes/internal/storage"
	"hermes/internal/version"
	"hermes/pending"
	"hermes/telegram"
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
	m := &metrics{
		registry: prometheus.NewRegistry(), waits: newWaits(),
		entries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hermes_journal_entries_total", Help: "What happened to questions, by kind of journal entry.",
		}, []string{"kind"}),
		answers: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hermes_answers_total", Help: "Answers and dismissals that hermes took in, by who gave them: person, api or rule.",
		}, []string{"by"}),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hermes_telegram_call_seconds", Help: "Calls of the Bot API but for polls, by method and status; 0: no answer.",
			Buckets: []float64{.05, .1, .2, .5, 1, 2, 5, 15, 30},
		}, []string{"method", "status"}),
		commits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "hermes_store_commit_seconds", Help: "Writes to the database, the wait for the disk included.",
			Buckets: []float64{.001, .002, .005, .01, .02, .05, .1, .5, 2},
		}),
	}
	m.strangers = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "hermes_strangers_total", Help: "What people wrote and tapped who are not on the list.",
	})
	m.skipped = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "hermes_replies_skipped_total", Help: "Replies that were left out, as a person on the list asked for too many at once.",
	})
	m.heldBack = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "hermes_asks_held_back_total", Help: "Asks that wait at their OpenCode, as too many of that machine are open or came at once; each listing counts.",
	})
	m.foreign = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "hermes_foreign_events_total", Help: "What an OpenCode said of a session of another one; it changed nothing.",
	})
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "hermes_build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version.Own()},
	})
	info.Set(1)
	m.registry.MustRegister(m.entries, m.answers, m.calls, m.commits, m.strangers, m.skipped, m.foreign, m.heldBack, m.waits.shown, m.waits.delivered, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// gauge adds a value that is read when somebody looks.
func (m *metrics) gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// addGauges adds what is asked for when somebody looks. None of it reads more of the database than which records are set aside.
func (m *metrics) addGauges(d *Daemon) {
	gauge := m.gauge
	m.registry.MustRegister(newBacklogMetrics(d.Bridge.Backlog), newLinkMetrics(d))
	m.addQueues(d.Bot)
	m.addDisk(d.Store)
	gauge("hermes_links", "Plugins that are linked.", func() float64 { links, _ := d.Gateway.Ways(); return float64(links) })
	gauge("hermes_servers", "Servers that are connected directly.", func() float64 { _, direct := d.Gateway.Ways(); return float64(direct) })
	gauge("hermes_unreadable_records", "Records of the database that cannot be read; hermes works without them.", func() float64 { return float64(len(d.Store.AtOpen().Skipped)) })
	gauge("hermes_http_connections", "Connections to the HTTP interface that are open.", func() float64 { return float64(d.connections.open.Load()) })
	if d.backups.folder != nil {
		gauge("hermes_backup_last_seconds", "When the newest copy in HERMES_BACKUP_DIR was made, in seconds since 1970; 0: there is none.", d.backups.last)
	}
	if d.certificate != nil {
		gauge("hermes_tls_certificate_expiry_seconds", "When the certificate in HERMES_TLS_CERT expires, in seconds since 1970.", func() float64 {
			ends, _ := d.certificate.Expires() // the log has the error
			return float64(ends.Unix())
		})
	}
	gauge("hermes_http_connections_max", "Connections that hermes takes: by the descriptors that it may have.", func() float64 { return float64(d.connections.most) })
	gauge("hermes_links_max", "Links that hermes takes: three quarters of its connections.", func() float64 { return float64(maxLinks(d.connections.most)) })
	m.addHeld(d.Bot)
	m.addTurn(d.out.Turn)
	gauge("hermes_telegram_up", "Whether updates come in.", func() float64 { return oneIf(d.Bot.Health() == nil) })
	began := time.Now().Round(0)
	gauge("hermes_telegram_silence_seconds", "Since the last good poll, or the last good look at the webhook; since the start if there was none.", func() float64 {
		return d.heartbeat.silence(began).Seconds()
	})
}

// addHeld adds which of Telegram's limits asks wait for.
func (m *metrics) addHeld(b *telegram.Bot) {
	for _, reason := range telegram.HeldReasons() {
		label := prometheus.Labels{"reason": reason}
		m.registry.MustRegister(
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "hermes_telegram_cards_waiting", ConstLabels: label,
				Help: "Messages about asks that wait for one of Telegram's limits now: chat (one message a second), group (twenty a minute), all (thirty a second) or flood (429).",
			}, func() float64 { return float64(b.Held(reason).Waiting) }),
			prometheus.NewCounterFunc(prometheus.CounterOpts{
				Name: "hermes_telegram_held_seconds_total", ConstLabels: label,
				Help: "How long chats in which a message about an ask waits were held up, by the limit; the times of several chats add up.",
			}, func() float64 { return b.Held(reason).For.Seconds() }))
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
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
