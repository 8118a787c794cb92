package daemon

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

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

func newWaits(r *prometheus.Registry) waits {
	with := promauto.With(r)
	w := waits{
		shown: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hermes_ask_shown_seconds", Help: "From when hermes heard of an ask to its first message in a chat, HERMES_NOTIFY_DELAY included, by way: plugin, relay, direct or program.",
			Buckets: []float64{.5, 1, 2, 5, 10, 30, 60, 300, 1800},
		}, []string{"way"}),
		delivered: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hermes_answer_delivered_seconds", Help: "From a decision, or the end of its HERMES_UNDO, to the proof that who asked has taken it, by way.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2, 5, 30, 300, 3600},
		}, []string{"way"}),
	}
	for _, word := range []way{wayPlugin, wayRelay, wayDirect, wayProgram} { // what has not happened yet is 0, and not absent
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
