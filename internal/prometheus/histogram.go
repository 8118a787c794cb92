package prometheus

import (
	"math"
	"slices"
	"sync"
)

// HistogramOpts declare a histogram.
type HistogramOpts struct {
	Name, Help  string
	ConstLabels Labels
	Buckets     []float64 // the most that each of them takes, rising; what is more is counted, too
}

// Histogram counts values by their size. Copies count the same.
type Histogram struct {
	family
	*sizes
}

// NewHistogram returns a histogram to register.
func NewHistogram(o HistogramOpts) Histogram {
	s := newSizes(o.Buckets)
	return Histogram{family{o.Name, o.Help, histogramKind, o.ConstLabels.written(), s.samples}, s}
}

// Observe counts a value.
func (h Histogram) Observe(v float64) { h.observe(v) }

// sizes are how many values of which size there were.
type sizes struct {
	buckets []float64

	mu     sync.Mutex
	counts []uint64 // of each bucket alone, and at last of what fits in none
	sum    float64
}

func newSizes(buckets []float64) *sizes {
	if !slices.IsSorted(buckets) {
		panic("prometheus: the buckets of a histogram must rise")
	}
	return &sizes{buckets: buckets, counts: make([]uint64, len(buckets)+1)}
}

func (s *sizes) observe(v float64) {
	n, _ := slices.BinarySearch(s.buckets, v)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[n]++
	s.sum += v
}

// samples are the buckets, each with all that are smaller, and their sum.
func (s *sizes) samples() []sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []sample
	var count uint64
	for n, c := range s.counts {
		most := math.Inf(1)
		if n < len(s.buckets) {
			most = s.buckets[n]
		}
		count += c
		list = append(list, sample{"_bucket", label("le", number(most)), float64(count)})
	}
	return append(list, sample{"_sum", "", s.sum}, sample{"_count", "", float64(count)})
}
