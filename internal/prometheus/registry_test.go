package prometheus_test

import (
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hermes/internal/prometheus"
)

// told is what a handler tells, without its length and date.
func told(t *testing.T, h http.Handler) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if kind := w.Header().Get("Content-Type"); w.Code != http.StatusOK || !strings.HasPrefix(kind, "text/plain; version=0.0.4; charset=utf-8") {
		t.Errorf("status %d, %s", w.Code, kind)
	}
	return w.Body.String()
}

// numbers are written in each way that there is.
func numbers() []float64 {
	return []float64{0, 1, .1, 1. / 3, 17, 1e6, 123456789, 1e21, 1e-9, .5, math.MaxFloat64, math.Inf(1), math.NaN()}
}

const (
	awkward     = "one \"quote\", a \\ and\na line, ü {x=\"y\"}"
	awkwardHelp = "Has \"quotes\", a \\ and\na line."
)

// What Prometheus' own client tells of the same metrics is the same text.
func TestRegistry_TellsWhatTheClientTells(t *testing.T) {
	own, theirs := prometheus.NewRegistry(), client.NewRegistry()
	for n, v := range numbers() {
		name := "gauge_" + string(rune('a'+n))
		g, h := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: awkwardHelp}), client.NewGauge(client.GaugeOpts{Name: name, Help: awkwardHelp})
		g.Set(v)
		h.Set(v)
		own.MustRegister(g)
		theirs.MustRegister(h)
	}
	for _, reason := range []string{"flood", awkward, ""} {
		own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "waiting", Help: "One.", ConstLabels: prometheus.Labels{"reason": reason, "a": "b"}}, func() float64 { return 3 }),
			prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "held_total", ConstLabels: prometheus.Labels{"reason": reason}}, func() float64 { return 4.5 }))
		theirs.MustRegister(client.NewGaugeFunc(client.GaugeOpts{Name: "waiting", Help: "One.", ConstLabels: client.Labels{"reason": reason, "a": "b"}}, func() float64 { return 3 }),
			client.NewCounterFunc(client.CounterOpts{Name: "held_total", ConstLabels: client.Labels{"reason": reason}}, func() float64 { return 4.5 }))
	}
	ownPlain, theirPlain := prometheus.NewCounter(prometheus.CounterOpts{Name: "plain_total", Help: "x"}), client.NewCounter(client.CounterOpts{Name: "plain_total", Help: "x"})
	ownVec, theirVec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "kinds_total", Help: "x"}, []string{"kind", "z"}), client.NewCounterVec(client.CounterOpts{Name: "kinds_total", Help: "x"}, []string{"kind", "z"})
	ownNone, theirNone := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "none_total", Help: "x"}, []string{"kind"}), client.NewCounterVec(client.CounterOpts{Name: "none_total", Help: "x"}, []string{"kind"})
	buckets := []float64{.001, .05, 1, 30}
	ownTimes, theirTimes := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "times", Help: "x", Buckets: buckets}), client.NewHistogram(client.HistogramOpts{Name: "times", Help: "x", Buckets: buckets})
	ownCalls, theirCalls := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "calls", Help: "x", Buckets: buckets}, []string{"method", "status"}), client.NewHistogramVec(client.HistogramOpts{Name: "calls", Help: "x", Buckets: buckets}, []string{"method", "status"})
	own.MustRegister(ownPlain, ownVec, ownNone, ownTimes, ownCalls)
	theirs.MustRegister(theirPlain, theirVec, theirNone, theirTimes, theirCalls)
	for _, v := range []float64{0, .0005, .001, .002, 1, 29, 30, 31, 1e9} {
		ownPlain.Add(v)
		theirPlain.Add(v)
		ownTimes.Observe(v)
		theirTimes.Observe(v)
		for _, kind := range []string{"b", "a", awkward} {
			ownVec.WithLabelValues(kind, "1").Inc()
			theirVec.WithLabelValues(kind, "1").Inc()
			ownCalls.WithLabelValues(kind, "200").Observe(v)
			theirCalls.WithLabelValues(kind, "200").Observe(v)
		}
	}
	got, want := told(t, own.Handler()), told(t, promhttp.HandlerFor(theirs, promhttp.HandlerOpts{}))
	if got != want {
		t.Errorf("it tells\n%s\nwant\n%s", got, want)
	}
}

// The runtime and the process have the metrics, of the same types and labels, that the client has.
func TestCollectors_HaveWhatTheClientHas(t *testing.T) {
	own, theirs := prometheus.NewRegistry(), client.NewRegistry()
	own.MustRegister(prometheus.NewGoCollector(), prometheus.NewProcessCollector())
	theirs.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	runtime.GC()
	got, want := names(told(t, own.Handler())), names(told(t, promhttp.HandlerFor(theirs, promhttp.HandlerOpts{})))
	for _, name := range want {
		if !slices.Contains(got, name) && (runtime.GOOS == "linux" || strings.Contains(name, "go_")) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s is none of the client's", name)
		}
	}
}

// names are the lines of a page without their values and help texts.
func names(page string) []string {
	var list []string
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "# HELP") {
			line = line[:strings.LastIndex(line, " ")+1] + strings.TrimLeft(line[strings.LastIndex(line, " ")+1:], "0123456789.e+-\n")
			list = append(list, line)
		}
	}
	return list
}

func TestMustRegister_RefusesWhatPrometheusCannotRead(t *testing.T) {
	counter := func(name, help string, labels prometheus.Labels) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels})
	}
	for name, second := range map[string]prometheus.Collector{
		"twice":        counter("a_total", "A.", nil),
		"another help": counter("a_total", "B.", prometheus.Labels{"x": "y"}),
		"another type": prometheus.NewGauge(prometheus.GaugeOpts{Name: "a_total", Help: "A.", ConstLabels: prometheus.Labels{"x": "y"}}),
		"no name":      counter("", "A.", nil),
		"a bad name":   counter("a-b", "A.", nil),
	} {
		if !panics(func() { prometheus.NewRegistry().MustRegister(counter("a_total", "A.", nil), second) }) {
			t.Errorf("%s: it is registered", name)
		}
	}
	prometheus.NewRegistry().MustRegister(counter("a_total", "A.", prometheus.Labels{"x": "1"}), counter("a_total", "A.", prometheus.Labels{"x": "2"}))
}

func TestMetrics_RefuseWhatIsNone(t *testing.T) {
	for name, what := range map[string]func(){
		"a counter that goes down": func() { prometheus.NewCounter(prometheus.CounterOpts{}).Add(-1) },
		"values without a label":   func() { prometheus.NewCounterVec(prometheus.CounterOpts{}, []string{"a"}).WithLabelValues("1", "2") },
		"buckets that fall":        func() { prometheus.NewHistogram(prometheus.HistogramOpts{Buckets: []float64{2, 1}}) },
	} {
		if !panics(what) {
			t.Errorf("%s is taken", name)
		}
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// Several goroutines count and look at the same time, and nothing is lost.
func TestRegistry_ConcurrentUse(t *testing.T) {
	r := prometheus.NewRegistry()
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "c_total"}, []string{"kind"})
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "h", Buckets: []float64{1}}, []string{"kind"})
	r.MustRegister(c, h, prometheus.NewGoCollector(), prometheus.NewProcessCollector())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				c.WithLabelValues("a").Inc()
				h.WithLabelValues("a").Observe(2)
			}
			told(t, r.Handler())
		})
	}
	all.Wait()
	for _, want := range []string{"c_total{kind=\"a\"} 800\n", "h_sum{kind=\"a\"} 1600\n", "h_count{kind=\"a\"} 800\n"} {
		if page := told(t, r.Handler()); !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}
