package daemon

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hermes/bridge"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// way is how hermes speaks with who asks. The words are the values of a metric's label.
type way string

const (
	wayPlugin  way = "plugin"  // over a link of a plugin
	wayRelay   way = "relay"   // over a link of hermes link run
	wayDirect  way = "direct"  // hermes dials the server
	wayProgram way = "program" // a program asked hermes itself
)

func ways() []way { return []way{wayPlugin, wayRelay, wayDirect, wayProgram} }

// wayOf is the way of an ask. A link of OpenCode 2 is that of a process beside it: it has no plugin of hermes.
func wayOf(t question.Thread) way {
	switch t.LastOrigin().Way {
	case session.Direct:
		return wayDirect
	case session.AskAPI:
		return wayProgram
	case session.Link:
		if t.Request.Protocol == session.V2 {
			return wayRelay
		}
	}
	return wayPlugin
}

// waits are how long people and agents waited, by way.
type waits struct {
	shown     *prometheus.HistogramVec // for the first message about an ask
	delivered *prometheus.HistogramVec // for what was decided
}

func newWaits() waits {
	w := waits{
		shown: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hermes_ask_shown_seconds", Help: "From when hermes heard of an ask to its first message in a chat, HERMES_NOTIFY_DELAY included, by way: plugin, relay, direct or program.",
			Buckets: []float64{.5, 1, 2, 5, 10, 30, 60, 300, 1800},
		}, []string{"way"}),
		delivered: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hermes_answer_delivered_seconds", Help: "From a decision, or the end of its HERMES_UNDO, to the proof that who asked has taken it, by way.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2, 5, 30, 300, 3600},
		}, []string{"way"}),
	}
	for _, word := range ways() { // what has not happened yet is 0, and not absent
		w.shown.WithLabelValues(string(word))
		w.delivered.WithLabelValues(string(word))
	}
	return w
}

// observe notes the waits that the stored change ends.
func (w waits) observe(c storage.Change) {
	for _, e := range c.Entries {
		for _, t := range c.Threads {
			switch {
			case t.ID != e.Thread || t.Request.Admission != nil:
			case e.Kind == storage.EntryShown && t.Open() && cardsOnScreen(t) == 1:
				w.shown.WithLabelValues(string(wayOf(t))).Observe(e.At.Sub(t.Asked).Seconds())
			case e.Kind == storage.EntryConfirmed && t.Decision != nil:
				w.delivered.WithLabelValues(string(wayOf(t))).Observe(e.At.Sub(t.OwedSince()).Seconds())
			}
		}
	}
}

// cardsOnScreen is how many chats show the thread.
func cardsOnScreen(t question.Thread) (n int) {
	for _, c := range t.Cards {
		if len(c.Messages) > 0 {
			n++
		}
	}
	return n
}

// backlogMetrics is what waits now. It asks the bridge once for each look, and tells nothing but that where it does not answer.
type backlogMetrics struct {
	backlog func(context.Context) (bridge.Backlog, error)

	alive, asks, away, unseen, unanswered, owed, open *prometheus.Desc
}

func newBacklogMetrics(backlog func(context.Context) (bridge.Backlog, error)) backlogMetrics {
	gauge := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return backlogMetrics{
		backlog: backlog,
		alive:   gauge("hermes_alive", "Whether hermes takes in what happens, as /healthz tells. While it does not, what is told of asks is absent."),
		open:    gauge("hermes_questions_open", "Questions that have not ended, or whose messages do not tell it yet."),
		asks: gauge("hermes_asks", "The same, by state: unseen (no chat shows it), shown, held (HERMES_UNDO), deciding (owed to who asked) or ended.",
			"state"),
		away:       gauge("hermes_asks_away", "Asks that have not ended, and whose OpenCode cannot be reached."),
		unseen:     gauge("hermes_ask_unseen_oldest_seconds", "How long the oldest ask that no chat shows ought to be shown; 0: there is none."),
		unanswered: gauge("hermes_ask_open_oldest_seconds", "How long ago the oldest ask that waits for an answer was asked; 0: there is none."),
		owed:       gauge("hermes_answer_undelivered_oldest_seconds", "How long the oldest decision has been owed to who asked; 0: none is."),
	}
}

// Describe implements [prometheus.Collector].
func (m backlogMetrics) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.alive, m.open, m.asks, m.away, m.unseen, m.unanswered, m.owed} {
		descs <- d
	}
}

// Collect implements [prometheus.Collector]. It takes a second at most.
func (m backlogMetrics) Collect(metrics chan<- prometheus.Metric) {
	tell := func(d *prometheus.Desc, value float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	b, err := m.backlog(ctx)
	tell(m.alive, oneIf(err == nil))
	if err != nil {
		return
	}
	open := 0
	for stage, n := range b.Asks {
		tell(m.asks, float64(n), string(stage))
		open += n
	}
	tell(m.open, float64(open))
	tell(m.away, float64(b.Away))
	tell(m.unseen, b.Unseen.Seconds())
	tell(m.unanswered, b.Unanswered.Seconds())
	tell(m.owed, b.Owed.Seconds())
}
