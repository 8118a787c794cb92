package api_test

import (
	"slices"

	"hermes/internal/api"
	"hermes/internal/ask"
	asked "hermes/internal/question"
	"hermes/internal/standby"
	"hermes/opencode/link"
)

// Bodies that no type of the program has: it reads them field by field.
type (
	askBody    struct{}
	answerBody struct{}
	eventsBody struct{}
	sentence   struct {
		Error string `json:"error"` // a sentence
	}
)

func list(of any) object { return object{"type": "array", "items": of} }

func described(text string, schema object) object {
	schema["description"] = text
	return schema
}

func closedObject(required []string, properties object) object {
	return object{"type": "object", "additionalProperties": false, "required": required, "properties": properties}
}

// nullable may be null, which is as if it were not there.
func nullable(properties object) object {
	for _, p := range properties {
		if p, ok := p.(object); ok {
			if kind, ok := p["type"].(string); ok {
				p["type"] = []string{kind, "null"}
			}
		}
	}
	return properties
}

func askBodySchema() object {
	option := closedObject([]string{"id", "label"}, nullable(object{
		"description": described("what choosing it means", object{"type": "string"}),
		"cancels":     described("choosing it ends the whole ask at once, as cancelled; so do the ids cancel and skip", object{"type": "boolean"}),
		"default":     described("it is taken when nobody answers in time", object{"type": "boolean"}),
	}))
	option["properties"].(object)["id"] = described("what the result says of it; another one for each option of a question", object{"type": "string", "minLength": 1})
	option["properties"].(object)["label"] = described("what the person taps; another one for each option of a question", object{"type": "string", "minLength": 1})
	item := closedObject([]string{"question_id", "question"}, nullable(object{
		"header": described("stands above the question", object{"type": "string"}), "options": list(option),
		"allow_multiple": described("several options may be chosen", object{"type": "boolean"}),
		"allow_text":     described("other answers may be typed; without options it must be true", object{"type": "boolean"}),
	}))
	item["properties"].(object)["question_id"] = described("names it in the result; another one for each question", object{"type": "string", "minLength": 1})
	item["properties"].(object)["question"] = object{"type": "string", "minLength": 1}
	chat := object{"anyOf": []any{object{"type": "integer"}, object{"type": "string", "pattern": `^[-+]?[0-9]+(/[0-9]+)?$`}}}
	ttl := object{"anyOf": []any{object{"type": "string", "pattern": durationForm}, object{"type": "number", "minimum": 0, "maximum": 31536000}, object{"type": "null"}}}
	body := closedObject([]string{}, nullable(object{
		"questions": described("at least one, unless there is a permission", list(item)),
		"title":     described("what the questions belong to", object{"type": "string"}),
		"directory": described("the folder that it is about, of 4096 bytes at most", object{"type": "string"}),
		"context":   described("text that is shown with the questions; not with a permission", object{"type": "string"}),
		"chats":     described("the chats that get it, of those that hermes asks in: ids, or id/topic", list(chat)),

		"on_timeout":      described("what happens when nobody answers in time; a permission is never allowed so", object{"type": "string", "enum": append(words(asked.Expiries()), "", nil)}),
		"idempotency_key": described("the same key is the same ask", object{"type": "string", "minLength": 1, "maxLength": 200}),
	}))
	body["properties"].(object)["ttl"] = described("how long it waits: a duration such as 5m, or seconds; 0 waits for ever, and a year is the most", ttl)
	body["properties"].(object)["permission"] = object{"anyOf": []any{permissionSchema(), object{"type": "null"}}}
	body["anyOf"] = []any{
		object{"required": []string{"questions"}, "properties": object{"questions": object{"type": "array", "minItems": 1}}},
		object{"required": []string{"permission"}, "properties": object{"permission": object{"type": "object"}}},
	}
	return body
}

func permissionSchema() object {
	s := closedObject([]string{"kind"}, nullable(object{
		"command":  described("the whole command; required for bash, and where there are no patterns", object{"type": "string"}),
		"patterns": described("what rules hold their patterns against", list(object{"type": "string", "minLength": 1})),
		"diff":     described("what changes, in one piece", object{"type": "string"}),
		"details":  described("all else that people should see", object{"type": "object", "additionalProperties": object{"type": "string"}}),
	}))
	s["properties"].(object)["kind"] = described("what rules call it, best in OpenCode's words", object{"type": "string", "pattern": "^[A-Za-z0-9._:/-]{1,64}$"})
	return described("one question, in place of questions: may this be done?", s)
}

func answerBodySchema() object {
	value := []any{object{"type": "string"}, object{"type": "number"}, object{"type": "boolean"}, object{"type": "null"}}
	one := object{"anyOf": append(slices.Clone(value), list(object{"type": []string{"string", "number", "boolean"}}))}
	s := closedObject([]string{}, object{
		"answers": described("one a question: a list of labels and other texts. A field of a form takes a JSON value, too, or a list of such", object{"type": []string{"array", "null"}, "items": one}),
		"reject":  object{"type": []string{"boolean", "null"}},
		"note":    described("with a rejected permission: what the agent is told", object{"type": []string{"string", "null"}}),
	})
	s["anyOf"] = []any{
		object{"required": []string{"answers"}, "properties": object{"answers": object{"type": "array"}, "reject": object{"enum": []any{false, nil}}}},
		object{"required": []string{"reject"}, "properties": object{"answers": object{"type": "null"}, "reject": object{"const": true}}},
	}
	return s
}

func eventsBodySchema() object {
	event := object{"type": "object", "additionalProperties": true, "required": []string{"type"}, "properties": object{"type": object{"type": "string", "minLength": 1}}}
	return object{"type": "object", "properties": object{"events": described("as OpenCode told them, and some of the plugin's own", object{"type": []string{"array", "null"}, "items": event})}}
}

// required are the fields of bodies that a caller must give; of what hermes says, all fields without omitempty are there.
func required() map[string][]string {
	return map[string][]string{
		"Invite":     {},
		"NewLink":    {"name"},
		"LinkOwner":  {},
		"LinkHello":  {"protocol", "instance", "process"},
		"LinkResult": {"id"},
	}
}

// openBodies are read without regard to fields that they do not know: a plugin may be newer than hermes.
func openBodies() []string { return []string{"LinkHello", "LinkResult", "LinkEvents"} }

// componentNames are those of types whose own name says too little.
func componentNames() map[any]string {
	return map[any]string{
		typeOf[askBody]():          "AskBody",
		typeOf[answerBody]():       "AnswerBody",
		typeOf[eventsBody]():       "LinkEvents",
		typeOf[sentence]():         "Error",
		typeOf[standby.Reply]():    "Standby",
		typeOf[ask.Result]():       "AskResult",
		typeOf[ask.Answer]():       "AskAnswer",
		typeOf[ask.By]():           "AskBy",
		typeOf[ask.Cancellation](): "AskCancellation",
		typeOf[link.Hello]():       "LinkHello",
		typeOf[link.Result]():      "LinkResult",
		typeOf[link.Opened]():      "LinkOpened",
		typeOf[link.Handed]():      "LinkPoll",
		typeOf[link.Call]():        "LinkCall",
		typeOf[api.Link]():         "OpenLink",
		typeOf[api.Entry]():        "JournalEntry",
		typeOf[api.Item]():         "QuestionItem",
		typeOf[api.Option]():       "QuestionOption",
	}
}
