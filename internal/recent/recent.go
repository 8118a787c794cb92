// Package recent holds maps of bounded size, which forget what was put in longest ago.
package recent

import (
	"container/list"
	"iter"
)

// Map holds at most so many values as it was made for, those that were put in last.
// Getting one does not make it newer. It is not safe for concurrent use.
type Map[K comparable, V any] struct {
	most  int
	at    map[K]*list.Element
	order list.List // of entry[K, V], the oldest first
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New makes a Map of at most this many values, at least one.
func New[K comparable, V any](most int) *Map[K, V] {
	return &Map[K, V]{most: max(most, 1), at: map[K]*list.Element{}}
}

// Put makes the value of a key the newest. If there are too many then, the oldest is
// forgotten.
func (m *Map[K, V]) Put(key K, value V) {
	m.Delete(key)
	m.at[key] = m.order.PushBack(entry[K, V]{key, value})
	if len(m.at) > m.most {
		m.Delete(m.order.Front().Value.(entry[K, V]).key)
	}
}

// Get gives the value of a key, and whether there is one.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	if e := m.at[key]; e != nil {
		return e.Value.(entry[K, V]).value, true
	}
	return value, false
}

// Delete forgets a key.
func (m *Map[K, V]) Delete(key K) {
	if e := m.at[key]; e != nil {
		m.order.Remove(e)
		delete(m.at, key)
	}
}

// Len is how many there are.
func (m *Map[K, V]) Len() int { return len(m.at) }

// All gives the keys and values, the oldest first. The one that was given may be deleted.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for e := m.order.Front(); e != nil; {
			next := e.Next()
			if one := e.Value.(entry[K, V]); !yield(one.key, one.value) {
				return
			}
			e = next
		}
	}
}
