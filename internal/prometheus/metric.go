package prometheus

import "sync"

// Opts declare a metric.
type Opts struct {
	Name, Help  string
	ConstLabels Labels
}

// CounterOpts declare a counter, GaugeOpts a gauge.
type (
	CounterOpts Opts
	GaugeOpts   Opts
)

// Counter is a number that only grows while hermes runs, and begins with 0. Copies count
// the same.
type Counter struct {
	family
	*value
}

// Gauge is a number that goes up and down, and begins with 0. Copies are the same one.
type Gauge struct {
	family
	*value
}

// NewCounter returns a counter to register.
func NewCounter(o CounterOpts) Counter {
	v := &value{}
	return Counter{family{o.Name, o.Help, counterKind, o.ConstLabels.written(), v.samples}, v}
}

// NewGauge returns a gauge to register.
func NewGauge(o GaugeOpts) Gauge {
	v := &value{}
	return Gauge{family{o.Name, o.Help, gaugeKind, o.ConstLabels.written(), v.samples}, v}
}

// NewCounterFunc returns a counter that read knows. It is called for each look, by several
// goroutines at once if several look.
func NewCounterFunc(o CounterOpts, read func() float64) Collector {
	return family{o.Name, o.Help, counterKind, o.ConstLabels.written(), func() []sample { return one(read()) }}
}

// NewGaugeFunc returns a gauge that read knows, as for NewCounterFunc.
func NewGaugeFunc(o GaugeOpts, read func() float64) Collector {
	return family{o.Name, o.Help, gaugeKind, o.ConstLabels.written(), func() []sample { return one(read()) }}
}

// Inc adds 1.
func (c Counter) Inc() { c.Add(1) }

// Add adds what is not negative, else it panics.
func (c Counter) Add(by float64) {
	if by < 0 {
		panic("prometheus: a counter does not go down")
	}
	c.change(func(n float64) float64 { return n + by })
}

// Set replaces the number.
func (g Gauge) Set(to float64) { g.change(func(float64) float64 { return to }) }

// value is a number that several goroutines change.
type value struct {
	mu     sync.Mutex
	number float64
}

func (v *value) change(to func(float64) float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.number = to(v.number)
}

func (v *value) samples() []sample {
	v.mu.Lock()
	defer v.mu.Unlock()
	return one(v.number)
}
