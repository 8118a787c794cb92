// Package sorting sorts records. slices.SortFunc is compiled anew for every type of them, 20 KB each time; this sorts
// pointers to them, which are of one type for the compiler.
package sorting

import "slices"

// By sorts the list as compare says, below zero if a is before b. Those that are equal to it keep their order.
func By[T any](list []T, compare func(a, b T) int) {
	were := slices.Clone(list)
	order := make([]*T, len(were))
	for i := range were {
		order[i] = &were[i]
	}
	slices.SortStableFunc(order, func(a, b *T) int { return compare(*a, *b) })
	for i, one := range order {
		list[i] = *one
	}
}
