package api

import "hermes/internal/fields"

// Field is what a field of a form takes. Answers hold its values as text; an option's value is its id.
type Field struct {
	Type     fields.Kind   `json:"type"`
	Required bool          `json:"required,omitempty"`
	Format   fields.Format `json:"format,omitempty"`
	Pattern  string        `json:"pattern,omitempty"`
	Min      *float64      `json:"min,omitempty"` // of a number its value, of a text its length, of a multiselect how many
	Max      *float64      `json:"max,omitempty"`
	Default  []string      `json:"default,omitempty"`
	URL      string        `json:"url,omitempty"`
	When     []When        `json:"when,omitempty"` // it is asked if all of these are met
}

// When is a condition on an earlier field.
type When struct {
	Key   string `json:"question_id"`
	Op    string `json:"op"` // eq or neq
	Value string `json:"value"`
}

const (
	opEqual    = "eq"
	opNotEqual = "neq"
)

func fieldOf(f fields.Field) *Field {
	a := &Field{Type: f.Kind, Required: f.Required, Format: f.Format, Pattern: f.Pattern, Min: f.Min, Max: f.Max, Default: f.Default, URL: f.URL}
	for _, c := range f.When {
		op := opEqual
		if c.Not {
			op = opNotEqual
		}
		a.When = append(a.When, When{c.Key, op, c.Value})
	}
	return a
}

// Domain is the field as the domain has it; nil if there is none.
func (f *Field) Domain() *fields.Field {
	if f == nil {
		return nil
	}
	d := &fields.Field{Kind: f.Type, Required: f.Required, Format: f.Format, Pattern: f.Pattern, Min: f.Min, Max: f.Max, Default: f.Default, URL: f.URL}
	for _, c := range f.When {
		d.When = append(d.When, fields.When{Key: c.Key, Not: c.Op == opNotEqual, Value: c.Value})
	}
	return d
}
