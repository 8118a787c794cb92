package v2_test

import (
	"encoding/json"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/call"
	v2 "hermes/opencode/v2"
)

var colours = []opencode2sim.Question{
	{Question: "Which color?", Header: "Color", Options: []opencode2sim.Option{{Label: "red", Description: "warm"}, {Label: "blue", Description: "cold"}}},
	{Question: "Which fruits?", Header: "Fruits", Options: []opencode2sim.Option{{Label: "apple"}, {Label: "pear"}}, Multiple: true},
	{Question: "Your name?", Header: "Name", Options: []opencode2sim.Option{}},
}

// A question is listed, answered once, and proven; whoever comes second is told so.
func TestAsk_Question(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		_, callID := s.Ask(proj, "", colours...)
		r := only(t, d.Questions)
		if r.Call != question.CallID(callID) || len(r.Items) != 3 || !r.Items[1].Multiple || !r.Items[2].TakesText() {
			t.Errorf("asked %+v", r)
		}
		if f, err := d.Look(t.Context(), r); f.Kind != event.FoundOpen || err != nil {
			t.Errorf("before: %+v, %v", f, err)
		}
		answers := question.Answers{{"blue"}, {"apple", "a mango\nof my own"}, nil}
		if err := d.Reply(t.Context(), r, answers); err != nil {
			t.Fatal(err)
		}
		got, ok := s.Received(callID)
		if !ok || !question.Answers(got).Equal(answers) {
			t.Errorf("the agent received %q, %v", got, ok)
		}
		if f, err := d.Look(t.Context(), r); f.Kind != event.FoundAnswered || !f.Answers.Equal(answers) || err != nil {
			t.Errorf("after: %+v, %v", f, err)
		}
		for _, err := range []error{d.Reply(t.Context(), r, answers), d.Reject(t.Context(), r, "")} {
			if !call.HasTag(err, "FormAlreadySettledError") {
				t.Errorf("the second time: %v", err)
			}
		}
	})
}

// A permission is decided by the word that the shape knows, and is gone then.
func TestAsk_Permission(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		for _, once := range []bool{true, false} {
			_, callID := s.AskBash(proj, "", "make")
			r := only(t, d.Permissions)
			if p := r.Permission; p == nil || p.Kind != "bash" || p.Patterns[0] != "make" || len(p.Always) == 0 {
				t.Errorf("asked %+v", r)
			}
			decide := func() error { return d.Reject(t.Context(), r, "") }
			if once {
				decide = func() error { return d.Reply(t.Context(), r, question.Answers{{question.Once}}) }
			}
			if err := decide(); err != nil || s.Ran(callID) != once {
				t.Errorf("decided %v, %v; it ran: %v", once, err, s.Ran(callID))
			}
			if f, err := d.Look(t.Context(), r); f.Kind == event.FoundOpen || err != nil {
				t.Errorf("it is %+v, %v", f, err)
			}
			if err := decide(); !call.HasTag(err, "PermissionNotFoundError") {
				t.Errorf("the second time: %v", err)
			}
		}
	})
}

// What an MCP server wants to know gets values of the fields' types, and is proven.
func TestAsk_Elicitation(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		_, reply := s.Elicit(proj, "shop", order())
		r := only(t, d.Questions)
		if r.Form == nil || r.Form.Server != "shop" || r.Context != "Order details" || r.Session != "global" {
			t.Errorf("asked %+v", r)
		}
		answers := question.Answers{{"S"}, {"2"}, {"1.5"}, {"true"}, {"a"}, {}}
		if err := d.Reply(t.Context(), r, answers); err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal(<-reply)
		if want := `{"action":"accept","content":{"gift":true,"n":2,"size":"S","tags":["a"],"w":1.5}}`; string(got) != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		if f, err := d.Look(t.Context(), r); f.Kind != event.FoundAnswered || !f.Answers.Equal(answers) || err != nil {
			t.Errorf("after: %+v, %v", f, err)
		}
	})
}

// order is the form of capture 12, and a field that is asked under a condition.
func order() opencode2sim.Elicited {
	return opencode2sim.Elicited{Message: "Order details", Fields: []map[string]any{
		{"key": "size", "title": "Size", "required": true, "type": "string", "custom": false, "options": []any{
			map[string]any{"value": "S", "label": "Small"}, map[string]any{"value": "M", "label": "Medium"},
		}},
		{"key": "n", "title": "How many", "required": true, "type": "integer", "minimum": 1, "maximum": 9},
		{"key": "w", "title": "w", "type": "number"},
		{"key": "gift", "title": "Gift?", "type": "boolean", "default": false},
		{"key": "tags", "title": "tags", "type": "multiselect", "custom": false, "options": []any{map[string]any{"value": "a", "label": "a"}}},
		{"key": "why", "type": "string", "required": true, "when": []any{map[string]any{"key": "gift", "op": "eq", "value": false}}},
	}}
}

// An address is opened, or declined.
func TestAsk_ElicitedAddress(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		for want, c := range map[string]func(question.Request) error{
			`{"action":"accept"}`: func(r question.Request) error { return d.Reply(t.Context(), r, question.Answers{{"true"}}) },
			`{"action":"cancel"}`: func(r question.Request) error { return d.Reject(t.Context(), r, "") },
		} {
			_, reply := s.Elicit(proj, "shop", opencode2sim.Elicited{Message: "Please sign in", URL: "https://example.org/login"})
			r := only(t, d.Questions)
			if r.Items[0].Field.URL != "https://example.org/login" {
				t.Errorf("asked %+v", r)
			}
			if err := c(r); err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(<-reply); string(got) != want {
				t.Errorf("the server got %s, want %s", got, want)
			}
		}
	})
}
