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

// What a model reads of the tool. The schemas are those of Parse and Result; a field of
// Parse that is not here is refused.

const toolInstructions = `ask_user reaches a person on their phone. Use it for decisions that are theirs, and when you would otherwise guess.`

const toolDescription = `Ask a person one or more questions on their phone, and wait for the answer. It can take minutes or hours.

Use it when you cannot go on without a decision that is not yours to make: several reasonable ways, missing facts, or something that is hard to undo. Do not use it for what you can find out yourself, or only to report. Ask everything you need now in one call, as separate questions.

The person sees only what you send, on a small screen: say in "question" or "context" all they must know, in plain text. Give options where you can (2 to 6, with short labels; the consequence belongs into "description"), and "allow_text" if another answer would help you.

The result has a "status": "answered", with the ids of the chosen options and any text that was typed, for each question; "cancelled", when an option that cancels was chosen; "aborted", when the person dismissed the questions. After "cancelled" and "aborted" do not go on as if there were an answer. An error says that nobody was asked, or that nobody answered in time: nothing was decided then.`

const toolInput = `{
  "type": "object",
  "additionalProperties": false,
  "required": ["questions"],
  "properties": {
    "questions": {
      "type": "array", "minItems": 1,
      "description": "The questions, in the order in which they are asked.",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["question_id", "question"],
        "properties": {
          "question_id": {"type": "string", "minLength": 1, "description": "Names this question in the result; different for every question, such as \"database\"."},
          "question": {"type": "string", "minLength": 1, "description": "The whole question, as the person reads it. Plain text."},
          "header": {"type": "string", "description": "A word or two that stand above the question, such as \"Database\"."},
          "options": {
            "type": "array",
            "description": "The choices. Without any, allow_text must be true.",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["id", "label"],
              "properties": {
                "id": {"type": "string", "minLength": 1, "description": "What the result says when this is chosen; different for every option of the question. The ids \"cancel\" and \"skip\" cancel everything that is asked."},
                "label": {"type": "string", "minLength": 1, "description": "What the person taps, 1 to 5 words; different for every option of the question."},
                "description": {"type": "string", "description": "What choosing this means, in a sentence."},
                "cancels": {"type": "boolean", "default": false, "description": "Choosing this ends everything that is asked at once, also in the middle; the status is \"cancelled\" then."}
              }
            }
          },
          "allow_multiple": {"type": "boolean", "default": false, "description": "Several options may be chosen."},
          "allow_text": {"type": "boolean", "default": false, "description": "The person may type an answer that is none of the options."}
        }
      }
    },
    "title": {"type": "string", "description": "What the questions belong to, such as the project and the task: \"shop-api: fix checkout\"."},
    "context": {"type": "string", "description": "What the person must know to decide, and cannot see from the questions. Plain text."},
    "ttl": {"type": ["string", "number"], "description": "How long to wait, counted from when the person can see it: \"30m\", \"2h\", or a number of seconds; 0 waits for ever. Leave it out unless you were told a time."}
  }
}`

const toolOutput = `{
  "type": "object",
  "required": ["status", "answers"],
  "properties": {
    "status": {"type": "string", "enum": ["answered", "cancelled", "aborted"]},
    "answers": {
      "type": "array",
      "description": "One for each question, in their order; none unless the status is answered.",
      "items": {
        "type": "object",
        "required": ["question_id", "selected_option_ids"],
        "properties": {
          "question_id": {"type": "string"},
          "selected_option_ids": {"type": "array", "items": {"type": "string"}},
          "text": {"type": "string", "description": "What was typed."}
        }
      }
    },
    "answered_by": {"$ref": "#/$defs/by"},
    "aborted_by": {"$ref": "#/$defs/by"},
    "cancelled_by": {
      "type": "object",
      "required": ["question_id", "option_id"],
      "properties": {"question_id": {"type": "string"}, "option_id": {"type": "string"}}
    }
  },
  "$defs": {
    "by": {
      "type": "object",
      "required": ["kind"],
      "properties": {
        "kind": {"type": "string", "description": "person, rule (the owner's), api (a program), or deadline."},
        "name": {"type": "string"},
        "user": {"type": "integer"}
      }
    }
  }
}`
