package ask_test

import (
	"encoding/json"
	"testing"

	"hermes/internal/ask"
	"hermes/internal/question"
)

// Of a permission, only "once" is told as an answer.
func TestResultOf_Permission(t *testing.T) {
	ada := question.Actor{Kind: question.Person, Name: "Ada", User: 42, Chat: 42}
	const by = `{"kind":"person","name":"Ada","user":42}`
	for want, outcome := range map[string]question.Outcome{
		`{"status":"answered","answers":[{"question_id":"permission","selected_option_ids":["once"]}],"answered_by":` + by + `}`: {
			Kind: question.OutcomeAnswered, Answers: question.Answers{{question.Once}}, By: ada,
		},
		`{"status":"aborted","answers":[],"aborted_by":` + by + `}`: {
			Kind: question.OutcomeAnswered, Answers: question.Answers{{question.Always}}, By: ada,
		},
		`{"status":"aborted","answers":[],"aborted_by":` + by + `,"note":"use make clean"}`: {
			Kind: question.OutcomeDismissed, Note: "use make clean", By: ada,
		},
		`{"status":"aborted","answers":[]}`: {Kind: question.OutcomeAnswered},
	} {
		thread := question.Thread{Request: question.Request{Permission: &question.Permission{Kind: "bash"}}, Outcome: &outcome}
		if got, err := json.Marshal(ask.ResultOf(thread)); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestResultOf(t *testing.T) {
	a, err := ask.Parse([]byte(deploy))
	if err != nil {
		t.Fatal(err)
	}
	ada := question.Actor{Kind: question.Person, Name: "Ada", User: 42, Chat: 42}
	answered := func(answers ...[]string) *question.Outcome {
		return &question.Outcome{Kind: question.OutcomeAnswered, Answers: answers, By: ada}
	}
	for _, test := range []struct {
		title   string
		outcome *question.Outcome
		want    string
	}{
		{"open", nil, `{"status":"pending","answers":[]}`},
		{
			"options, several, and text", answered([]string{"Yes"}, []string{"EU", "the moon", "Mars"}, []string{"no"}),
			`{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["yes"]},` +
				`{"question_id":"where","selected_option_ids":["1"],"text":"the moon\nMars"},` +
				`{"question_id":"why","selected_option_ids":[],"text":"no"}],"answered_by":{"kind":"person","name":"Ada","user":42}}`,
		},
		{
			"by the deadline", &question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"Yes"}}, By: question.Actor{Kind: question.Deadline}},
			`{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["yes"]},{"question_id":"where","selected_option_ids":[]},` +
				`{"question_id":"why","selected_option_ids":[]}],"answered_by":{"kind":"deadline"}}`,
		},
		{
			"cancelled by its id", answered([]string{"Not now"}, []string{"EU"}, []string{"x"}),
			`{"status":"cancelled","answers":[],"cancelled_by":{"question_id":"go","option_id":"skip"}}`,
		},
		{
			"cancelled by its mark", answered([]string{"Never"}),
			`{"status":"cancelled","answers":[],"cancelled_by":{"question_id":"go","option_id":"no"}}`,
		},
		{"dismissed", &question.Outcome{Kind: question.OutcomeDismissed, By: ada}, `{"status":"aborted","answers":[],"aborted_by":{"kind":"person","name":"Ada","user":42}}`},
		{"expired", &question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Deadline}}, `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`},
		{"lost", &question.Outcome{Kind: question.OutcomeUnknown}, `{"status":"aborted","answers":[]}`},
	} {
		got, err := json.Marshal(ask.ResultOf(question.Thread{Request: a.Request, Outcome: test.outcome}))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.title, got, err, test.want)
		}
	}
}
