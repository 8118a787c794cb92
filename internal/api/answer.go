package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"hermes/internal/fields"
	"hermes/internal/question"
)

// ReadAnswer reads the body; nil answers dismiss the question. Answers to a form may be JSON values, those to
// questions are lists of texts alone: there 2 could mean an option or a text. A fault comes with
// the status that it is refused with.
func ReadAnswer(body io.Reader, toForm bool) (answers question.Answers, status int, fault string) {
	var in struct {
		Answers []json.RawMessage `json:"answers"`
		Reject  bool              `json:"reject"`
	}
	err := Decode(body, &in)
	if err == nil {
		answers, err = answersIn(in.Answers, toForm)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB"
	case err != nil:
		return nil, http.StatusBadRequest, `the body must be {"answers":[["label"]]}, one list a question, or {"reject":true}`
	case in.Reject == (answers != nil):
		return nil, http.StatusBadRequest, `give either "answers" or "reject": true`
	}
	return answers, 0, ""
}

// answersIn reads one answer an item; nil: there are none.
func answersIn(list []json.RawMessage, toForm bool) (question.Answers, error) {
	if list == nil {
		return nil, nil
	}
	answers := make(question.Answers, len(list))
	for n, raw := range list {
		if !toForm {
			if err := json.Unmarshal(raw, &answers[n]); err != nil {
				return nil, err
			}
			continue
		}
		texts, ok := textsOf(raw)
		if !ok {
			return nil, errNoValue
		}
		answers[n] = texts
	}
	return answers, nil
}

// errNoValue: a form has no field that takes it.
var errNoValue = errors.New("it is no value of a field")

// textsOf is a JSON value, or a list of such, as answers hold it; null is none.
func textsOf(raw json.RawMessage) ([]string, bool) {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	list, isList := value.([]any)
	if !isList && value != nil {
		list = []any{value}
	}
	texts := make([]string, 0, len(list))
	for _, one := range list {
		text, ok := textOf(one)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

func textOf(value any) (string, bool) {
	for _, kind := range []fields.Kind{fields.String, fields.Number, fields.Boolean} {
		if text, ok := kind.Text(value); ok && len(text) == 1 {
			return text[0], true
		}
	}
	return "", false
}

// Answer is the body of POST /v1/questions/{id}.
type Answer struct {
	Answers question.Answers `json:"answers,omitempty"`
	Reject  bool             `json:"reject,omitempty"`
}
