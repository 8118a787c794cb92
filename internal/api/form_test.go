package api_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/api"
	"hermes/internal/fields"
	"hermes/internal/question"
)

func limit(n float64) *float64 { return &n }

func filledForm() question.Thread {
	r := question.Request{
		ID: "frm_1", Context: "Order details", Form: &question.Form{Title: "elicitor is requesting input", Kind: "mcp-elicitation", Server: "elicitor"},
		Items: []question.Item{
			question.FieldItem("n", "How many", "", fields.Field{Kind: fields.Integer, Required: true, Min: limit(1), Max: limit(9)}, nil, false),
			question.FieldItem("mail", "", "", fields.Field{
				Kind: fields.String, Format: fields.Email, Pattern: "@", Default: []string{"a@b.co"},
				When: []fields.When{{Key: "n", Not: true, Value: "1"}, {Key: "n", Value: "2"}},
			}, nil, false),
			question.FieldItem("gift", "", "", fields.Field{Kind: fields.Boolean}, nil, false),
			question.FieldItem("login", "", "", fields.Field{Kind: fields.External, URL: "https://example.org"}, nil, false),
		},
	}
	return question.Thread{ID: "abcdefghijkl", Request: r, Outcome: &question.Outcome{
		Kind: question.OutcomeAnswered, Answers: question.Answers{{"2"}, {}, {"false"}, {"true"}},
	}}
}

func TestQuestionOf_Forms(t *testing.T) {
	q := api.QuestionOf(filledForm())
	got, err := json.Marshal(q)
	want := `{"id":"abcdefghijkl","request":"frm_1","session":"","project":"","directory":"","asked":"0001-01-01T00:00:00Z","state":"answered",` +
		`"answers":[["2"],[],["false"],["true"]],"context":"Order details","questions":[` +
		`{"question_id":"n","header":"How many","question":"","options":[],"multiple":false,"custom":true,"field":{"type":"integer","required":true,"min":1,"max":9}},` +
		`{"question_id":"mail","question":"","options":[],"multiple":false,"custom":true,"field":{"type":"string","format":"email","pattern":"@","default":["a@b.co"],` +
		`"when":[{"question_id":"n","op":"neq","value":"1"},{"question_id":"n","op":"eq","value":"2"}]}},` +
		`{"question_id":"gift","question":"","options":[{"label":"Yes","id":"true"},{"label":"No","id":"false"}],"multiple":false,"custom":false,"field":{"type":"boolean"}},` +
		`{"question_id":"login","question":"","options":[{"label":"Done","id":"true"}],"multiple":false,"custom":false,"field":{"type":"external","required":true,"url":"https://example.org"}}],` +
		`"form":{"title":"elicitor is requesting input","kind":"mcp-elicitation","server":"elicitor"},"values":{"gift":false,"login":true,"n":2}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

// What a program of hermes' own reads is what is asked.
func TestQuestionOf_FormsThereAndBack(t *testing.T) {
	thread := filledForm()
	q := api.QuestionOf(thread)
	if got := q.Form; !reflect.DeepEqual(got, thread.Request.Form) {
		t.Errorf("the form: %+v", got)
	}
	for i, item := range thread.Request.Items {
		if got := q.Questions[i].Field.Domain(); !reflect.DeepEqual(got, item.Field) {
			t.Errorf("field %d: %+v, want %+v", i, got, item.Field)
		}
	}
	asked := api.QuestionOf(question.Thread{Request: question.Request{Items: []question.Item{{Text: "Which?"}}}})
	if asked.Form != nil || asked.Questions[0].Field.Domain() != nil || asked.Values != nil {
		t.Errorf("a question: %+v", asked)
	}
}

// Answers to a form may be what they are in JSON; those to questions are texts alone.
func TestReadAnswer_Values(t *testing.T) {
	const lists = `{"answers":[["label"]]}`
	for body, want := range map[string]string{
		`{"answers":[2.0,1.5,false,["a","b"],"Ada",null]}`: `[["2"],["1.5"],["false"],["a","b"],["Ada"],[]]`,
		`{"answers":[{"n":2}]}`:                            "",
		`{"answers":[[["a"]]]}`:                            "",
		lists:                                              `[["label"]]`,
	} {
		answers, status, fault := api.ReadAnswer(strings.NewReader(body), true)
		got, err := json.Marshal(answers)
		if err != nil || want != "" && string(got) != want || (status == http.StatusBadRequest) != (want == "") {
			t.Errorf("%s: %s, %d %s, want %s", body, got, status, fault, want)
		}
		if _, status, _ := api.ReadAnswer(strings.NewReader(body), false); (status == 0) != (body == lists) {
			t.Errorf("%s for a question: %d", body, status)
		}
	}
}
