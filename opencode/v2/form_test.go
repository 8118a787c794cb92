package v2

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/question"
)

// formsIn are the forms of a captured stream.
func formsIn(t *testing.T, name string) (forms []Form) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Data struct{ Form Form }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		forms = append(forms, e.Data.Form)
	}
	return forms
}

// Every type of field that was seen, of MCP servers and of an API client.
func TestForm_Fields(t *testing.T) {
	no, number := false, func(text string) *Bound { return &Bound{json.Number(text)} }
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	want := []Form{
		{
			SessionID: "global", Title: "elicitor is requesting input", Metadata: Metadata{Kind: KindElicitation, Server: "elicitor", Message: "Order details"},
			Fields: []Field{
				{Key: "size", Title: "Size", Required: true, Type: String, Options: []Option{{Value: "S", Label: "Small"}, {Value: "M", Label: "Medium"}}, Custom: &no},
				{Key: "n", Title: "How many", Required: true, Type: Integer, Minimum: number("1"), Maximum: number("9")},
				{Key: "w", Title: "w", Type: Number},
				{Key: "gift", Title: "Gift?", Type: Boolean, Default: raw("false")},
				{Key: "mail", Title: "mail", Type: String, Format: "email"},
				{Key: "tags", Title: "tags", Type: Multiselect, Options: []Option{{Value: "a", Label: "a"}, {Value: "b", Label: "b"}}, Custom: &no},
			},
		},
		{
			SessionID: "global", Title: "elicitor is requesting input", Metadata: Metadata{Kind: KindElicitation, Server: "elicitor", Message: "Please sign in"},
			Fields: []Field{{Key: "elicitation", Type: External, URL: "https://example.org/login"}},
		},
		{
			SessionID: "ses_dfef1b78cffe7mkxPVFSOG5Lww", Title: "From hermes", Metadata: Metadata{Kind: "hermes"},
			Fields: []Field{
				{Key: "a", Title: "OK?", Type: Boolean},
				{Key: "b", Type: String, When: []When{{Key: "a", Op: "eq", Value: raw("true")}}},
			},
		},
	}
	got := formsIn(t, "forms.jsonl")
	for n := range got {
		got[n].ID = ""
		if got[n].IsQuestion() {
			t.Errorf("%+v is a question", got[n])
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
}

// What else the routes' description (of 2026-07-20) has.
func TestForm_BoundsOfFields(t *testing.T) {
	two, three := 2, 3
	for text, want := range map[string]Field{
		`{"key":"k","type":"string","format":"date-time","minLength":2,"maxLength":3,"pattern":"^a","placeholder":"p","default":"d","description":"D"}`: {
			Key: "k", Type: String, Format: "date-time", MinLength: &two, MaxLength: &three, Pattern: "^a", Placeholder: "p", Default: json.RawMessage(`"d"`), Description: "D",
		},
		`{"key":"k","type":"multiselect","options":[],"minItems":2,"maxItems":3,"default":["a"]}`: {
			Key: "k", Type: Multiselect, Options: []Option{}, MinItems: &two, MaxItems: &three, Default: json.RawMessage(`["a"]`),
		},
		`{"key":"k","type":"number","minimum":-1.5,"maximum":"Infinity"}`: {Key: "k", Type: Number, Minimum: &Bound{"-1.5"}, Maximum: &Bound{}},
	} {
		var got Field
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis read as %+v, %v\nwant       %+v", text, got, err, want)
		}
	}
}

// What is sent is what OpenCode took: capture 03.
func TestAnswer_Of(t *testing.T) {
	items := []question.Item{{ID: "q0"}, {ID: "q1", Multiple: true}, {}}
	for want, answers := range map[string]question.Answers{
		`{"q0":"blue","q1":["apple","pear"],"q2":"Grace Hopper"}`: {{"blue"}, {"apple", "pear"}, {"Grace Hopper"}},
		`{"q0":"#ff00ff","q1":["apple","mango\nwith newline"]}`:   {{"#ff00ff"}, {"apple", "mango\nwith newline"}, {""}},
		`{"q1":["pear"]}`:           {nil, {"", "pear"}, {" "}},
		`{}`:                        {},
		`{"q0":"a, b"}`:             {{"a", "b"}},
		`{"q0":" spaces stay "}`:    {{" spaces stay "}},
		`{"q0":"x","q2":"the end"}`: {{"x"}, {}, {"the end"}, {"one too many"}},
	} {
		got, err := json.Marshal(answerOf(items, answers))
		if err != nil || string(got) != want {
			t.Errorf("%q is sent as %s, want %s", answers, got, want)
		}
	}
}

// What was answered, here or elsewhere, is read in the items' order.
func TestAnswer_Read(t *testing.T) {
	items := []question.Item{{ID: "q0"}, {ID: "q1", Multiple: true}, {ID: "n"}}
	for text, want := range map[string]struct {
		answers question.Answers
		known   bool
		inOrder question.Answers
		ordered bool
	}{
		`{"q0":"blue","q1":["a","b"],"n":2.5}`: {question.Answers{{"blue"}, {"a", "b"}, {"2.5"}}, true, nil, false},
		`{"q1":[]}`:                            {question.Answers{nil, {}, nil}, true, question.Answers{nil, {}}, true},
		`{}`:                                   {question.Answers{nil, nil, nil}, true, nil, true},
		`{"q3":"x"}`:                           {question.Answers{nil, nil, nil}, false, question.Answers{nil, nil, nil, {"x"}}, true},
		`{"n":true}`:                           {question.Answers{nil, nil, {"true"}}, true, nil, false},
	} {
		var a answer
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		if got, known := a.answersTo(items); !reflect.DeepEqual(got, want.answers) || known != want.known {
			t.Errorf("%s: %q, %v", text, got, known)
		}
		if got, ordered := a.inOrder(); !reflect.DeepEqual(got, want.inOrder) || ordered != want.ordered {
			t.Errorf("%s: in order %q, %v", text, got, ordered)
		}
	}
}
