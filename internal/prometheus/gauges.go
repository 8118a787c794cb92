package prometheus

import (
	"strings"
	"sync"

	"hermes/internal/sorting"
)

// Desc declares gauges of one name that are read together with others.
type Desc struct {
	name, help string
	labels     []string
}

// NewDesc declares gauges, one for each combination of the labels' values.
func NewDesc(name, help string, labels ...string) *Desc { return &Desc{name, help, labels} }

// Source is where gauges come from that are read at once.
type Source interface {
	// Describe returns all that Collect may tell.
	Describe() []*Desc
	// Collect reads them and calls tell for each that there is, with the values of its labels. It is called once for each look, by several
	// goroutines at once if several look.
	Collect(tell func(d *Desc, value float64, labels ...string))
}

// NewGauges returns the gauges of a source, to register.
func NewGauges(s Source) Collector { return gauges{s} }

type gauges struct{ source Source }

func (g gauges) families() (list []family) {
	var once sync.Once
	told := map[*Desc][]sample{}
	collect := func() {
		g.source.Collect(func(d *Desc, value float64, labels ...string) {
			told[d] = append(told[d], sample{labels: pairs(d.labels, labels), value: value})
		})
	}
	for _, d := range g.source.Describe() {
		list = append(list, family{d.name, d.help, gaugeKind, "", func() []sample {
			once.Do(collect)
			sorting.By(told[d], func(a, b sample) int { return strings.Compare(a.labels, b.labels) })
			return told[d]
		}})
	}
	return list
}
