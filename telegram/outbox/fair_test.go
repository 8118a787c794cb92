package outbox

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
)

// calls are those that a played Telegram got, by the second.
type calls struct {
	began time.Time

	mu sync.Mutex
	in map[int]int
}

func (c *calls) note() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in[int(time.Since(c.began)/time.Second)]++
}

// most is how many calls the fullest second had.
func (c *calls) most() (most, all int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.in {
		most, all = max(most, n), all+n
	}
	return most, all
}

// card is a card whose one call does what answer does.
func card(source string, answer func() error, done func()) Job {
	return Job{Source: source, Run: func(ctx context.Context, c *Chat, err error) {
		if err == nil {
			_ = c.Call(ctx, time.Minute, func(context.Context) error { return answer() })
		}
		done()
	}}
}

// When a flood wait that stopped every chat is over, they do not all write at once: that would bring the next one.
func TestLimits_HoldAfterAFloodWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const chats = 1000
		o := New()
		got := calls{began: time.Now(), in: map[int]int{}}
		var all sync.WaitGroup
		for n := range chats {
			all.Add(1)
			o.Enqueue(chat.ID(100+n), Cards, card("", func() error {
				got.note()
				if n < 2 {
					return &botapi.Error{Op: "send", Reason: botapi.Flood, RetryAfter: 30 * time.Second}
				}
				return nil
			}, all.Done))
		}
		all.Wait()
		if most, n := got.most(); n != chats || most > 2*perSecond+1 {
			t.Errorf("%d calls, %d of them in one second", n, most)
		}
		if took, fair := time.Since(got.began), 31*time.Second+chats*time.Second/perSecond; took > fair+2*time.Second {
			t.Errorf("all that took %v", took)
		}
	})
}

// One chat that gets 500 messages of all kinds delays no other chat's card.
func TestLimits_AFullChatDelaysNoOther(t *testing.T) {
	for _, full := range []chat.ID{7, -7} {
		synctest.Test(t, func(t *testing.T) {
			o := New()
			for range 250 {
				o.Enqueue(full, Cards, card("noisy", func() error { return nil }, func() {}))
				o.Enqueue(full, Notes, card("", func() error { return nil }, func() {}))
			}
			for n := range 20 {
				time.Sleep(time.Second)
				shown := make(chan bool)
				began := time.Now()
				o.Enqueue(chat.ID(100+n), Cards, card("quiet", func() error { return nil }, func() { close(shown) }))
				<-shown
				if took := time.Since(began); took > 100*time.Millisecond {
					t.Errorf("the card of another chat came after %v", took)
				}
			}
			if held := o.Held(); full < 0 && held[HeldByGroup].For == 0 || full > 0 && held[HeldByChat].For < 10*time.Second {
				t.Errorf("what is held up: %v", held)
			}
			_ = o.Close(t.Context())
		})
	}
}

// What holds cards up is told by its reason, and for how long, in the end.
func TestLimits_TellWhatHoldsCardsUp(t *testing.T) {
	for name, c := range map[string]struct {
		cards, chats int
		group        bool
		flood        time.Duration
		want         Reason
	}{
		"a chat":       {cards: 10, chats: 1, want: HeldByChat},
		"a group":      {cards: 30, chats: 1, group: true, want: HeldByGroup},
		"all chats":    {cards: 1, chats: 200, want: HeldByAll},
		"a flood wait": {cards: 2, chats: 1, flood: time.Minute, want: HeldByFlood},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := New()
				first := true
				var all sync.WaitGroup
				for n := range c.chats {
					id := chat.ID(100 + n)
					if c.group {
						id = -id
					}
					for range c.cards {
						all.Add(1)
						o.Enqueue(id, Cards, card("", func() error {
							if c.flood > 0 && first {
								first = false
								return &botapi.Error{Op: "send", Reason: botapi.Flood, RetryAfter: c.flood}
							}
							return nil
						}, all.Done))
					}
				}
				waiting := 0
				for range 60 {
					time.Sleep(time.Second / 2)
					waiting = max(waiting, o.Held()[c.want].Waiting)
				}
				all.Wait()
				held := o.Held()
				if waiting == 0 || held[c.want].For < time.Second || held[c.want].Waiting != 0 {
					t.Errorf("at most %d waited; in the end: %v", waiting, held)
				}
			})
		})
	}
}
