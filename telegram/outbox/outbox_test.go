package outbox

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
)

// A chat at rest has no goroutine, and many of them little else.
func TestOutbox_IdleChatsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := New()
		for id := chat.ID(100); id < 2100; id++ {
			o.ReserveLiveEdit(id, 0)
		}
		if n := len(o.chats); n > 1100 {
			t.Errorf("%d chats are remembered", n)
		}
	})
}

func TestSources_AreForgotten(t *testing.T) {
	q := newQueue(New(), 7)
	for n := range 1000 {
		q.sourceNamed(fmt.Sprint("link ", n))
	}
	if n := len(q.sources); n > 100 {
		t.Errorf("%d sources are remembered", n)
	}
}

// What waits is counted by lane, and the longest queue of a chat is known without the chat's name.
func TestOutbox_Waiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := New()
		hold := make(chan struct{})
		busy := Job{Run: func(_ context.Context, c *Chat, err error) {
			if err == nil {
				<-hold
			}
		}}
		for range 3 {
			o.Enqueue(1, Cards, busy)
		}
		o.Enqueue(1, Notes, busy)
		o.Enqueue(2, Notes, busy)
		o.Enqueue(2, Live, busy)
		synctest.Wait()
		// The first job of each chat has begun.
		if got, want := o.Waiting(), (Waiting{Jobs: [lanes]int{Cards: 2, Notes: 1, Live: 1}, Chats: 2, Longest: 3}); got != want {
			t.Errorf("%+v waits, not %+v", got, want)
		}
		close(hold)
		time.Sleep(time.Minute)
		if got := o.Waiting(); got != (Waiting{}) {
			t.Errorf("%+v waits at the end", got)
		}
		_ = o.Close(t.Context())
	})
}

// An ask comes at once, whatever four hundred other chats wait for.
func TestAll_LeaveRoomForAnAsk(t *testing.T) {
	for name, lane := range map[string]Lane{"changes of cards": Cards, "notes": Notes} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := New()
				var all sync.WaitGroup
				for n := range 400 {
					for range 2 {
						all.Add(1)
						o.Enqueue(chat.ID(100+n), lane, with(Job{}, all.Done))
					}
				}
				time.Sleep(8 * time.Second)
				shown := make(chan bool)
				began := time.Now()
				o.Enqueue(7, Cards, with(Job{Ask: true}, func() { close(shown) }))
				<-shown
				if took := time.Since(began); took > 100*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				all.Wait()
			})
		})
	}
}

// An ask that comes into a chat which waits with something else brings the chat forward.
func TestAll_AnAskBringsItsChatForward(t *testing.T) {
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

// One chat that Telegram tells to wait delays no other, nor do two, or any number while Telegram takes messages of others.
func TestFloods_OfChatsDelayNoOther(t *testing.T) {
	for _, flooded := range []int{1, 2, 20} {
		synctest.Test(t, func(t *testing.T) {
			o := New()
			quick := func(id chat.ID) {
				t.Helper()
				shown := make(chan bool)
				began := time.Now()
				o.Enqueue(id, Cards, card("", func() error { return nil }, func() { close(shown) }))
				<-shown
				if took := time.Since(began); took > 100*time.Millisecond {
					t.Errorf("with %d flooded chats, the card of another came after %v", flooded, took)
				}
			}
			for n := range flooded {
				o.Enqueue(chat.ID(10+n), Cards, card("", func() error {
					return &botapi.Error{Op: "send", Reason: botapi.Flood, RetryAfter: time.Hour}
				}, func() {}))
				synctest.Wait()
				quick(chat.ID(100 + n))
				time.Sleep(time.Second)
			}
			again := make(chan bool)
			began := time.Now()
			o.Enqueue(10, Cards, card("", func() error { return nil }, func() { close(again) }))
			time.Sleep(time.Minute)
			quick(1000)
			<-again
			if took := time.Since(began); took < 59*time.Minute {
				t.Errorf("a flooded chat was written to after %v", took)
			}
		})
	}
}

// When the bot has to wait, and not a chat, hermes tries one message now and then; and when that is over, the chats do
// not write all at once: that would bring the next wait. What holds them up is told by its reason.
func TestFloods_OfTheBotStopAll(t *testing.T) {
	for _, wait := range []time.Duration{0, 10 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			const chats = 200
			const over = 5 * time.Minute
			o := New()
			taken := calls{began: time.Now().Add(over), in: map[int]int{}}
			var refused atomic.Int64 // chats call side by side
			var all sync.WaitGroup
			var show func(id chat.ID, source string)
			show = func(id chat.ID, source string) {
				o.Enqueue(id, Cards, card(source, func() error {
					if time.Now().Before(taken.began) {
						refused.Add(1)
						show(id, source) // as the bridge does
						return &botapi.Error{Op: "send", Reason: botapi.Flood, RetryAfter: wait}
					}
					taken.note()
					all.Done()
					return nil
				}, func() {}))
			}
			all.Add(chats)
			for n := range chats {
				show(chat.ID(100+n), "")
			}
			time.Sleep(floodLook / 2)
			if held := o.Held(); wait > 0 && held[HeldByFlood].Waiting < chats-100 {
				t.Errorf("what is held up by a wait of %v: %v", wait, held)
			}
			time.Sleep(over - floodLook/2 + 2*floodLook)
			if most, n := taken.most(); n < chats-100 || most > 2*perSecond()[rankCard]+1 {
				t.Errorf("after the bot's wait of %v: %d calls, %d of them in one second", wait, n, most)
			}
			all.Wait()
			if tries := int(over/max(floodTry, min(wait, floodLook))) + 2*perSecond()[rankCard]; int(refused.Load()) > tries {
				t.Errorf("%d calls were refused by waits of %v", refused.Load(), wait)
			}
			if held := o.Held(); held[HeldByFlood].Waiting+held[HeldByAll].Waiting > 0 || held[HeldByAll].For == 0 {
				t.Errorf("in the end is held up: %v", held)
			}
			_ = o.Close(t.Context())
		})
	}
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
