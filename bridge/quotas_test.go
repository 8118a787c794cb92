package bridge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// A machine that asks without end fills neither the chats nor the database; another one's asks come as always, and what was held back
// comes when there is room.
func TestQuota_OfOneMachine(t *testing.T) {
	heldBack := 0
	noisy := session.Origin{Way: session.Link, Process: "n", Directory: shopDir, Host: "noisy", Token: "noisy"}
	beside(t, linkA, func(c *bridge.Config) {
		c.HeldBack = func() { heldBack++ }
		c.NotifyDelay = time.Hour // only what is taken in is looked at
	}, func(w *world, _ *impostor, _ *int) {
		list := manyAsks()
		listing := event.Event{Kind: event.Opened, Origin: noisy, Asks: list}
		w.bridge.Event(listing)
		w.wait(time.Second)
		if n := w.openThreads(); n != 200 || heldBack != 100 {
			t.Errorf("%d were taken in and %d held back", n, heldBack)
		}
		mine := question.Request{ID: "que_mine", Protocol: session.V1, Session: "ses_m", Items: []question.Item{{Text: "And me?"}}}
		w.bridge.Event(event.Event{Kind: event.Asked, Origin: linkA, Asks: asksOf(mine)})
		if _, ok := w.threadAt(linkA, mine.ID); !ok {
			t.Error("the other machine's ask was held back")
		}
		for n := range 50 {
			w.bridge.Event(event.Event{Kind: event.Rejected, Origin: noisy, ID: list[n].Request.ID, Session: "ses_n"})
		}
		w.wait(30 * time.Second)
		listing.Asks = list[50:]
		w.bridge.Event(listing)
		if n := w.openThreads(); n != 150+31+1 {
			t.Errorf("%d are there after 31 s, as one more may come each second", n)
		}
		w.wait(time.Minute)
		w.bridge.Event(listing)
		if n := w.openThreads(); n != 200+1 {
			t.Errorf("%d are there when there was time for all that may wait", n)
		}
	})
}

// manyAsks are 300.
func manyAsks() []event.Ask {
	list := make([]event.Ask, 300)
	for n := range list {
		list[n] = event.Ask{Request: question.Request{
			ID: question.RequestID(fmt.Sprint("que_", n)), Protocol: session.V1, Session: "ses_n", Items: []question.Item{{Text: fmt.Sprint(n, "?")}},
		}}
	}
	return list
}

// What the configuration names is not bounded.
func TestQuota_NotOfServers(t *testing.T) {
	beside(t, serverS, func(c *bridge.Config) { c.NotifyDelay = time.Hour }, func(w *world, _ *impostor, _ *int) {
		w.bridge.Event(event.Event{Kind: event.Opened, Origin: serverS, Asks: manyAsks()})
		if n := w.openThreads(); n != 300 {
			t.Errorf("%d of 300 were taken in", n)
		}
	})
}

// Large asks fill no disk: so much at once, and then little by little.
func TestQuota_OfLargeAsks(t *testing.T) {
	beside(t, linkA, func(c *bridge.Config) { c.NotifyDelay = time.Hour }, func(w *world, _ *impostor, _ *int) {
		large := strings.Repeat("x", 4<<20)
		tell := func(n int) int {
			for i := range n {
				r := question.Request{ID: question.RequestID(fmt.Sprint("que_", i)), Protocol: session.V1, Session: "ses", Items: []question.Item{{Text: large}}}
				w.bridge.Event(event.Event{Kind: event.Asked, Origin: linkA, Asks: asksOf(r)})
			}
			return w.openThreads()
		}
		if n := tell(10); n != 2 {
			t.Errorf("%d of 10 large asks were taken in", n)
		}
		w.wait(500 * time.Second)
		if n := tell(10); n != 3 {
			t.Errorf("%d were taken in after a while", n)
		}
		small := question.Request{ID: "que_small", Protocol: session.V1, Session: "ses", Items: []question.Item{{Text: "And me?"}}}
		w.bridge.Event(event.Event{Kind: event.Asked, Origin: linkA, Asks: asksOf(small)})
		if n := w.openThreads(); n != 4 {
			t.Error("a small one waits behind the large ones")
		}
	})
}

// Asks of any size count: one a second that is not large fills no disk either.
func TestQuota_OfOneAskASecond(t *testing.T) {
	beside(t, linkA, func(c *bridge.Config) { c.NotifyDelay = time.Hour }, func(w *world, _ *impostor, _ *int) {
		const size, seconds, allowed = 31 << 10, 20 * 60, 8<<20 + 20*60*10<<10
		text, taken := strings.Repeat("x", size), 0
		for n := range seconds {
			r := question.Request{ID: question.RequestID(fmt.Sprint("que_", n)), Protocol: session.V1, Session: "ses", Items: []question.Item{{Text: text}}}
			w.bridge.Event(event.Event{Kind: event.Asked, Origin: linkA, Asks: asksOf(r)})
			taken += w.openThreads()
			w.bridge.Event(event.Event{Kind: event.Rejected, Origin: linkA, ID: r.ID, Session: r.Session})
			w.wait(time.Second)
		}
		if taken*size > allowed || taken*size < allowed*9/10 {
			t.Errorf("%d of %d asks were taken in, %d MiB; there is room for %d MiB", taken, seconds, taken*size>>20, allowed>>20)
		}
	})
}

// What is held back as there are too many asks uses nothing up.
func TestQuota_WhatIsHeldBackUsesNothing(t *testing.T) {
	beside(t, linkA, func(c *bridge.Config) { c.NotifyDelay = time.Hour }, func(w *world, _ *impostor, _ *int) {
		tell := func(n, size int) {
			r := question.Request{ID: question.RequestID(fmt.Sprint("que_", n)), Protocol: session.V1, Session: "ses", Items: []question.Item{{Text: strings.Repeat("x", size)}}}
			w.bridge.Event(event.Event{Kind: event.Asked, Origin: linkA, Asks: asksOf(r)})
		}
		for n := range 200 {
			tell(n, 1)
			w.bridge.Event(event.Event{Kind: event.Rejected, Origin: linkA, ID: question.RequestID(fmt.Sprint("que_", n)), Session: "ses"})
		}
		for n := range 500 {
			tell(1000+n, 31<<10)
		}
		w.wait(time.Second)
		tell(2000, 4<<20)
		if n := w.openThreads(); n != 1 {
			t.Errorf("%d are there", n)
		}
	})
}
