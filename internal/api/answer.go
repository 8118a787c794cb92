package api

import (
	"errors"
	"io"
	"net/http"

	"hermes/internal/question"
)

// ReadAnswer reads the body; nil answers dismiss the question. A fault comes with
// the status that it is refused with.
func ReadAnswer(body io.Reader) (answers question.Answers, note string, status int, fault string) {
	var in struct {
		Answers question.Answers `json:"answers"`
		Reject  bool             `json:"reject"`
		Note    string           `json:"note"`
	}
	err := Decode(body, &in)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, "", http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB"
	case err != nil:
		return nil, "", http.StatusBadRequest, `the body must be {"answers":[["label"]]}, one list a question, or {"reject":true}`
	case in.Reject == (in.Answers != nil):
		return nil, "", http.StatusBadRequest, `give either "answers" or "reject": true`
	}
	return in.Answers, in.Note, 0, ""
}

// Answer is the body of POST /v1/questions/{id}.
type Answer struct {
	Answers question.Answers `json:"answers,omitempty"`
	Reject  bool             `json:"reject,omitempty"`
	Note    string           `json:"note,omitempty"`
}
