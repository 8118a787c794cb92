package prometheus

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// CounterVec is a counter for each of the values of its labels that there were.
type CounterVec struct {
	family
	members vec[*value]
}

// HistogramVec is a histogram for each of the values of its labels that there were.
type HistogramVec struct {
	family
	members vec[*sizes]
}

// NewCounterVec returns counters to register, told apart by labels.
func NewCounterVec(o CounterOpts, labels []string) *CounterVec {
	c := &CounterVec{members: vec[*value]{labels: labels, one: func() *value { return &value{} }}}
	c.family = family{o.Name, o.Help, counterKind, o.ConstLabels.written(), c.members.samples}
	return c
}

// NewHistogramVec returns histograms to register, told apart by labels.
func NewHistogramVec(o HistogramOpts, labels []string) *HistogramVec {
	h := &HistogramVec{members: vec[*sizes]{labels: labels, one: func() *sizes { return newSizes(o.Buckets) }}}
	h.family = family{o.Name, o.Help, histogramKind, o.ConstLabels.written(), h.members.samples}
	return h
}

// WithLabelValues returns the counter with these values of the labels, in their order. It
// panics if there are more or fewer. The vec is what is registered.
func (c *CounterVec) WithLabelValues(values ...string) Counter {
	return Counter{value: c.members.with(values)}
}

// WithLabelValues returns the histogram with these values of the labels, as CounterVec does.
func (h *HistogramVec) WithLabelValues(values ...string) Histogram {
	return Histogram{sizes: h.members.with(values)}
}

// vec is metrics by the values of their labels.
type vec[M interface{ samples() []sample }] struct {
	labels []string
	one    func() M

	mu sync.Mutex
	by map[string]M // by the labels as they are written
}

func (v *vec[M]) with(values []string) M {
	by := pairs(v.labels, values)
	v.mu.Lock()
	defer v.mu.Unlock()
	m, ok := v.by[by]
	if !ok {
		if v.by == nil {
			v.by = map[string]M{}
		}
		m = v.one()
		v.by[by] = m
	}
	return m
}

// pairs is how labels are written, in their order, without braces.
func pairs(labels, values []string) (list string) {
	if len(values) != len(labels) {
		panic(fmt.Sprintf("prometheus: %d values for the labels %q", len(values), labels))
	}
	for n, name := range labels {
		list = joined(list, label(name, values[n]))
	}
	return list
}

func (v *vec[M]) samples() []sample {
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []sample
	for _, written := range slices.Sorted(maps.Keys(v.by)) {
		for _, s := range v.by[written].samples() {
			s.labels = joined(written, s.labels)
			list = append(list, s)
		}
	}
	return list
}
