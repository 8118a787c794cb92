package rig

import (
	"encoding/json"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// Listed is what GET /v1/questions gives.
func (r *Rig) Listed() []api.Question {
	r.T.Helper()
	code, body := r.Request("GET", "/v1/questions", "")
	var list struct{ Questions []api.Question }
	if err := json.Unmarshal([]byte(body), &list); err != nil || code != http.StatusOK || list.Questions == nil {
		r.T.Fatalf("the list is %d %s", code, body)
	}
	return list.Questions
}

// Open is the only open question.
func (r *Rig) Open() api.Question {
	r.T.Helper()
	list := r.Listed()
	if len(list) != 1 {
		r.T.Fatalf("%d questions are open", len(list))
	}
	return list[0]
}

// Status is GET or POST of one question; a body means POST.
func (r *Rig) Status(id question.ID, body string) (int, api.Question) {
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

func Closed() opencode.Question {
	q := Database()
	q.Custom = new(false)
	return q
}
