package broadcast_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/broadcast"
)

func TestBroadcast_Await(t *testing.T) {
	for name, c := range map[string]struct {
		limit, ended time.Duration
		looks        int
		act          func(b *broadcast.Broadcast, stop context.CancelFunc)
	}{
		"no limit":          {0, 0, 1, nil},
		"the limit is over": {time.Minute, time.Minute, 1, nil},
		"a ring":            {time.Minute, time.Minute, 2, func(b *broadcast.Broadcast, _ context.CancelFunc) { b.Ring() }},
		"closed":            {time.Minute, time.Second, 2, func(b *broadcast.Broadcast, _ context.CancelFunc) { b.Close(); b.Close(); b.Ring() }},
		"the context ends":  {time.Minute, time.Second, 1, func(_ *broadcast.Broadcast, stop context.CancelFunc) { stop() }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, looks, began := broadcast.New(), 0, time.Now()
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				if c.act != nil {
					time.AfterFunc(time.Second, func() { c.act(b, stop) })
				}
				err := b.Await(ctx, c.limit, func() (bool, error) { looks++; return false, nil })
				if took := time.Since(began); err != nil || looks != c.looks || took != c.ended {
					t.Errorf("%d looks in %v, %v", looks, took, err)
				}
			})
		})
	}
}
