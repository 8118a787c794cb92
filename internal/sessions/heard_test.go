package sessions

import (
	"fmt"
	"testing"

	"hermes/internal/session"
)

// Whatever OpenCodes say of how many sessions, what is remembered of them is bounded, and
// each loses the oldest of its own.
func TestHeard_BoundedAndFair(t *testing.T) {
	type says struct {
		source   func(n int) session.Origin
		sessions int
	}
	one := func(name string) func(int) session.Origin {
		return func(int) session.Origin { return linkOf(name, name) }
	}
	many := func(n int) session.Origin { // as many processes with the API's token
		return session.Origin{Way: session.Link, Process: fmt.Sprint("p", n), Directory: "/src"}
	}
	for name, test := range map[string]struct {
		says []says
		left []int // of each
	}{
		"room for all":          {[]says{{one("a"), 40}, {one("b"), 60}}, []int{40, 60}},
		"one with too many":     {[]says{{one("a"), 500}}, []int{100}},
		"one among others":      {[]says{{one("a"), 10}, {one("b"), 500}, {one("c"), 10}}, []int{10, 80, 10}},
		"two with too many":     {[]says{{one("a"), 500}, {one("b"), 500}}, []int{50, 50}},
		"processes without end": {[]says{{one("a"), 5}, {many, 500}}, []int{0, 100}},
	} {
		h := newHeard(100)
		ids := map[session.ID]int{}
		for i, s := range test.says {
			for n := range s.sessions {
				id := session.ID(fmt.Sprint(i, "/", n))
				h.put(id, s.source(n), true)
				ids[id] = i
			}
		}
		left, indexed := make([]int, len(test.says)), 0
		for id := range h.at {
			left[ids[id]]++
		}
		for _, of := range h.by {
			indexed += of.Len()
		}
		if fmt.Sprint(left) != fmt.Sprint(test.left) || indexed != len(h.at) {
			t.Errorf("%s: %v are left and %d in the index, want %v", name, left, indexed, test.left)
		}
		for i, s := range test.says {
			newest := session.ID(fmt.Sprint(i, "/", s.sessions-1))
			if h.originOf(newest).Way == "" && left[i] > 0 {
				t.Errorf("%s: the newest of the sessions of %d is forgotten", name, i)
			}
		}
	}
}

func TestHeard_FollowsASession(t *testing.T) {
	h := newHeard(2)
	a, b := linkOf("a", "x"), linkOf("b", "x")
	h.put("s", a, true)
	h.put("s", b, true)
	if h.originOf("s") != b || len(h.by) != 1 {
		t.Errorf("at %+v, of %d sources", h.originOf("s"), len(h.by))
	}
	h.stopAt(a)
	if !h.isWorking("s") {
		t.Error("it rests, as another has stopped")
	}
	h.stopAt(b)
	if h.isWorking("s") || h.originOf("s") != b {
		t.Error("it works where nothing does")
	}
	h.put("s", b, true)
	h.put("s", b, false)
	if h.isWorking("s") {
		t.Error("it works though it was heard to rest")
	}
}

func BenchmarkHeardWithManySources(b *testing.B) {
	h := newHeard(maxHeard)
	for n := 0; b.Loop(); n++ {
		h.put(session.ID(fmt.Sprint(n)), session.Origin{Way: session.Link, Process: fmt.Sprint(n)}, true)
	}
}
