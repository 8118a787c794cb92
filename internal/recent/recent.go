// Package recent makes maps of bounded size, which forget what was put in longest ago.
package recent

import "github.com/hashicorp/golang-lru/v2/simplelru"

// Map is golang-lru's. Get makes a value newer, Peek does not. It is not safe for concurrent use.
type Map[K comparable, V any] = simplelru.LRU[K, V]

// New makes a Map of at most this many values. It panics if that is not positive.
func New[K comparable, V any](most int) *Map[K, V] {
	m, err := simplelru.NewLRU[K, V](most, nil)
	if err != nil {
		panic(err)
	}
	return m
}
