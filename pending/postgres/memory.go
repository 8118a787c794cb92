package postgres

import "slices"

// What a memory has at most: bytes of keys and values, and of one value.
const (
	mostRemembered = 8 << 20
	largestKept    = 64 << 10
)

// memory is what the transactions of a lease have read and written, so that the next one need not ask. It is true: nobody else has written since, which each
// transaction proves (see [leased.begin]). Who has the turn to write uses it.
type memory struct {
	values  map[place][]byte // nil: nothing is there
	size    int
	buckets []string // that were read or written
}

func newMemory() *memory { return &memory{values: map[place][]byte{}} }

// with returns the buckets that are known, and this one.
func (m *memory) with(name string) []string {
	if !slices.Contains(m.buckets, name) {
		m.buckets = append(m.buckets, name)
	}
	return m.buckets
}

// keep takes over what a transaction knew that was committed. A memory that is full begins anew.
func (m *memory) keep(known map[place][]byte) {
	for p, value := range known {
		m.forget(p)
		if len(value) > largestKept {
			continue
		}
		if m.size > mostRemembered {
			m.values, m.size = map[place][]byte{}, 0
		}
		m.values[p] = value
		m.size += weight(p, value)
	}
}

func (m *memory) forget(p place) {
	if value, ok := m.values[p]; ok {
		m.size -= weight(p, value)
		delete(m.values, p)
	}
}

// weight is about what an entry takes.
func weight(p place, value []byte) int { return 100 + len(p.key) + len(value) }
