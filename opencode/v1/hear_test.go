package v1_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"hermes/internal/event"
	v1 "hermes/opencode/v1"
	"hermes/opencode/wire"
)

// kinds are the kinds of the events, for what a session says.
func kinds(list []event.Event) (found []event.Kind) {
	for _, e := range list {
		found = append(found, e.Kind)
	}
	return found
}

func TestProtocol_HearsStates(t *testing.T) {
	for properties, want := range map[string][]event.Kind{
		`session.idle {"sessionID":"ses_1"}`:                                                         {event.Touched, event.Rested},
		`session.status {"sessionID":"ses_1","status":{"type":"idle"}}`:                              {event.Touched, event.Rested},
		`session.status {"sessionID":"ses_1","status":{"type":"busy"}}`:                              {event.Worked},
		`session.status {"sessionID":"ses_1","status":{"type":"retry","message":"later"}}`:           {event.Worked, event.Retried},
		`session.status {"sessionID":"ses_1","status":{"type":"new"}}`:                               nil,
		`session.status {"status":{"type":"busy"}}`:                                                  nil,
		`session.error {"error":{"name":"E","data":{"message":"why\nstack"}}}`:                       {event.Touched},
		`session.error {"sessionID":"ses_1","error":{"name":"E","data":{"message":"why\n at x:1"}}}`: {event.Touched, event.Failed},
		`session.error {"sessionID":"ses_1","error":{"name":"MessageAbortedError"}}`:                 {event.Touched},
		`session.deleted {"info":{"id":"ses_1"}}`:                                                    {event.Finished},
	} {
		e := eventOf(properties)
		said, known := new(v1.Driver).Hear(e)
		if got := kinds(said); !known || !reflect.DeepEqual(got, want) {
			t.Errorf("%s says %q, want %q", properties, got, want)
		}
		for _, one := range said {
			if one.Session != "ses_1" && one.Kind != event.Touched || one.Kind == event.Failed && one.Text != "why" {
				t.Errorf("%s says %+v", properties, one)
			}
		}
	}
}

// Events of others, and what OpenCode says to its own clients, are not known.
func TestProtocol_HearsNoOther(t *testing.T) {
	for _, line := range []string{`question.v2.asked {"id":"que_1"}`, `session.next.tool.failed {}`, `message.part.delta {}`, `{}`} {
		if said, known := new(v1.Driver).Hear(eventOf(line)); known {
			t.Errorf("%s says %+v", line, said)
		}
	}
	if said, known := new(v1.Driver).Hear(eventOf(`question.asked []`)); !known || said != nil {
		t.Errorf("an ask that is none says %+v", said)
	}
}

// eventOf is a line of a type and properties.
func eventOf(line string) wire.Event {
	for n := range line {
		if line[n] == ' ' {
			return wire.Event{Type: line[:n], Properties: json.RawMessage(line[n+1:])}
		}
	}
	return wire.Event{Type: line}
}
