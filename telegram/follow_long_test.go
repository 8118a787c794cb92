//go:build !race

// Not under the race detector: so many events in one bubble crash it now and then (Go 1.26).

package telegram_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram/cardtest"
)

// callsIn are the times of the calls into a chat that count.
func (w *world) callsIn(chat int64) []time.Time {
	var at []time.Time
	for _, c := range w.tele.Calls() {
		if c.Chat == chat && (c.Method == "editMessageText" || c.Method == "sendMessage") {
			at = append(at, c.At)
		}
	}
	return at
}

// most is the largest number of times within d.
func most(at []time.Time, d time.Duration) int {
	n := 0
	for i := range at {
		j := i
		for j < len(at) && at[j].Sub(at[i]) < d {
			j++
		}
		n = max(n, j-i)
	}
	return n
}

// Ten minutes, 200 kB, ten changes a second, in a private chat and a group at once, and
// all the while something is asked in both.
func TestFollow_TenMinutesOfAStream(t *testing.T) {
	inWorld(t, func(w *world) {
		s := &stream{tool: "bash"}
		touch, end := w.bot.Follow(s.in(7))
		touchGroup, endGroup := w.bot.Follow(s.in(-5))
		var slowest time.Duration
		var asking sync.WaitGroup
		for n := range 6000 {
			s.add(fmt.Sprintf("line %d: <b>&amp; %s\n", n, strings.Repeat("x", 15)))
			touch()
			touchGroup()
			if n%150 == 70 {
				for _, chat := range []chat.ID{7, -5} {
					asking.Go(func() {
						began := time.Now()
						mustShow(w.t, w.show(post(chat, cardtest.Asks(cardtest.Database()))), 3)
						s.mu.Lock()
						slowest = max(slowest, time.Since(began))
						s.mu.Unlock()
					})
				}
				asking.Wait()
			}
			time.Sleep(100 * time.Millisecond)
		}
		s.add("the very end")
		end()
		endGroup()
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if s.words.Len() < 200_000 || len(s.errs) != 0 {
			t.Fatalf("%d bytes, %v", s.words.Len(), s.errs)
		}
		if slowest > time.Second {
			t.Errorf("a question waited %v", slowest)
		}
		before := len(w.tele.Messages(-5))
		next := new(stream)
		w.bot.Follow(next.in(-5))
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if len(w.tele.Messages(-5)) != before+1 {
			t.Error("the next one waits, though nothing goes on")
		}
		for chat, limit := range map[int64]int{7: 35, -5: 15} {
			var m telegramsim.Message
			for _, m = range w.tele.Messages(chat) {
				if strings.HasPrefix(m.Text, "⚙️") {
					break
				}
			}
			if !strings.HasPrefix(m.Text, "⚙️ shop · Big <plan>\nWorking · bash\n\n…\nline ") || !strings.HasSuffix(m.Text, "x\nthe very end") || !m.Silent || len([]rune(m.Text)) < 3900 {
				t.Errorf("chat %d shows %q", chat, m.Text)
			}
			at := w.callsIn(chat)
			if n := most(at, time.Minute); n > limit || m.Edits < 90 {
				t.Errorf("chat %d: %d calls in a minute, %d edits in all", chat, n, m.Edits)
			}
			if n := most(at, time.Second); n > 3 {
				t.Errorf("chat %d: %d calls in a second", chat, n)
			}
		}
	})
}
