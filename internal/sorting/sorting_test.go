package sorting_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"hermes/internal/sorting"
)

type record struct {
	key, number int
}

func byKey(a, b record) int { return cmp.Compare(a.key, b.key) }

// Lists of every length up to a hundred are as slices.SortStableFunc has them.
func TestBy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		list := make([]record, n)
		for i := range list {
			list[i] = record{random.IntN(10), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		if sorting.By(list, byKey); !slices.Equal(list, want) {
			t.Fatalf("%d records: %v, want %v", n, list, want)
		}
	}
}

func BenchmarkBy(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]record, 500)
	for b.Loop() {
		for i := range list {
			list[i].key = random.Int()
		}
		sorting.By(list, byKey)
	}
}
