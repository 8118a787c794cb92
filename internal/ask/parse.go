package ask

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
)

// Parse reads an ask, which has an id only if it has an idempotency key. Its error is
// a *Fault. Labels must differ within a question: people see labels, and an answer is
// kept as one. Whether hermes may use the chats is for others to say.
func Parse(body []byte) (event.Ask, error) {
	var a event.Ask
	var list []json.RawMessage
	var permission json.RawMessage
	var t termFields
	err := decodeObject("", body, map[string]any{
		"questions": &list, "permission": &permission, "title": &a.Place.Title, "directory": &a.Directory,
		"context": &a.Request.Context, "ttl": &t.ttl,
		"on_timeout": &t.onTimeout, "chats": &t.chats, "idempotency_key": &t.key,
	})
	if err == nil {
		a.Request.Permission, err = parsePermission(permission)
	}
	if err == nil && a.Request.Permission == nil {
		a.Request.Items, err = parseItems(list)
	}
	if err == nil && len(a.Directory) > longestDirectory {
		err = &Fault{"directory", "must have at most 4096 bytes"}
	}
	if err == nil {
		a.Terms, err = t.parse(defaultAt(a.Request.Items) != "")
	}
	if err == nil {
		err = checkPermission(a, list)
	}
	if err == nil {
		err = t.applyKey(&a.Request, body)
	}
	if err != nil {
		return event.Ask{}, err
	}
	if at := defaultAt(a.Request.Items); at != "" && a.Terms.OnExpiry != question.ExpireAccept {
		return event.Ask{}, &Fault{at, fmt.Sprintf("has no effect unless on_timeout is %q", question.ExpireAccept)}
	}
	return a, nil
}

// longestDirectory is the longest path that systems take, in bytes.
const longestDirectory = 4096

func parseItems(list []json.RawMessage) ([]question.Item, error) {
	if len(list) == 0 {
		return nil, &Fault{"questions", "needs at least one"}
	}
	var items []question.Item
	for n, raw := range list {
		at := indexPath("questions", n)
		item, err := parseItem(at, raw)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(items, func(i question.Item) bool { return i.ID == item.ID }) {
			return nil, &Fault{at + ".question_id", "is another question's already"}
		}
		items = append(items, item)
	}
	return items, nil
}

// defaultAt is the path of the first option that is marked as a default; empty: none is.
func defaultAt(items []question.Item) string {
	for n, item := range items {
		for m, o := range item.Options {
			if o.Default {
				return indexPath(indexPath("questions", n)+".options", m) + ".default"
			}
		}
	}
	return ""
}

func parseItem(at string, raw json.RawMessage) (question.Item, error) {
	item := question.Item{Options: []question.Option{}}
	var list []json.RawMessage
	err := decodeObject(at, raw, map[string]any{
		"question_id": &item.ID, "question": &item.Text, "header": &item.Header, "options": &list,
		"allow_multiple": &item.Multiple, "allow_text": &item.Custom,
	})
	switch {
	case err != nil:
		return item, err
	case item.ID == "":
		return item, &Fault{at + ".question_id", "is missing"}
	case isBlank(item.Text):
		return item, &Fault{at + ".question", "is missing"}
	case len(list) == 0 && !item.Custom:
		return item, &Fault{at + ".options", `nothing could be answered: give options, or "allow_text": true`}
	}
	for n, raw := range list {
		option, err := parseOption(indexPath(at+".options", n), raw, item.Options)
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
	err := decodeObject(at, raw, map[string]any{
		"id": &o.ID, "label": &o.Label, "description": &o.Description, "cancels": &o.Cancels, "default": &o.Default,
	})
	switch {
	case err != nil:
		return o, err
	case o.ID == "":
		return o, &Fault{at + ".id", "is missing"}
	case isBlank(o.Label):
		return o, &Fault{at + ".label", "is missing"}
	case slices.ContainsFunc(others, func(other question.Option) bool { return other.ID == o.ID }):
		return o, &Fault{at + ".id", "is another option's already"}
	case slices.ContainsFunc(others, func(other question.Option) bool { return other.Label == o.Label }):
		return o, &Fault{at + ".label", "is another option's already, so people could not tell them apart"}
	case o.Default && slices.ContainsFunc(others, func(other question.Option) bool { return other.Default }):
		return o, &Fault{at + ".default", "is another option already"}
	}
	o.Cancels = o.Cancels || o.ID == "cancel" || o.ID == "skip"
	return o, nil
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// Fault says why an ask is not taken.
type Fault struct {
	Path   string // of the fault, like questions[0].options[1].id; empty: the body as a whole
	Reason string
}

func (f *Fault) Error() string {
	if f.Path == "" {
		return f.Reason
	}
	return f.Path + ": " + f.Reason
}

// decodeObject reads the object at a path, each field into the place of its name: a *string,
// **string, *bool, *json.RawMessage, *[]json.RawMessage, *[]string or *map[string]string. A field that has no place is
// a fault, and null is as if it were not there.
func decodeObject(path string, raw json.RawMessage, into map[string]any) error {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || fields == nil {
		return &Fault{path, "must be one JSON object"}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		at := name
		if path != "" {
			at = path + "." + name
		}
		place, ok := into[name]
		if !ok {
			return &Fault{at, "is not a field that hermes knows"}
		}
		if string(fields[name]) == "null" {
			continue
		}
		if json.Unmarshal(fields[name], place) != nil {
			return &Fault{at, "must be " + kindOf(place)}
		}
	}
	return nil
}

func kindOf(place any) string {
	switch place.(type) {
	case *string, **string:
		return "text"
	case *bool:
		return "true or false"
	case *[]string:
		return "a list of texts"
	case *map[string]string:
		return "an object of texts"
	}
	return "a list"
}

func indexPath(list string, n int) string { return fmt.Sprintf("%s[%d]", list, n) }
