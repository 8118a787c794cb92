package v1_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"hermes/internal/question"
	"hermes/opencode/v1"
	"hermes/opencode/wire"
)

// kinds are the kinds of the events, for what a session says.
func kinds(list []question.Event) (found []question.EventKind) {
	for _, e := range list {
		found = append(found, e.Kind)
	}
	return found
}

func TestProtocol_HearsStates(t *testing.T) {
	for properties, want := range map[string][]question.EventKind{
		`session.idle {"sessionID":"ses_1"}`:                                                         {question.Touched, question.Rested},
		`session.status {"sessionID":"ses_1","status":{"type":"idle"}}`:                              {question.Touched, question.Rested},
		`session.status {"sessionID":"ses_1","status":{"type":"busy"}}`:                              {question.Worked},
		`session.status {"sessionID":"ses_1","status":{"type":"retry","message":"later"}}`:           {question.Worked, question.Retried},
		`session.status {"sessionID":"ses_1","status":{"type":"new"}}`:                               nil,
		`session.status {"status":{"type":"busy"}}`:                                                  nil,
		`session.error {"error":{"name":"E","data":{"message":"why\nstack"}}}`:                       {question.Touched},
		`session.error {"sessionID":"ses_1","error":{"name":"E","data":{"message":"why\n at x:1"}}}`: {question.Touched, question.Failed},
		`session.error {"sessionID":"ses_1","error":{"name":"MessageAbortedError"}}`:                 {question.Touched},
		`session.deleted {"info":{"id":"ses_1"}}`:                                                    {question.Finished},
	} {
		e := event(properties)
		said, known := v1.Protocol{}.Hear(e)
		if got := kinds(said); !known || !reflect.DeepEqual(got, want) {
			t.Errorf("%s says %q, want %q", properties, got, want)
		}
		for _, one := range said {
			if one.Session != "ses_1" && one.Kind != question.Touched || one.Kind == question.Failed && one.Text != "why" {
				t.Errorf("%s says %+v", properties, one)
			}
		}
	}
}

// Events of others, and what OpenCode says to its own clients, are not known.
func TestProtocol_HearsNoOther(t *testing.T) {
	for _, line := range []string{`question.v2.asked {"id":"que_1"}`, `session.next.tool.failed {}`, `message.part.delta {}`, `{}`} {
		if said, known := (v1.Protocol{}).Hear(event(line)); known {
			t.Errorf("%s says %+v", line, said)
		}
	}
	if said, known := (v1.Protocol{}).Hear(event(`question.asked []`)); !known || said != nil {
		t.Errorf("an ask that is none says %+v", said)
	}
}

// event is a line of a type and properties.
func event(line string) wire.Event {
	for n := range line {
		if line[n] == ' ' {
			return wire.Event{Type: line[:n], Properties: json.RawMessage(line[n+1:])}
		}
	}
	return wire.Event{Type: line}
}
