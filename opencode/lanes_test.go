package opencode

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/question"
)

// Whatever is heard of however many sessions: behind the asks that were heard before it,
// everything of a session is told in its order, and nothing is left out.
func TestLanesKeepTheOrder(t *testing.T) {
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			r, l := rand.New(rand.NewPCG(seed, 1)), newLanes()
			var mu sync.Mutex
			told, heard := map[int]int{}, 0 // what was told, by when: its number in heard is its place
			order := 0
			tell := func(n int) func() {
				return func() {
					mu.Lock()
					defer mu.Unlock()
					order++
					told[n] = order
				}
			}
			type one struct {
				session question.SessionID
				read    bool
			}
			var all []one
			reading, most := 0, 0
			for range 200 {
				n, s := heard, question.SessionID(fmt.Sprint("ses_", r.IntN(4)))
				heard++
				pause := time.Duration(r.IntN(3000)) * time.Millisecond
				switch r.IntN(4) {
				case 0:
					all = append(all, one{s, true})
					l.read(s, func() {
						mu.Lock()
						reading++
						most = max(most, reading)
						mu.Unlock()
						time.Sleep(pause)
						mu.Lock()
						reading--
						mu.Unlock()
						tell(n)()
					})
				case 1:
					all = append(all, one{s, false})
					l.beside(s, func() { time.Sleep(pause / 4); tell(n)() })
				case 2:
					all = append(all, one{"", false})
					l.then("", tell(n))
				default:
					all = append(all, one{s, false})
					l.then(s, tell(n))
				}
				if r.IntN(3) == 0 {
					time.Sleep(pause / 2)
				}
			}
			l.wait()
			if len(told) != heard || len(l.of)+len(l.last)+l.reading != 0 || most > maxReading {
				t.Fatalf("seed %d: %d of %d were told, %d at a time were read", seed, len(told), heard, most)
			}
			for n, later := range all {
				for before, earlier := range all[:n] {
					same := earlier.session == later.session && later.session != "" || later.session == "" && earlier.read
					if same && !later.read && told[before] > told[n] {
						t.Fatalf("seed %d: %d %+v was told behind %d %+v", seed, before, earlier, n, later)
					}
				}
			}
		})
	}
}
