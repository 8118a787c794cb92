package ask

import (
	"encoding/json"
	"slices"
	"strings"

	"hermes/question"
)

// Parse reads an ask, which has no id yet. Its error is a *Fault. Labels must differ
// within a question: people see labels, and an answer is kept as one.
func Parse(body []byte) (question.Ask, error) {
	var a question.Ask
	var list []json.RawMessage
	err := take("", body, map[string]any{"questions": &list, "title": &a.Place.Title})
	if err != nil {
		return question.Ask{}, err
	}
	if len(list) == 0 {
		return question.Ask{}, &Fault{"questions", "needs at least one"}
	}
	for n, raw := range list {
		at := entry("questions", n)
		item, err := parseItem(at, raw)
		if err != nil {
			return question.Ask{}, err
		}
		if slices.ContainsFunc(a.Request.Items, func(i question.Item) bool { return i.ID == item.ID }) {
			return question.Ask{}, &Fault{at + ".question_id", "is another question's already"}
		}
		a.Request.Items = append(a.Request.Items, item)
	}
	return a, nil
}

func parseItem(at string, raw json.RawMessage) (question.Item, error) {
	item := question.Item{Options: []question.Option{}}
	var list []json.RawMessage
	err := take(at, raw, map[string]any{
		"question_id": &item.ID, "question": &item.Text, "header": &item.Header, "options": &list,
		"allow_multiple": &item.Multiple, "allow_text": &item.Custom,
	})
	switch {
	case err != nil:
		return item, err
	case item.ID == "":
		return item, &Fault{at + ".question_id", "is missing"}
	case blank(item.Text):
		return item, &Fault{at + ".question", "is missing"}
	case len(list) == 0 && !item.Custom:
		return item, &Fault{at + ".options", `nothing could be answered: give options, or "allow_text": true`}
	}
	for n, raw := range list {
		option, err := parseOption(entry(at+".options", n), raw, item.Options)
		if err != nil {
			return item, err
		}
		item.Options = append(item.Options, option)
	}
	return item, nil
}

// parseOption reads an option that comes after others.
func parseOption(at string, raw json.RawMessage, others []question.Option) (question.Option, error) {
	var o question.Option
	err := take(at, raw, map[string]any{
		"id": &o.ID, "label": &o.Label, "description": &o.Description, "cancels": &o.Cancels,
	})
	switch {
	case err != nil:
		return o, err
	case o.ID == "":
		return o, &Fault{at + ".id", "is missing"}
	case blank(o.Label):
		return o, &Fault{at + ".label", "is missing"}
	case slices.ContainsFunc(others, func(other question.Option) bool { return other.ID == o.ID }):
		return o, &Fault{at + ".id", "is another option's already"}
	case slices.ContainsFunc(others, func(other question.Option) bool { return other.Label == o.Label }):
		return o, &Fault{at + ".label", "is another option's already, so people could not tell them apart"}
	}
	o.Cancels = o.Cancels || o.ID == "cancel" || o.ID == "skip"
	return o, nil
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
