package outbox

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
)

// What chats wait for when one more thing comes, and how long that may take. All chats but the last are busy for a while.
func TestPlaces_AreShared(t *testing.T) {
	ask, change := Job{Ask: true}, Job{}
	much := slices.Repeat([]Job{ask}, 20) // in a hundred chats: for 80 seconds
	for name, c := range map[string]struct {
		chats int
		lane  Lane
		jobs  []Job // of each chat
		late  Job
		in    Lane
		limit time.Duration
	}{
		"an ask among changes of cards":        {chats: 400, jobs: []Job{change, change}, late: ask, limit: 100 * time.Millisecond},
		"an ask among asks of chats with many": {chats: 100, jobs: much, late: ask, limit: 100 * time.Millisecond},
		"an ask among notes":                   {chats: 400, lane: Notes, jobs: []Job{{}, {}}, late: ask, limit: 100 * time.Millisecond},
		"a change among asks":                  {chats: 100, jobs: much, late: change, limit: 20 * time.Second},
		"a note among asks":                    {chats: 100, jobs: much, late: Job{}, in: Notes, limit: 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := New()
				var all sync.WaitGroup
				for n := range c.chats {
					for _, j := range c.jobs {
						all.Add(1)
						o.Enqueue(chat.ID(100+n), c.lane, with(j, all.Done))
					}
				}
				time.Sleep(8 * time.Second) // each of a hundred chats had two places
				shown := make(chan bool)
				began := time.Now()
				o.Enqueue(7, c.in, with(c.late, func() { close(shown) }))
				<-shown
				if took := time.Since(began); took > c.limit {
					t.Errorf("it took %v", took)
				}
				all.Wait()
			})
		})
	}
}

// Of chats that have more to send than fits, each gets as much as any other.
func TestPlaces_GoRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const chats = 100
		o := New()
		var mu sync.Mutex
		got := map[chat.ID]int{}
		for n := range chats {
			id := chat.ID(100 + n)
			for range 5 + 10*(n%10) { // some have ten times as much
				o.Enqueue(id, Cards, with(Job{Ask: true}, func() {
					mu.Lock()
					defer mu.Unlock()
					got[id]++
				}))
			}
		}
		time.Sleep(16 * time.Second)
		synctest.Wait()
		for id, n := range got {
			if n < 3 || n > 4+chatBurst {
				t.Errorf("chat %d got %d", id, n)
			}
		}
		if len(got) != chats {
			t.Errorf("%d chats got something", len(got))
		}
		_ = o.Close(t.Context())
	})
}

// An ask that comes into a chat which waits with something else brings the chat forward.
func TestPlaces_AnAskBringsItsChatForward(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := New()
		var all sync.WaitGroup
		for n := range 400 {
			all.Add(1)
			o.Enqueue(chat.ID(100+n), Cards, with(Job{}, all.Done))
		}
		all.Add(1)
		o.Enqueue(7, Cards, with(Job{}, all.Done)) // it is the last
		time.Sleep(2 * time.Second)
		shown := make(chan bool)
		began := time.Now()
		o.Enqueue(7, Cards, with(Job{Ask: true}, func() { close(shown) }))
		<-shown
		if took := time.Since(began); took > 200*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		all.Wait()
	})
}

// with is a job with one call, which Telegram takes.
func with(j Job, done func()) Job {
	j.Run = card("", func() error { return nil }, done).Run
	return j
}
