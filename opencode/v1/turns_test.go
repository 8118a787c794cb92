package v1_test

import (
	"encoding/json"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	v1 "hermes/opencode/v1"
	"hermes/opencode/wire"
)

// toldTurn is what OpenCode tells, and what is certain then of the ask que_1 of the answer
// msg_2 in ses_1. The plugin is held to the same table.
type toldTurn struct {
	Name   string
	Events []wire.Event
	Waits  bool
	Agent  string
}

var asked = question.Request{ID: "que_1", Session: "ses_1", Message: "msg_2", Call: "call_1"}

func toldTurns(t *testing.T) (list []toldTurn) {
	t.Helper()
	raw, err := os.ReadFile("testdata/turns.json")
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func hear(events []wire.Event) *v1.Turns {
	turns := v1.NewTurns(time.Time{})
	for _, e := range events {
		turns.Hear(e)
	}
	return turns
}

func TestTurns(t *testing.T) {
	for _, c := range toldTurns(t) {
		turns := hear(c.Events)
		if got := turns.Waits(asked); got != c.Waits {
			t.Errorf("%s: it certainly waits: %v, want %v", c.Name, got, c.Waits)
		}
		if got := turns.Agent(asked); got != c.Agent {
			t.Errorf("%s: %q asks, want %q", c.Name, got, c.Agent)
		}
	}
}

var waiting = []wire.Event{
	{Type: "session.status", Properties: json.RawMessage(`{"sessionID":"ses_1","status":{"type":"busy"}}`)},
	{Type: "message.updated", Properties: json.RawMessage(`{"sessionID":"ses_1","info":{"id":"msg_2","role":"assistant","agent":"build"}}`)},
	{Type: "question.asked", Properties: json.RawMessage(`{"id":"que_1","sessionID":"ses_1","tool":{"messageID":"msg_2","callID":"call_1"}}`)},
}

func TestTurns_OfAnotherAskNothingIsCertain(t *testing.T) {
	turns := hear(waiting)
	for _, r := range []question.Request{
		{},
		{ID: "que_1", Session: "ses_1"},
		{ID: "que_1", Session: "ses_2", Message: "msg_2"},
		{ID: "que_2", Session: "ses_1", Message: "msg_2"},
		{ID: "que_1", Session: "ses_1", Message: "msg_3"},
	} {
		if turns.Waits(r) {
			t.Errorf("%+v certainly waits", r)
		}
	}
}

func TestTurns_TheInstanceIsPutAway(t *testing.T) {
	for _, kind := range []string{"server.instance.disposed", "global.disposed"} {
		turns := hear(waiting)
		turns.Hear(wire.Event{Type: kind, Properties: json.RawMessage(`{"directory":"/home/ada/proj"}`)})
		if turns.Waits(asked) {
			t.Errorf("an ask waits after %s", kind)
		}
	}
}

func TestTurns_AnAnswerIsSentOnce(t *testing.T) {
	turns := hear(waiting)
	turns.Doubt(asked)
	if turns.Waits(asked) {
		t.Error("it certainly waits although an answer was sent")
	}
}

// A look makes an ask certain again, unless something was told while it ran.
func TestTurns_Seen(t *testing.T) {
	busy := waiting[0]
	for _, c := range []struct {
		name           string
		before, during []wire.Event
		want           bool
	}{
		{"nothing was heard before", nil, nil, true},
		{"the ask was doubtful", append(append([]wire.Event{}, waiting...), busy), nil, true},
		{"something was told of its session during the look", nil, []wire.Event{busy}, false},
		{"a later answer is being written", []wire.Event{busy, {Type: "message.updated", Properties: json.RawMessage(`{"info":{"id":"msg_3","sessionID":"ses_1","role":"assistant"}}`)}}, nil, false},
	} {
		turns := hear(c.before)
		mark := turns.Mark()
		for _, e := range c.during {
			turns.Hear(e)
		}
		if turns.Seen(mark, asked); turns.Waits(asked) != c.want {
			t.Errorf("%s: it certainly waits: %v", c.name, !c.want)
		}
		turns.Hear(wire.Event{Type: "session.idle", Properties: json.RawMessage(`{"sessionID":"ses_1"}`)})
		if turns.Waits(asked) {
			t.Errorf("%s: it waits after the end of its turn", c.name)
		}
	}
}

// A look that runs while its session says something else proves nothing, even of a turn
// whose begin was not heard, and in which nothing was certain.
func TestTurns_WhatIsToldDuringALookCountsInUnknownTurnsToo(t *testing.T) {
	for name, e := range map[string]wire.Event{
		"a later answer begins": {Type: "message.updated", Properties: json.RawMessage(`{"info":{"id":"msg_3","sessionID":"ses_1","role":"assistant"}}`)},
		"its call fails":        {Type: "message.part.updated", Properties: json.RawMessage(`{"part":{"type":"tool","sessionID":"ses_1","messageID":"msg_2","callID":"call_1","state":{"status":"error"}}}`)},
	} {
		for _, before := range [][]wire.Event{nil, waiting[:2]} {
			turns := hear(before)
			mark := turns.Mark()
			turns.Hear(e)
			if turns.Seen(mark, asked); turns.Waits(asked) {
				t.Errorf("%s, %d events before: it certainly waits", name, len(before))
			}
		}
	}
}

// What is told in the first second of a stream need not be all.
func TestTurns_TheBeginningOfAStreamProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := v1.NewTurns(time.Now().Add(time.Second))
		early := turns.Mark()
		for _, e := range waiting {
			turns.Hear(e)
		}
		time.Sleep(time.Second)
		if turns.Seen(early, asked); turns.Waits(asked) {
			t.Error("an ask certainly waits, of which only the first second tells")
		}
		if turns.Seen(turns.Mark(), asked); !turns.Waits(asked) {
			t.Error("a look after the first second proves nothing")
		}
	})
}
