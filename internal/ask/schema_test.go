package ask

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hermes/internal/question"
)

// schema is as much of JSON Schema as the tool's schemas use.
type schema struct {
	Type        any               `json:"type"` // text, or a list of texts
	Closed      *bool             `json:"additionalProperties"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	Items       *schema           `json:"items"`
	Enum        []any             `json:"enum"`
	Ref         string            `json:"$ref"`
	Defs        map[string]schema `json:"$defs"`
	Description string            `json:"description"`
}

func readSchema(t *testing.T, text string) schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// example has every field that the schema has, or those that it requires.
func (s schema) example(name string, whole bool) any {
	switch s.Type {
	case "object":
		fields := map[string]any{}
		for name, p := range s.Properties {
			if whole || slices.Contains(s.Required, name) {
				fields[name] = p.example(name, whole)
			}
		}
		return fields
	case "array":
		return []any{s.Items.example(name, whole)}
	case "boolean":
		return true
	case "string":
		return name
	}
	return "5m"
}

func parseExample(t *testing.T, example any) error {
	t.Helper()
	body, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse(body)
	return err
}

// The schema promises what Parse takes: every field, none that it does not know, and
// required are those without which it refuses.
func TestTool_InputIsWhatParseTakes(t *testing.T) {
	s := readSchema(t, string(toolInput))
	if err := parseExample(t, s.example("", true)); err != nil {
		t.Errorf("every field at once: %v", err)
	}
	item := s.Properties["questions"].Items
	for name, part := range map[string]*schema{"": &s, "questions[0]": item, "questions[0].options[0]": item.Properties["options"].Items} {
		if part.Closed == nil || *part.Closed {
			t.Errorf("%q takes fields that nobody knows", name)
		}
		for field, p := range part.Properties {
			if p.Description == "" {
				t.Errorf("%s.%s has no description", name, field)
			}
			whole := s.example("", true)
			delete(inside(whole, name), field)
			var fault *Fault
			missing := errors.As(parseExample(t, whole), &fault) && strings.HasSuffix(fault.Path, field)
			if missing != slices.Contains(part.Required, field) {
				t.Errorf("%s.%s: required by Parse is %v, which the schema does not say", name, field, missing)
			}
		}
	}
}

// inside is the object at one of the three paths of an example.
func inside(example any, path string) map[string]any {
	at := example.(map[string]any)
	for _, step := range []string{"questions", "options"} {
		if strings.Contains(path, step) {
			at = at[step].([]any)[0].(map[string]any)
		}
	}
	return at
}

// The tool's result is a Result that has ended.
func TestTool_OutputIsAResult(t *testing.T) {
	s := readSchema(t, string(toolOutput))
	result := tags(reflect.TypeFor[Result]())
	delete(result, "deadline")
	delete(result, "note") // of permissions, which the tool does not ask
	for name, pair := range map[string][2]any{
		"result":       {s.Properties, result},
		"answers":      {s.Properties["answers"].Items.Properties, tags(reflect.TypeFor[Answer]())},
		"cancelled_by": {s.Properties["cancelled_by"].Properties, tags(reflect.TypeFor[Cancellation]())},
		"by":           {s.Defs["by"].Properties, tags(reflect.TypeFor[By]())},
	} {
		has, want := slices.Sorted(maps.Keys(pair[0].(map[string]schema))), slices.Sorted(maps.Keys(pair[1].(map[string]bool)))
		if !slices.Equal(has, want) {
			t.Errorf("%s has %v, want %v", name, has, want)
		}
	}
	for _, kind := range []question.ActorKind{question.Person, question.RuleActor, question.Caller, question.Deadline} { // who can end a program's ask
		if !strings.Contains(s.Defs["by"].Properties["kind"].Description, string(kind)) {
			t.Errorf("by.kind is described without %q", kind)
		}
	}
	if want := []any{string(Answered), string(Cancelled), string(Aborted)}; !reflect.DeepEqual(s.Properties["status"].Enum, want) {
		t.Errorf("the status is one of %v, want %v", s.Properties["status"].Enum, want)
	}
}

// tags are the names of a struct's fields in JSON.
func tags(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	for n := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(n).Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}
