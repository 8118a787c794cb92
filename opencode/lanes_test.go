package opencode

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/release"
)

// Whatever is heard of however many sessions: behind the asks that were heard before it,
// everything of a session is told in its order, and nothing is left out.
func TestLanes_KeepTheOrder(t *testing.T) {
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
				session session.ID
				read    bool
			}
			var all []one
			reading, most := 0, 0
			for range 200 {
				n, s := heard, session.ID(fmt.Sprint("ses_", r.IntN(4)))
				heard++
				pause := time.Duration(r.IntN(3000)) * time.Millisecond
				switch r.IntN(4) {
				case 0:
					all = append(all, one{s, true})
					l.startRead(s, func() {
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
					all = append(all, one{"", false})
					l.afterReads("", tell(n))
				default:
					all = append(all, one{s, false})
					l.afterReads(s, tell(n))
				}
				if r.IntN(3) == 0 {
					time.Sleep(pause / 2)
				}
			}
			l.wait()
			if len(told) != heard || len(l.queue) != 0 || l.reading != 0 || l.running || most > maxReading {
				t.Fatalf("seed %d: %d of %d were told, %d at a time were read", seed, len(told), heard, most)
			}
			for n, later := range all {
				for before, earlier := range all[:n] {
					same := earlier.session == later.session && later.session != "" || later.session == ""
					if same && !later.read && told[before] > told[n] {
						t.Fatalf("seed %d: %d %+v was told behind %d %+v", seed, before, earlier, n, later)
					}
				}
			}
		})
	}
}

// What concerns all sessions waits for what was heard before it, not for what comes later:
// asks that overlap hold it up no longer than those of them that were there. The same holds
// of a session whose asks overlap.
func TestLanes_OverlappingAsksStarveNothing(t *testing.T) {
	for _, session := range []session.ID{"", "ses_slow"} {
		synctest.Test(t, func(t *testing.T) {
			l, began := newLanes(), time.Now()
			var after time.Duration
			for n := range 60 {
				l.startRead("ses_slow", func() { time.Sleep(4 * time.Second) })
				if n == 10 {
					l.afterReads(session, func() { after = time.Since(began) })
				}
				time.Sleep(time.Second)
			}
			l.wait()
			if after != 14*time.Second {
				t.Errorf("what was heard of %q after 10 s was told after %v", session, after)
			}
		})
	}
}

// However often an OpenCode gives a reason to look, or a session another name, hermes keeps
// little of it waiting, and waits for nothing to hear more of it.
func TestLanes_SignsThatWaitAreFolded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newEventLog()
		i := newInstance(here, NewClient(call.Endpoint{Transport: slowly, Base: "http://opencode", Directory: proj}, release.Newest, 0), &sessionNames{}, log.add)
		for n := range 10 {
			i.hear(t.Context(), permissionAsked(fmt.Sprint("per_", n), "ses_slow"))
			for k := range 1000 {
				i.hear(t.Context(), frame("session.error", `{}`))
				i.hear(t.Context(), frame("session.updated", fmt.Sprintf(`{"info":{"id":"ses_slow","title":"t%d.%d"}}`, n, k)))
				i.hear(t.Context(), frame("session.error", `{"sessionID":"ses_slow","error":{"name":"MessageAbortedError"}}`))
			}
		}
		synctest.Wait()
		i.lanes.mu.Lock()
		all, of := 0, 0
		for _, waits := range i.lanes.queue {
			switch {
			case waits.isRead:
			case waits.session == "":
				all++
			default:
				of++
			}
		}
		i.lanes.mu.Unlock()
		if all != 10 || of != 20 {
			t.Errorf("%d wait for all sessions, %d for one: want one of each kind behind each ask", all, of)
		}
		if time.Since(log.began) > 0 {
			t.Errorf("it was heard after %v", time.Since(log.began))
		}
		time.Sleep(time.Minute)
		i.lanes.wait()
	})
}

// What cannot be folded is bounded: then whoever hears more of it waits, until what was
// heard before is told.
func TestLanes_WhatLanesKeepIsBounded(t *testing.T) {
	nothing := func() {}
	for name, add := range map[string]func(l *lanes){
		"of all sessions": func(l *lanes) { l.afterReads("", nothing) },
		"of a session":    func(l *lanes) { l.afterReads("ses_a", nothing) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLanes()
				var heard atomic.Int64
				l.startRead("ses_a", func() { time.Sleep(4 * time.Second) })
				go func() {
					for range 3 * maxQueued {
						add(l)
						heard.Add(1)
					}
				}()
				synctest.Wait()
				if heard.Load() != maxQueued {
					t.Errorf("%d wait", heard.Load())
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if heard.Load() != 3*maxQueued {
					t.Errorf("%d were heard in the end", heard.Load())
				}
				l.wait()
			})
		})
	}
}
