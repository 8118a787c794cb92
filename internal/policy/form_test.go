package policy_test

import (
	"testing"

	"hermes/internal/fields"
	"hermes/internal/policy"
	"hermes/internal/question"
)

func order() policy.Ask {
	one, nine := 1.0, 9.0
	a := asking(
		question.FieldItem("size", "Size", "", fields.Field{Kind: fields.String, Required: true}, []question.Option{{ID: "S", Label: "Small"}, {ID: "M", Label: "Medium"}}, false),
		question.FieldItem("n", "How many", "", fields.Field{Kind: fields.Integer, Required: true, Min: &one, Max: &nine}, nil, false),
		question.FieldItem("gift", "Gift", "", fields.Field{Kind: fields.Boolean, When: []fields.When{{Key: "size", Value: "M"}}}, nil, false),
	)
	a.Request.Form = &question.Form{Server: "elicitor"}
	return a
}

func login() policy.Ask {
	a := asking(question.FieldItem("url", "Sign in", "", fields.Field{Kind: fields.External, URL: "https://example.org"}, nil, false))
	a.Request.Form = &question.Form{Server: "elicitor"}
	return a
}

func answers(list ...policy.PresetAnswer) policy.AutoDecision {
	return policy.AutoDecision{Decide: policy.Auto, Answers: list, Fallback: policy.AcceptFirst}
}

// A rule that answers questions leaves a form to people, unless it names what it asks for, and answers all of it.
func TestRule_DecisionOnForms(t *testing.T) {
	small := policy.PresetAnswer{Header: "size", Answer: presets("small")}
	medium := policy.PresetAnswer{Header: "size", Answer: presets("M")}
	two := policy.PresetAnswer{Header: "how many", Answer: presets("2")}
	gift := policy.PresetAnswer{Header: "gift", Answer: presets("yes")}
	for _, c := range []struct {
		name string
		rule policy.AutoDecision
		ask  policy.Ask
		want string
	}{
		{"the first choices", policy.AutoDecision{Decide: policy.AcceptFirst, Recommended: true}, order(), "people"},
		{"one text for all", answers(policy.PresetAnswer{Answer: presets("S")}), order(), "people"},
		{"by number alone", answers(policy.PresetAnswer{Number: 1, Answer: presets("S")}, policy.PresetAnswer{Number: 2, Answer: presets("2")}), order(), "people"},
		{"every field that is asked", answers(small, two, gift), order(), "S | 2 | "},
		{"a condition that is met", answers(medium, two, gift), order(), "M | 2 | true"},
		{"one that can be skipped is", answers(medium, two), order(), "M | 2 | "},
		{"one field is missing", answers(small), order(), "people"},
		{"a text for a number", answers(small, policy.PresetAnswer{Header: "how many", Answer: presets("two")}), order(), "people"},
		{"a number beyond the bounds", answers(small, policy.PresetAnswer{Header: "how many", Answer: presets("12")}), order(), "people"},
		{"no such option", answers(policy.PresetAnswer{Header: "size", Answer: presets("Large")}, two), order(), "people"},
		{"an address is opened by people", answers(policy.PresetAnswer{Header: "sign in", Answer: presets("true")}), login(), "people"},
		{"a rule that rejects declines it", policy.AutoDecision{Decide: policy.Reject}, login(), "reject"},
		{"a rule for people", policy.AutoDecision{Decide: policy.Forward}, order(), "people"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decided(policy.Rule{Name: "r", AutoDecision: c.rule}, c.ask); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// presets are plain texts of a rule's answer.
func presets(texts ...string) (list []policy.PresetText) {
	for _, text := range texts {
		list = append(list, policy.PresetText{Text: text})
	}
	return list
}
