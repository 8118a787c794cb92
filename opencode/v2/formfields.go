package v2

import (
	"bytes"
	"encoding/json"

	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Elicitation is a form that is no question of an agent, in the domain's form: what an MCP server wants to know, or what any
// other client made. What an MCP server says of it stands before its fields, as the context.
func (f Form) Elicitation(p session.Protocol) question.Request {
	r := question.Request{
		ID: question.RequestID(f.ID), Protocol: p, Session: session.ID(f.SessionID), Context: f.Metadata.Message,
		Message: session.MessageID(f.Metadata.Tool.MessageID), Call: f.Metadata.Tool.call(),
		Form:  &question.Form{Title: f.Title, Kind: f.Metadata.Kind, Server: f.Metadata.Server},
		Items: make([]question.Item, 0, len(f.Fields)),
	}
	for _, field := range f.Fields {
		r.Items = append(r.Items, field.formItem())
	}
	return r
}

// kind is the type of a field in the domain's words. Any other is unknown to it.
func (t FieldType) kind() fields.Kind {
	switch t {
	case String:
		return fields.String
	case Number:
		return fields.Number
	case Integer:
		return fields.Integer
	case Boolean:
		return fields.Boolean
	case Multiselect:
		return fields.Multiselect
	case External:
		return fields.External
	}
	return fields.Unknown
}

// formItem is a field of a form. A list of options is closed unless it says otherwise; one of a question is not.
func (f Field) formItem() question.Item {
	d := fields.Field{
		Kind: f.Type.kind(), Required: f.Required, Format: fields.Format(f.Format), Pattern: f.Pattern, Default: valuesOf(f.Default), URL: f.URL,
	}
	d.Min, d.Max = f.bounds()
	for _, c := range f.When {
		value := valuesOf(c.Value)
		if len(value) != 1 || c.Op != "eq" && c.Op != "neq" {
			d.Kind = fields.Unknown // nobody here can tell when it is asked
			continue
		}
		d.When = append(d.When, fields.When{Key: c.Key, Not: c.Op == "neq", Value: value[0]})
	}
	var options []question.Option
	for _, o := range f.Options {
		options = append(options, question.Option{ID: o.Value, Label: o.Label, Description: o.Description})
	}
	return question.FieldItem(f.Key, f.Title, f.Description, d, options, f.Custom != nil && *f.Custom)
}

// bounds are the least and the most of what the field's type measures.
func (f Field) bounds() (least, most *float64) {
	switch f.Type {
	case String:
		return whole(f.MinLength), whole(f.MaxLength)
	case Number, Integer:
		return f.Minimum.float(), f.Maximum.float()
	case Multiselect:
		return whole(f.MinItems), whole(f.MaxItems)
	}
	return nil, nil
}

func whole(n *int) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

func (b *Bound) float() *float64 {
	if b == nil {
		return nil
	}
	f, err := b.Number.Float64()
	if err != nil {
		return nil
	}
	return &f
}

// valuesOf is a JSON value as answers hold it; nil for none.
func valuesOf(raw json.RawMessage) []string {
	var value any
	if len(bytes.TrimSpace(raw)) == 0 || json.Unmarshal(raw, &value) != nil {
		return nil
	}
	for _, kind := range []fields.Kind{fields.String, fields.Number, fields.Boolean, fields.Multiselect} {
		item := question.FieldItem("k", "", "", fields.Field{Kind: kind}, nil, true)
		if texts := question.AnswersOf(question.Request{Items: []question.Item{item}}, map[string]any{"k": value}); len(texts[0]) > 0 {
			return texts[0]
		}
	}
	return nil
}

// filledIn are the answers to a form that somebody filled in.
func (a answer) filledIn(r question.Request) question.Answers {
	values := map[string]any{}
	for key, raw := range a {
		var value any
		if json.Unmarshal(raw, &value) == nil {
			values[key] = value
		}
	}
	return question.AnswersOf(r, values)
}
