package recent_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hermes/internal/recent"
)

func TestMap(t *testing.T) {
	for _, test := range []struct {
		does, want string // "a" puts, "-a" deletes, "?a" gets; what is left, the oldest first
	}{
		{"", ""},
		{"a b c", "a b c"},
		{"a b c d", "b c d"},
		{"a b c a d", "c a d"},
		{"a b c ?a d", "b c d"},
		{"a b c -b d", "a c d"},
		{"a b c -b d e", "c d e"},
		{"-a ?a", ""},
		{"a a a a", "a"},
		{"a b -a -b c", "c"},
	} {
		m := recent.New[string, int](3)
		for _, one := range strings.Fields(test.does) {
			switch {
			case strings.HasPrefix(one, "-"):
				m.Delete(one[1:])
			case strings.HasPrefix(one, "?"):
				m.Get(one[1:])
			default:
				m.Put(one, len(one))
			}
		}
		if got := strings.Join(keys(m), " "); got != test.want || m.Len() != len(keys(m)) {
			t.Errorf("after %q there are %q, %d", test.does, got, m.Len())
		}
	}
}

func keys(m *recent.Map[string, int]) (list []string) {
	for k := range m.All() {
		list = append(list, k)
	}
	return list
}

// Held against a slice that does the same slowly.
func TestMap_IsAListOfTheNewest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for most := range 8 {
		m, want := recent.New[string, int](most), []string{}
		values := map[string]int{}
		for n := range 2000 {
			k := fmt.Sprint(r.IntN(12))
			want = slices.DeleteFunc(want, func(s string) bool { return s == k })
			if r.IntN(4) == 0 {
				m.Delete(k)
				delete(values, k)
			} else {
				m.Put(k, n)
				want, values[k] = append(want, k), n
			}
			want = want[max(0, len(want)-max(most, 1)):]
			if got := keys(m); !slices.Equal(got, want) {
				t.Fatalf("step %d of %d: %q, want %q", n, most, got, want)
			}
			for _, k := range want {
				if v, ok := m.Get(k); !ok || v != values[k] {
					t.Fatalf("%s is %d, %t; want %d", k, v, ok, values[k])
				}
			}
		}
	}
}

func TestMap_IsEmptiedWhileItIsRead(t *testing.T) {
	m := recent.New[string, int](10)
	for n := range 10 {
		m.Put(fmt.Sprint(n), n)
	}
	for k, v := range m.All() {
		if v%2 == 0 {
			m.Delete(k)
		}
	}
	if got := keys(m); !slices.Equal(got, []string{"1", "3", "5", "7", "9"}) {
		t.Errorf("left: %q", got)
	}
}
