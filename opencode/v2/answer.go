package v2

import (
	"encoding/json"
	"strconv"
	"strings"

	"hermes/internal/question"
	"hermes/opencode/wire"
)

// answer is what a form is answered with, by the keys of its fields.
type answer map[string]json.RawMessage

// answerOf fills in a form: all fields in one body, a text for one choice and a list for
// several. What is not answered is left out: OpenCode tells the agent that it is unanswered
// then, and takes an empty text for an answer, and null for a mistake.
func answerOf(items []question.Item, answers question.Answers) map[string]any {
	body := map[string]any{}
	for n, item := range items {
		switch given := givenTo(answers, n); {
		case len(given) == 0:
		case item.Multiple:
			body[keyOf(item, n)] = given
		default:
			body[keyOf(item, n)] = strings.Join(given, ", ")
		}
	}
	return body
}

// givenTo are the answers to one item that say something.
func givenTo(answers question.Answers, n int) (given []string) {
	if n >= len(answers) {
		return nil
	}
	for _, text := range answers[n] {
		if strings.TrimSpace(text) != "" {
			given = append(given, text)
		}
	}
	return given
}

// keyOf is the key of an item's field. OpenCode counts those of a question from q0.
func keyOf(item question.Item, n int) string {
	if item.ID != "" {
		return item.ID
	}
	return "q" + strconv.Itoa(n)
}

// answersTo are the answers in the order of the items. It reports false if a field was
// answered that no item is of.
func (a answer) answersTo(items []question.Item) (question.Answers, bool) {
	answers, known := make(question.Answers, len(items)), 0
	for n, item := range items {
		if value, ok := a[keyOf(item, n)]; ok {
			answers[n] = textsOf(value)
			known++
		}
	}
	return answers, known == len(a)
}

// inOrder are the answers to questions of which only the answer is known. It reports false if
// the keys are not those of questions.
func (a answer) inOrder() (question.Answers, bool) {
	const most = 1000 // questions in one form
	var answers question.Answers
	for key, value := range a {
		digits, ok := strings.CutPrefix(key, "q")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || n < 0 || n >= most || key != "q"+strconv.Itoa(n) {
			return nil, false
		}
		for len(answers) <= n {
			answers = append(answers, nil)
		}
		answers[n] = textsOf(value)
	}
	return answers, true
}

// textsOf is a value as texts: those of a list, and any other value as one.
func textsOf(value json.RawMessage) []string {
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return list
	}
	return []string{wire.Text(value)}
}
