package rig

import (
	"encoding/json"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// Questions is what GET /v1/questions gives.
func (r *Rig) Questions() []api.Question {
	r.T.Helper()
	code, body := r.Request("GET", "/v1/questions", "")
	var list struct{ Questions []api.Question }
	if err := json.Unmarshal([]byte(body), &list); err != nil || code != http.StatusOK || list.Questions == nil {
		r.T.Fatalf("the list is %d %s", code, body)
	}
	return list.Questions
}

// OpenQuestion is the only open question.
func (r *Rig) OpenQuestion() api.Question {
	r.T.Helper()
	list := r.Questions()
	if len(list) != 1 {
		r.T.Fatalf("%d questions are open", len(list))
	}
	return list[0]
}

// CallQuestion is GET or POST of one question; a body means POST.
func (r *Rig) CallQuestion(id question.ID, body string) (int, api.Question) {
	r.T.Helper()
	method := "GET"
	if body != "" {
		method = "POST"
	}
	code, text := r.Request(method, "/v1/questions/"+string(id), body)
	var q api.Question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		r.T.Errorf("%s is no JSON: %v", text, err)
	}
	return code, q
}

// ClosedQuestion is DatabaseQuestion without an answer in words.
func ClosedQuestion() opencode.Question {
	q := DatabaseQuestion()
	q.Custom = new(false)
	return q
}
