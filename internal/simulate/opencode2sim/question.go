package opencode2sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// runQuestion asks. An agent without the tool cannot, and a list of no questions or
// with a question that lacks a key fails before there is a form (section 3.3,
// captures 07, 19).
func (r *toolbox) runQuestion(c *call, args json.RawMessage) *form {
	if r.mute(c.turn.ses.agentName()) {
		r.failure(c, "tool.unknown", "Unknown tool: question", "Unknown tool: question")
		return nil
	}
	questions, ok := readQuestions(args)
	if !ok {
		r.failure(c, "tool.invalid-input", invalidInput, invalidInput)
		return nil
	}
	var f *form
	r.runPermitted(c, []permit{{action: "question", resources: []string{"*"}, save: []string{"*"}}}, func() {
		f = r.ask(c, questions)
	})
	return f
}

const invalidInput = "Invalid tool input" // in which words a call fails so was not captured

func (r *toolbox) mute(agent string) bool {
	return slices.ContainsFunc(r.opts.agents(), func(a Agent) bool { return a.Name == agent && a.Mute })
}

// readQuestions reads a call's input: at least one question, each with its text, a
// header and a list of options, which may be empty (section 3.1, capture 19).
func readQuestions(args json.RawMessage) ([]model.Question, bool) {
	var in struct {
		Questions []struct {
			Question, Header *string
			Options          *[]model.Option
			Multiple         bool
		}
	}
	if json.Unmarshal(args, &in) != nil || len(in.Questions) == 0 {
		return nil, false
	}
	var questions []model.Question
	for _, q := range in.Questions {
		if q.Question == nil || q.Header == nil || q.Options == nil {
			return nil, false
		}
		questions = append(questions, model.Question{Question: *q.Question, Header: *q.Header, Options: *q.Options, Multiple: q.Multiple})
	}
	return questions, true
}

// ask opens the form of a question call (section 3.1).
func (r *toolbox) ask(c *call, questions []model.Question) *form {
	f := &form{
		owner: c.turn.ses.info.ID, dir: c.turn.ses.dir(), title: "Questions",
		metadata: data{"kind": "question", "tool": data{"messageID": c.turn.step.id, r.names.call: c.part.call}},
	}
	for i, q := range questions {
		f.fields = append(f.fields, questionField(i, q))
	}
	f.answered = func(answer data) {
		given := answersOf(questions, answer)
		r.record.answered(f.id, c.part.call, given)
		r.later(c.turn, func() { r.complete(c, data{"answers": given}, answeredText(questions, answer)) })
	}
	f.cancelled = func(message string) {
		r.record.answered(f.id, "", nil)
		r.later(c.turn, func() {
			if message != "" {
				r.failure(c, "unknown", message, message)
				return
			}
			r.abort(c, r.names.dismissed)
		})
	}
	r.forms.open(f)
	return f
}

func questionField(i int, q model.Question) data {
	options := []data{}
	for _, o := range q.Options {
		options = append(options, data{"value": o.Label, "label": o.Label, "description": o.Description})
	}
	kind := "string"
	if q.Multiple {
		kind = "multiselect"
	}
	return data{
		"key": fmt.Sprintf("q%d", i), "title": q.Header, "description": q.Question, "type": kind,
		"options": options, "custom": true,
	}
}

// answersOf is an answer as the call's result has it: a list for each question.
func answersOf(questions []model.Question, answer data) [][]string {
	given := make([][]string, len(questions))
	for i := range questions {
		given[i] = []string{}
		switch v := answer[fmt.Sprintf("q%d", i)].(type) {
		case string:
			given[i] = []string{v}
		case []any:
			for _, item := range v {
				text, _ := item.(string)
				given[i] = append(given[i], text)
			}
		}
	}
	return given
}

// answeredText is what the model reads (section 3.3, capture 03).
func answeredText(questions []model.Question, answer data) string {
	pairs := make([]string, len(questions))
	for i, given := range answersOf(questions, answer) {
		text := strings.Join(given, ", ")
		if len(given) == 0 {
			text = "Unanswered"
		}
		pairs[i] = fmt.Sprintf(`"%s"="%s"`, questions[i].Question, text)
	}
	return "User has answered your questions: " + strings.Join(pairs, ", ") +
		". You can now continue with the user's answers in mind."
}
