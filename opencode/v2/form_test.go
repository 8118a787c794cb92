package v2

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
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

func bound(n float64) *float64 { return &n }

// The forms that were seen, as people are asked.
func TestForm_Elicitations(t *testing.T) {
	asked := &question.Form{Title: "elicitor is requesting input", Kind: KindElicitation, Server: "elicitor"}
	want := []question.Request{
		{
			ID: "frm_2010e37ac001Nygf4xT6rG3YPi", Protocol: session.V2, Session: "global", Form: asked, Context: "Order details",
			Items: []question.Item{
				question.FieldItem("size", "Size", "", fields.Field{Kind: fields.String, Required: true}, []question.Option{{ID: "S", Label: "Small"}, {ID: "M", Label: "Medium"}}, false),
				question.FieldItem("n", "How many", "", fields.Field{Kind: fields.Integer, Required: true, Min: bound(1), Max: bound(9)}, nil, false),
				question.FieldItem("w", "w", "", fields.Field{Kind: fields.Number}, nil, false),
				question.FieldItem("gift", "Gift?", "", fields.Field{Kind: fields.Boolean, Default: []string{"false"}}, nil, false),
				question.FieldItem("mail", "mail", "", fields.Field{Kind: fields.String, Format: fields.Email}, nil, false),
				question.FieldItem("tags", "tags", "", fields.Field{Kind: fields.Multiselect}, []question.Option{{ID: "a", Label: "a"}, {ID: "b", Label: "b"}}, false),
			},
		},
		{
			ID: "frm_2010e3d77001zmZde6oLVzLSwO", Protocol: session.V2, Session: "global", Form: asked, Context: "Please sign in",
			Items: []question.Item{question.FieldItem("elicitation", "", "", fields.Field{Kind: fields.External, URL: "https://example.org/login"}, nil, false)},
		},
		{
			ID: "frm_2010e4979001WaBa05gj4J9PZp", Protocol: session.V2, Session: "ses_dfef1b78cffe7mkxPVFSOG5Lww", Form: &question.Form{Title: "From hermes", Kind: "hermes"},
			Items: []question.Item{
				question.FieldItem("a", "OK?", "", fields.Field{Kind: fields.Boolean}, nil, false),
				question.FieldItem("b", "", "", fields.Field{Kind: fields.String, When: []fields.When{{Key: "a", Value: "true"}}}, nil, false),
			},
		},
	}
	for n, f := range formsIn(t, "forms.jsonl") {
		if got := f.Request(session.V2); !reflect.DeepEqual(got, want[n]) {
			t.Errorf("form %d is\n%+v, want\n%+v", n, got, want[n])
		}
	}
}

// What else a field may say.
func TestField_OfForms(t *testing.T) {
	options := []question.Option{{ID: "a", Label: "A", Description: "first"}}
	for text, want := range map[string]question.Item{
		`{"key":"k","type":"string","title":"T","description":"D","format":"date","minLength":2,"maxLength":3,"pattern":"^a","default":"2026-02-28"}`: question.FieldItem("k", "T", "D", fields.Field{
			Kind: fields.String, Format: fields.Date, Min: bound(2), Max: bound(3), Pattern: "^a",
		}, nil, false),
		`{"key":"k","type":"multiselect","options":[{"value":"a","label":"A","description":"first"}],"custom":true,"minItems":1,"maxItems":2,"default":["a"]}`: question.FieldItem("k", "", "", fields.Field{
			Kind: fields.Multiselect, Min: bound(1), Max: bound(2), Default: []string{"a"},
		}, options, true),
		`{"key":"k","type":"string","options":[{"value":"a","label":"A","description":"first"}]}`: question.FieldItem("k", "", "", fields.Field{Kind: fields.String}, options, false),
		`{"key":"k","type":"number","minimum":-1.5,"maximum":"Infinity","default":2.50}`: question.FieldItem("k", "", "", fields.Field{
			Kind: fields.Number, Min: bound(-1.5), Default: []string{"2.5"},
		}, nil, false),
		`{"key":"k","type":"integer","default":2.5,"when":[{"key":"j","op":"neq","value":2},{"key":"i","op":"eq","value":"x"}]}`: question.FieldItem("k", "", "", fields.Field{
			Kind: fields.Integer, When: []fields.When{{Key: "j", Not: true, Value: "2"}, {Key: "i", Value: "x"}},
		}, nil, false),
		`{"key":"k","type":"boolean","when":[{"key":"j","op":"gt","value":2}]}`: question.FieldItem("k", "", "", fields.Field{Kind: fields.Unknown}, nil, false),
		`{"key":"k","type":"colour","required":true}`:                           question.FieldItem("k", "", "", fields.Field{Kind: fields.Unknown, Required: true}, nil, false),
	} {
		var f Field
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatal(err)
		}
		if got := f.formItem(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis %+v %+v\nwant %+v %+v", text, got, got.Field, want, want.Field)
		}
	}
}

// Any client can make a form, and its metadata may hold anything (openapi of the preview). Such a
// form is asked as far as it can be read, and keeps no other one from being listed.
func TestForm_OfAnyShape(t *testing.T) {
	const question = `{"id":"frm_2","sessionID":"ses_2","title":"Questions","metadata":{"kind":"question","tool":{"messageID":"msg_1","callID":"call_1"}},"fields":[{"key":"q0","type":"string"}]}`
	for _, odd := range []string{
		`"metadata":{"kind":7,"tool":"deploy","server":["x"],"message":{"text":"Go?"}},"fields":[{"key":"a","type":"boolean"}]`,
		`"metadata":"deploy","fields":[{"key":"a","type":"boolean"}]`,
		`"fields":[{"key":"a","type":"string","maxLength":1.5,"when":"always"}]`,
		`"fields":[{"key":"a","type":{"name":"colour"},"options":"red"}]`,
		`"fields":["a"]`,
	} {
		form := `{"id":"frm_1","sessionID":"ses_1","title":"Deploy",` + odd + `}`
		list, err := decodeAsks[Form]([]byte(`{"data":[` + form + `,` + question + `]}`))
		if err != nil || len(list) != 2 || list[0].Form == nil || list[0].Form.Title != "Deploy" || len(list[0].Items) != 1 || list[1].Call != "call_1" {
			t.Errorf("%s: listed %+v, %v", odd, list, err)
		}
		if said := hearForm(wire.Event{Type: "form.created", Properties: []byte(`{"form":` + form + `}`)}); len(said) != 1 {
			t.Errorf("%s: heard %+v", odd, said)
		}
	}
}

// What another client calls a question, and is none that texts can answer, is filled in by its
// types. The call that it names still tells what became of it.
func TestForm_QuestionOfAnotherClient(t *testing.T) {
	var f Form
	const text = `{"id":"frm_1","sessionID":"ses_1","title":"How many","metadata":{"kind":"question","tool":{"messageID":"msg_1","callID":"call_1"}},"fields":[{"key":"q0","type":"integer"}]}`
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	r := f.Request(session.V2)
	if r.Form == nil || r.Message != "msg_1" || r.Call != "call_1" {
		t.Errorf("it is asked as %+v", r)
	}
	body, err := json.Marshal(replyTo("", r, question.Answers{{"2"}}).Body)
	if string(body) != `{"answer":{"q0":2}}` || err != nil {
		t.Errorf("sent is %s, %v", body, err)
	}
}
