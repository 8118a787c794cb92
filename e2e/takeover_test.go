//go:build e2e && postgres && linux

package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"hermes/internal/testlevel"
)

// TestTakeover has each way in which the hermes that acts can be lost happen once, with the real OpenCode and with its stand-in.
func TestTakeover(t *testing.T) {
	t.Run("opencode", func(t *testing.T) {
		playTakeovers(t, newRealAgent, testlevel.Choose(1, 3)*len(faults()), 2*time.Second)
	})
	t.Run("stand-in", func(t *testing.T) {
		playTakeovers(t, newStandInAgent, testlevel.Choose(1, 6)*len(faults()), 2*time.Second)
	})
}

// BenchmarkTakeover loses the hermes that acts, in all ways and at random moments, as often as TAKEOVERS says (200 unless it says otherwise), half of it with the
// real OpenCode. It holds what TestTakeover holds, and measures how long nobody acts, with HERMES_LEASE as it is by default. TAKEOVER_SEED plays the moments of another run.
func BenchmarkTakeover(b *testing.B) {
	const lease = 6 * time.Second
	for name, newAgent := range crowdAgents() {
		b.Run(name, func(b *testing.B) {
			s := playTakeovers(b, newAgent, takeovers(b)/2, lease)
			b.ReportMetric(0, "ns/op")
			s.crowd.report(b)
			s.report(b)
		})
	}
}

func takeovers(b *testing.B) (n int) {
	if text := os.Getenv("TAKEOVERS"); text == "" {
		n = 200
	} else if _, err := fmt.Sscan(text, &n); err != nil {
		b.Fatal("TAKEOVERS:", err)
	}
	return n
}

// storm is a pair of hermes of which the one that acts is lost again and again, beside a crowd.
type storm struct {
	*pair
	crowd *crowd
	lease time.Duration
	done  []takeover
}

// takeover is what one loss led to.
type takeover struct {
	fault    string
	ready    time.Duration // from the loss until a hermes says that it is ready
	answered time.Duration // from the loss until Telegram was told that a tap has arrived which was made after it
}

// playTakeovers plays n takeovers, all kinds of them in an order of their own, and holds what became of all that was asked.
func playTakeovers(t testing.TB, newAgent func(testing.TB, reached) burning, n int, lease time.Duration) *storm {
	p := newPhone(t)
	x := newPair(t, p, lease)
	agent := newAgent(t, x)
	x.start()
	s := &storm{pair: x, crowd: newCrowd(t, p, agent, seedOf("TAKEOVER_SEED")), lease: lease}
	s.awaitReady(0)
	s.crowd.work(func(dice *rand.Rand) {
		all := faults()
		for i := 0; i < n && !t.Failed(); i++ {
			if i%len(all) == 0 {
				dice.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
			}
			s.play(dice, all[i%len(all)])
		}
	})
	acting, _ := x.roles()
	s.crowd.judge(acting)
	x.stop()
	return s
}

// play loses the hermes that acts while a question waits, has Ada tap, and waits until the other one has done what was to be done.
func (s *storm) play(dice *rand.Rand, f fault) {
	acting, standby := s.roles()
	before := acting.metric("hermes_lease_epoch")
	q, button := s.crowd.newQuestion(dice)
	since := s.crowd.telegram.LastMessageID()
	s.crowd.agent.ask(q)
	card, ok := s.crowd.await(ada, since, q.Question, takes(q.Question))
	if !ok {
		return
	}
	time.Sleep(chance(dice, 2*time.Second))
	began, mend := f.strike(s, dice, acting)
	s.crowd.faults++
	s.crowd.rivals++
	time.Sleep(chance(dice, time.Second))
	tap, err := s.crowd.telegram.Tap(ada, ada, card.ID, button)
	if err != nil {
		s.t.Error(err)
	}
	if f.keeps {
		before--
	}
	done := takeover{fault: f.name, ready: s.awaitReady(before + 1).Sub(began)}
	said := s.network.said(acting)
	time.Sleep(chance(dice, 3*time.Second))
	mend()
	s.crowd.awaitEnd(ada, since, q.Question, button, "✅")
	done.answered = s.answered(tap).Sub(began)
	s.done = append(s.done, done)
	s.t.Logf("%s of %s: ready after %v, a tap answered after %v", f.name, acting.listen, done.ready, done.answered)
	if f.watched {
		s.wantSilent(acting, standby, said)
	}
}

// chance is a random time of at most so much.
func chance(dice *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(dice.Int64N(int64(most)))
}

// awaitReady waits until a hermes of this epoch or a later one is ready, and returns when it saw that.
func (s *storm) awaitReady(epoch float64) time.Time {
	s.t.Helper()
	found := make(chan time.Time, len(s.both))
	ctx := s.t.Context()
	stop := make(chan struct{})
	defer close(stop)
	for _, h := range s.both {
		go func() {
			for ctx.Err() == nil {
				select {
				case <-stop:
					return
				case <-time.After(20 * time.Millisecond):
				}
				if h.get("/readyz") == "ready\n" && h.metric("hermes_lease_epoch") >= epoch {
					found <- time.Now()
					return
				}
			}
		}()
	}
	select {
	case at := <-found:
		return at
	case <-time.After(patience):
		s.t.Fatalf("no hermes is ready within %v: %s, %s", patience, s.both[0].get("/readyz"), s.both[1].get("/readyz"))
		return time.Time{}
	}
}

// answered is when Telegram was told that a tap has arrived.
func (s *storm) answered(tap string) time.Time {
	for _, a := range s.crowd.telegram.Alerts() {
		if a.Callback == tap {
			return a.At
		}
	}
	s.t.Errorf("the tap %s got no answer", tap)
	return time.Now()
}

// wantSilent holds that a hermes that was deposed is a standby, and has sent nothing to Telegram and OpenCode since the other one acts.
func (s *storm) wantSilent(deposed, acting *hermes, said int) {
	s.t.Helper()
	eventually(s.t, "who was deposed is a standby", deposed.stands)
	if n := s.network.said(deposed) - said; n != 0 && acting.acts() {
		s.t.Errorf("who was deposed sent %d bytes to Telegram or OpenCode after it", n)
	}
}

// report tells of each kind how often it was, and how long nobody acted.
func (s *storm) report(b *testing.B) {
	for _, f := range faults() {
		var ready, answered []time.Duration
		for _, d := range s.done {
			if d.fault == f.name {
				ready, answered = append(ready, d.ready), append(answered, d.answered)
			}
		}
		if len(ready) == 0 {
			continue
		}
		b.ReportMetric(float64(len(ready)), f.name+"-times")
		b.ReportMetric(median(ready).Seconds(), f.name+"-s-to-ready-median")
		b.ReportMetric(slices.Max(ready).Seconds(), f.name+"-s-to-ready-slowest")
		b.ReportMetric(median(answered).Seconds(), f.name+"-s-to-tap-median")
		b.ReportMetric(slices.Max(answered).Seconds(), f.name+"-s-to-tap-slowest")
	}
}
