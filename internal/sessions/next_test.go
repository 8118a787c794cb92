package sessions

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/remote"
)

// next is what a record owes, and in how long it is to be asked again; 0: when an event says so.
type next interface {
	Next(time.Time) ([]step, time.Time)
}

func TestNext(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	soon, before := now.Add(time.Minute), now.Add(-time.Minute)
	prompt := func(alter func(*queuedPrompt)) *queuedPrompt {
		p := &queuedPrompt{QueuedPrompt: remote.QueuedPrompt{At: before}}
		alter(p)
		return p
	}
	taken := &outcome{end: remote.PromptTaken}
	for name, c := range map[string]struct {
		record next
		owed   []step
		in     time.Duration
	}{
		"a new prompt":                      {prompt(func(*queuedPrompt) {}), []step{deliverStep}, 0},
		"a prompt that failed just now":     {prompt(func(p *queuedPrompt) { p.Tries.Next = soon }), nil, time.Minute},
		"a prompt that failed a while ago":  {prompt(func(p *queuedPrompt) { p.Tries.Next = now }), []step{deliverStep}, 0},
		"a prompt on its way":               {prompt(func(p *queuedPrompt) { p.busy = true }), nil, 0},
		"a prompt of before the start":      {prompt(func(p *queuedPrompt) { p.away = true }), nil, 0},
		"a prompt of yesterday":             {prompt(func(p *queuedPrompt) { p.At = now.Add(-24 * time.Hour) }), []step{giveUpStep}, 0},
		"a prompt of yesterday, that waits": {prompt(func(p *queuedPrompt) { p.At, p.Tries.Next = now.Add(-24*time.Hour), soon }), []step{giveUpStep}, 0},
		"a prompt that ended":               {prompt(func(p *queuedPrompt) { p.outcome = taken }), []step{endStep}, 0},
		"a watch of before the start":       {&turnWatch{}, nil, 0},
		"a watch that is looked at soon":    {&turnWatch{lookAt: soon}, nil, time.Minute},
		"a watch that is looked at now":     {&turnWatch{lookAt: now}, []step{lookStep}, 0},
		"a watch during a look":             {&turnWatch{lookAt: before, looking: true}, nil, 0},
		"a watch whose end is told":         {&turnWatch{lookAt: before, telling: true}, nil, 0},
		"a live message":                    {&liveMessage{lookAt: soon}, nil, time.Minute},
		"a live message that is due":        {&liveMessage{lookAt: before}, []step{lookStep}, 0},
		"a live message during a look":      {&liveMessage{lookAt: before, looking: true}, nil, 0},
	} {
		owed, wake := c.record.Next(now)
		in := time.Duration(0)
		if !wake.IsZero() {
			in = wake.Sub(now)
		}
		if !slices.Equal(owed, c.owed) || in != c.in {
			t.Errorf("%s: owed %q, again in %v; want %q, %v", name, owed, in, c.owed, c.in)
		}
	}
}
