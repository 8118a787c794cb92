package question

import (
	"reflect"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/session"
)

func TestWhatStandsOnScreen(t *testing.T) {
	if asked().Shown() || !shown(card(0, unshown)).Shown() {
		t.Error("a thread is shown when any chat has a message of it")
	}
	thread := shown()
	if got := []int{thread.Card(1), thread.Card(2), thread.Card(3)}; !reflect.DeepEqual(got, []int{0, 1, -1}) {
		t.Errorf("cards of chats 1, 2 and 3: %v", got)
	}
	c := Card{Messages: []chat.MessageID{10, 11}, Others: []chat.MessageID{12}}
	for message, want := range map[chat.MessageID]bool{10: true, 11: true, 12: true, 13: false, 0: false} {
		if got := c.Has(message); got != want {
			t.Errorf("has message %d: %v", message, got)
		}
	}
}

func TestOpenAndSettled(t *testing.T) {
	for _, c := range []struct {
		name          string
		thread        Thread
		open, settled bool
	}{
		{"asked", asked(), true, false},
		{"expired, waiting on", shown(expired), true, false},
		{"decided", decided(), false, false},
		{"settled", settled(), false, true},
		{"settled elsewhere", settled(func(t *Thread) { t.Decision = nil }), false, true},
	} {
		if c.thread.Open() != c.open || c.thread.Settled() != c.settled {
			t.Errorf("%s: open %v, settled %v", c.name, c.thread.Open(), c.thread.Settled())
		}
	}
}

func TestOrigins(t *testing.T) {
	o := session.Origin{Way: session.Link, Process: "p", Directory: "/d", Host: "laptop"}
	thread := asked(func(t *Thread) { t.Origins = []session.Origin{{}, o} })
	for name, c := range map[string]struct {
		change func(*session.Origin)
		want   bool
	}{
		"the same":             {func(*session.Origin) {}, true},
		"another name of host": {func(o *session.Origin) { o.Host = "renamed" }, true},
		"another way":          {func(o *session.Origin) { o.Way = session.Direct }, false},
		"another process":      {func(o *session.Origin) { o.Process = "q" }, false},
		"another directory":    {func(o *session.Origin) { o.Directory = "/d/" }, false},
	} {
		p := o
		c.change(&p)
		if got := thread.From(p); got != c.want {
			t.Errorf("%s: seen there %v, want %v", name, got, c.want)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	a := shown(func(t *Thread) { t.Origins = []session.Origin{{Process: "p"}} })
	b, want := a.Clone(), shown(func(t *Thread) { t.Origins = []session.Origin{{Process: "p"}} })
	a.Origins[0].Process, a.RemindAt[0], a.Cards[0].Chat = "q", noon, 9
	if !reflect.DeepEqual(b, want) {
		t.Errorf("the copy changed too: %+v", b)
	}
}
