//go:build e2e

package e2e_test

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// BenchmarkFire lets hermes be killed with SIGKILL at random moments, again and again, for as long as FIRE says (2 minutes unless
// it says otherwise), while an agent asks, two people allow, and a third sends prompts and follows. Each answer must arrive once, each message
// must tell the truth, the journal must be whole, and nothing may be open at the end. FIRE_SEED plays the moments of another run.
func BenchmarkFire(b *testing.B) {
	for name, newAgent := range crowdAgents() {
		b.Run(name, func(b *testing.B) { playFire(b, newAgent) })
	}
}

func fireTime(b *testing.B) time.Duration {
	text := os.Getenv("FIRE")
	if text == "" {
		return 2 * time.Minute
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		b.Fatal("FIRE:", err)
	}
	return d
}

// playFire plays one fire: the crowd beside a hermes that is killed all the time.
func playFire(b *testing.B, newAgent func(testing.TB, reached) burning) {
	p := newPhone(b)
	h := newHermes(b, p.url)
	c := newCrowd(b, p, newAgent(b, h), seedOf("FIRE_SEED"))
	h.start(b, crowdSettings(b, h.home)...)
	h.awaitReady(b)
	began := time.Now()
	until := began.Add(fireTime(b))
	c.work(func(dice *rand.Rand) {
		for time.Now().Before(until) && !b.Failed() {
			time.Sleep(time.Duration(dice.Int64N(int64(6 * time.Second))))
			h.kill()
			c.faults++
			time.Sleep(time.Duration(dice.Int64N(int64(time.Second))))
			h.start(b)
		}
	})
	c.judge(h)
	h.stop(b)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(time.Since(began).Minutes(), "minutes")
	b.ReportMetric(float64(c.faults), "kills")
	c.report(b)
}
