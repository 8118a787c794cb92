package daemon

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hermes/internal/api"
)

// readings are the metrics that are read when somebody looks. None of them reads more of the database than which records are set aside.
type readings struct{ *Daemon }

// Describe implements [prometheus.Collector]: what there is depends on the configuration and on the system.
func (readings) Describe(chan<- *prometheus.Desc) {}

// tell tells one metric. No label holds what an agent, a person or the configuration says: all values are closed words.
type tell func(kind prometheus.ValueType, name, help string, value float64, labels prometheus.Labels)

func (t tell) gauge(name, help string, value float64) {
	t(prometheus.GaugeValue, name, help, value, nil)
}

func (t tell) gauges(name, help, label string, values map[string]int) {
	for word, n := range values {
		t(prometheus.GaugeValue, name, help, float64(n), prometheus.Labels{label: word})
	}
}

// Collect implements [prometheus.Collector]. It takes a second at most.
func (d readings) Collect(metrics chan<- prometheus.Metric) {
	var t tell = func(kind prometheus.ValueType, name, help string, value float64, labels prometheus.Labels) {
		metrics <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, labels), kind, value)
	}
	d.tellBacklog(t)
	d.tellLinks(t)
	d.tellTelegram(t)
	if n, err := d.Store.Size(); !errors.Is(err, errors.ErrUnsupported) { // a file that is gone has none
		t.gauge("hermes_store_bytes", "Size of the database: of its file or, with HERMES_STORE, of its tables.", float64(n))
	}
	if free, err := d.Store.Free(); err == nil {
		t.gauge("hermes_store_free_bytes", "What is left of the disk that has the database; absent where the system does not tell.", float64(free))
	}
	t.gauge("hermes_unreadable_records", "Records of the database that cannot be read; hermes works without them.", float64(len(d.Store.AtOpen().Skipped)))
	t.gauge("hermes_http_connections", "Connections to the HTTP interface that are open.", float64(d.connections.open.Load()))
	t.gauge("hermes_http_connections_max", "Connections that hermes takes: by the descriptors that it may have.", float64(d.connections.most))
	if d.backups.folder != nil {
		t.gauge("hermes_backup_last_seconds", "When the newest copy in HERMES_BACKUP_DIR was made, in seconds since 1970; 0: there is none.", float64(d.backups.newest.Load()))
	}
	if d.certificate != nil {
		ends, _ := d.certificate.Expires() // the log has the error
		t.gauge("hermes_tls_certificate_expiry_seconds", "When the certificate in HERMES_TLS_CERT expires, in seconds since 1970.", float64(ends.Unix()))
	}
}

// tellBacklog tells what waits now, and nothing but that where the bridge does not answer.
func (d readings) tellBacklog(t tell) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	b, err := d.Bridge.Backlog(ctx)
	t.gauge("hermes_alive", "Whether hermes takes in what happens, as /healthz tells. While it does not, what is told of asks is absent.", oneIf(err == nil))
	if err != nil {
		return
	}
	open, asks := 0, map[string]int{}
	for stage, n := range b.Asks {
		open += n
		asks[string(stage)] = n
	}
	t.gauges("hermes_asks", "The same, by state: unseen (no chat shows it), shown, held (HERMES_UNDO), deciding (owed to who asked) or ended.", "state", asks)
	t.gauge("hermes_questions_open", "Questions that have not ended, or whose messages do not tell it yet.", float64(open))
	t.gauge("hermes_asks_away", "Asks that have not ended, and whose OpenCode cannot be reached.", float64(b.Away))
	t.gauge("hermes_ask_unseen_oldest_seconds", "How long the oldest ask that no chat shows ought to be shown; 0: there is none.", b.Unseen.Seconds())
	t.gauge("hermes_ask_open_oldest_seconds", "How long ago the oldest ask that waits for an answer was asked; 0: there is none.", b.Unanswered.Seconds())
	t.gauge("hermes_answer_undelivered_oldest_seconds", "How long the oldest decision has been owed to who asked; 0: none is.", b.Owed.Seconds())
}

// tellLinks tells what there is of links and servers. It names none.
func (d readings) tellLinks(t tell) {
	links, direct := d.Gateway.Ways()
	t.gauge("hermes_links", "Plugins that are linked.", float64(links))
	t.gauge("hermes_servers", "Servers that are connected directly.", float64(direct))
	t.gauge("hermes_links_max", "Links that hermes takes: three quarters of its connections.", float64(maxLinks(d.connections.most)))
	t.gauge("hermes_links_refused", "Plugins that were refused in the last two minutes, as they speak another protocol.", float64(len(d.Gateway.Refused())))
	made := map[string]int{"open": 0, "closed": 0, "unused": 0}
	for _, l := range api.NamedLinksOf(d.links.list(), api.Linking{Open: d.Gateway.Links()}).Links {
		switch {
		case l.Open > 0:
			made["open"]++
		case l.Seen == nil:
			made["unused"]++
		default:
			made["closed"]++
		}
	}
	t.gauges("hermes_links_made", "Links that were made, by state: open (an OpenCode is linked with it), closed or unused (none ever was).", "state", made)
}

// tellTelegram tells whether updates come in, and what waits to be sent. No label names a chat: the id of a private chat is a person's.
func (d readings) tellTelegram(t tell) {
	t.gauge("hermes_telegram_up", "Whether updates come in.", oneIf(d.Bot.Health() == nil))
	t.gauge("hermes_telegram_silence_seconds", "Since the last good poll, or the last good look at the webhook; since the start if there was none.",
		d.heartbeat.silence(d.started.Round(0)).Seconds())
	queued := d.Bot.Queued()
	t.gauges("hermes_telegram_queue", "Messages that wait to be sent, in all chats together, by kind: cards (asks), notes or live.", "kind",
		map[string]int{"cards": queued.Cards, "notes": queued.Notes, "live": queued.Live})
	t.gauge("hermes_telegram_queue_chats", "Chats in which messages wait to be sent.", float64(queued.Chats))
	t.gauge("hermes_telegram_queue_longest", "Messages that wait in the chat where most do.", float64(queued.Longest))
	for limit, held := range d.Bot.Held() {
		label := prometheus.Labels{"reason": string(limit)}
		t(prometheus.GaugeValue, "hermes_telegram_cards_waiting",
			"Messages about asks that wait for one of Telegram's limits now: chat (one message a second), group (twenty a minute), all (thirty a second) or flood (429).",
			float64(held.Waiting), label)
		t(prometheus.CounterValue, "hermes_telegram_held_seconds_total",
			"How long chats in which a message about an ask waits were held up, by the limit; the times of several chats add up.", held.For.Seconds(), label)
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
