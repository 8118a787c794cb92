package pace

import (
	"strings"
	"testing"
	"time"
)

// verdicts takes once every step, from the second on, and spells what it got.
func verdicts(p *People, person int64, from time.Time, n int, step time.Duration) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte("yl-"[p.Take(person, from.Add(time.Duration(i)*step))])
	}
	return b.String()
}

func TestTake(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	for _, test := range []struct {
		name  string
		burst int
		every time.Duration
		n     int
		step  time.Duration
		want  string
	}{
		{"one a minute", 1, time.Minute, 7, 20 * time.Second, "yl-yl-y"},
		{"at once", 3, 10 * time.Second, 6, 0, "yyyl--"},
		{"told once while it goes on", 2, 10 * time.Second, 12, 5 * time.Second, "yyyl" + "y-y-y-y-"},
		{"slow enough", 2, 10 * time.Second, 5, 10 * time.Second, "yyyyy"},
	} {
		if got := verdicts(&People{Burst: test.burst, Every: test.every}, 7, start, test.n, test.step); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
	p := &People{Burst: 2, Every: 10 * time.Second}
	for _, after := range []time.Duration{0, 20 * time.Second, time.Hour} {
		if got := verdicts(p, 7, start.Add(after), 4, 0); got != "yyl-" {
			t.Errorf("after a rest of %v: %s", after, got)
		}
	}
	if got := verdicts(p, 7, start.Add(-24*time.Hour), 2, 0); got != "--" {
		t.Errorf("with the clock set back: %s", got)
	}
	if got := verdicts(p, 8, start, 4, 0); got != "yyl-" {
		t.Errorf("somebody else: %s", got)
	}
}

func TestManyPeople(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	p := &People{Burst: 1, Every: time.Minute}
	yes := 0
	for person := range int64(100_000) {
		if p.Take(person, start) == Yes {
			yes++
		}
	}
	if len(p.shares) > maxShares || yes != maxShares+1 {
		t.Errorf("%d people are remembered, %d times yes", len(p.shares), yes)
	}
	if p.Take(7, start) != Last {
		t.Error("one who was remembered is forgotten")
	}
	if got := p.Take(-1, start.Add(2*time.Minute)); got != Yes || len(p.shares) != 1 {
		t.Errorf("after a rest: %v, %d people", got, len(p.shares))
	}
}
