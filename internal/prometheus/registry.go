// Package prometheus counts, and tells a Prometheus what it counted. It is the part of Prometheus' own client that hermes uses, under that
// one's names; a test holds what both tell against each other, byte for byte. Why: docs/design/size.md.
package prometheus

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"hermes/internal/sorting"
)

// Registry has what is told together. Several goroutines may use it.
type Registry struct {
	mu         sync.Mutex
	collectors []Collector
	declared   map[string]family // by name
	series     map[string]bool   // names with their constant labels
}

// Collector is a metric, or several. The metrics of this package are the only ones.
type Collector interface {
	// families are what it tells. It takes no value before samples is called.
	families() []family
}

// NewRegistry returns a registry without metrics.
func NewRegistry() *Registry {
	return &Registry{declared: map[string]family{}, series: map[string]bool{}}
}

// MustRegister adds metrics. It panics when a name is none, when the same metric is there
// already, or when one of its name has another help text or type.
func (r *Registry) MustRegister(list ...Collector) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range list {
		for _, f := range c.families() {
			r.declare(f)
		}
		r.collectors = append(r.collectors, c)
	}
}

func (r *Registry) declare(f family) {
	if !regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`).MatchString(f.name) {
		panic(fmt.Sprintf("prometheus: %q is no name of a metric", f.name))
	}
	if other, ok := r.declared[f.name]; ok && (other.help != f.help || other.kind != f.kind) {
		panic("prometheus: two metrics have the name " + f.name)
	}
	series := f.name + braced(f.fixed)
	if r.series[series] {
		panic("prometheus: " + series + " is there already")
	}
	r.declared[f.name], r.series[series] = f, true
}

// Handler tells the metrics as they are now, in the text format 0.0.4.
func (r *Registry) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		// A client that has gone needs no answer.
		_, _ = w.Write(r.page())
	})
}

// page is what the registry tells, by name.
func (r *Registry) page() []byte {
	var all []family
	for _, c := range r.registered() {
		all = append(all, c.families()...)
	}
	sorting.By(all, func(a, b family) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return strings.Compare(a.fixed, b.fixed)
	})
	var page bytes.Buffer
	before := ""
	for _, f := range all {
		f.write(&page, f.name != before)
		before = f.name
	}
	return page.Bytes()
}

func (r *Registry) registered() []Collector {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.collectors)
}
