package ask_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/ask"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

func TestService_PassesEventsOn(t *testing.T) {
	var got []event.Event
	d := ask.New(func(e event.Event) { got = append(got, e) })
	first := d.Submit(event.Ask{Place: session.Place{Title: "Release"}, Directory: "/home/ada"})
	if second := d.Submit(event.Ask{}); first == second || !strings.HasPrefix(string(first), "ask_") || len(first) != 24 {
		t.Errorf("the ids are %q and %q", first, second)
	}
	r := got[0].Asks[0].Request
	ctx, a := context.Background(), d.Asker(got[0].Origin)
	if f, err := a.Look(ctx, r); err != nil || f.Kind != event.FoundOpen {
		t.Errorf("Look found %+v, %v", f, err)
	}
	if same, ok, err := a.Resolve(ctx, r); err != nil || !ok || same.ID != first {
		t.Errorf("Resolve found %+v, %v, %v", same, ok, err)
	}
	if a.Reply(ctx, r, question.Answers{{"Yes"}}) != nil || a.Reject(ctx, r, "no") != nil {
		t.Error("an end was refused")
	}
	for i, want := range []event.Kind{event.Asked, event.Asked, event.Replied, event.Rejected} {
		e := got[i]
		directory := map[bool]string{true: "/home/ada"}[i != 1]
		if e.Kind != want || e.Origin != (session.Origin{Way: session.AskAPI, Directory: directory}) || i > 1 && e.ID != first {
			t.Errorf("event %d is %+v", i, e)
		}
	}
	if !got[2].Answers.Equal(question.Answers{{"Yes"}}) || got[3].Note != "no" || got[0].Asks[0].Place.Title != "Release" {
		t.Errorf("told were %+v", got)
	}
	if ask.Owns(question.Thread{Origins: []session.Origin{{Way: session.Link, Process: "p"}}}) {
		t.Error("a question of OpenCode passes for an ask")
	}
}

func TestService_Wait(t *testing.T) {
	for _, test := range []struct {
		title string
		after time.Duration // something happens
		do    func(d *ask.Service, stop func())
		want  time.Duration // Wait ends
		looks int
	}{
		{"nothing happens", 0, func(*ask.Service, func()) {}, time.Minute, 2},
		{"an ask ends", 3 * time.Second, func(d *ask.Service, _ func()) {
			_ = d.Asker(session.Origin{}).Reject(context.Background(), question.Request{}, "")
		}, 3 * time.Second, 2},
		{"the asker goes", 4 * time.Second, func(_ *ask.Service, stop func()) { stop() }, 4 * time.Second, 1},
		{"the server stops", 5 * time.Second, func(d *ask.Service, _ func()) { d.Close(); d.Close() }, 5 * time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var ended atomic.Bool
			d := ask.New(func(event.Event) { ended.Store(true) })
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			time.AfterFunc(test.after, func() { test.do(d, stop) })
			began, looks := time.Now(), 0
			d.Wait(ctx, time.Minute, func() bool { looks++; return ended.Load() })
			if took := time.Since(began); took != test.want || looks != test.looks {
				t.Errorf("%s: it took %v and %d looks", test.title, took, looks)
			}
		})
	}
}
