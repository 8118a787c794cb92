package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
)

// maxRequest bounds the file of a request.
const maxRequest = 4 << 20

// readRequests reads asks as GET /v1/questions tells them: the whole answer, a list,
// or one of them. A field that is not known is refused: it would be ignored silently, and
// the rules tried on something else than what was meant.
func readRequests(from io.Reader) ([]api.Question, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxRequest+1))
	switch {
	case err != nil:
		return nil, config.WithoutPath(err)
	case len(text) > maxRequest:
		return nil, fmt.Errorf("it is larger than %d MiB", maxRequest>>20)
	}
	var list []api.Question
	var whole struct {
		Questions []api.Question `json:"questions"`
	}
	var one api.Question
	switch {
	case api.Decode(bytes.NewReader(text), &list) == nil:
	case api.Decode(bytes.NewReader(text), &whole) == nil && checkAsks(whole.Questions) == nil:
		list = whole.Questions
	default:
		if err := api.Decode(bytes.NewReader(text), &one); err != nil {
			return nil, fmt.Errorf("it is no ask as GET /v1/questions gives it: %w", err)
		}
		list = []api.Question{one}
	}
	return list, checkAsks(list)
}

// checkAsks refuses asks that ask for nothing.
func checkAsks(list []api.Question) error {
	for _, q := range list {
		if q.Permission == nil && len(q.Questions) == 0 {
			return errors.New(`it holds an ask with neither "questions" nor "permission"`)
		}
	}
	return nil
}

// askOfQuestion is what rules are found for. Where the time is not told, it is now.
func askOfQuestion(q api.Question, now time.Time) policy.Ask {
	a := policy.Ask{
		Request: question.Request{ID: q.Request, Session: q.Session, Agent: q.Agent}, Directory: q.Directory, Resolved: q.Resolved,
		Place: session.Place{Title: q.Title, Subagent: q.Subagent, Root: q.Root}, Link: q.Link, Owner: q.Owner, At: q.Asked,
	}
	if a.At.IsZero() {
		a.At = now
	}
	for _, item := range q.Questions {
		a.Request.Items = append(a.Request.Items, itemOfQuestion(item))
	}
	a.Request.Form = q.Form.Domain()
	if p := q.Permission; p != nil {
		a.Request.Permission = p.Domain()
	}
	return a
}

func itemOfQuestion(a api.Item) question.Item {
	item := question.Item{ID: a.ID, Header: a.Header, Text: a.Question, Multiple: a.Multiple, Custom: a.Custom, Field: a.Field.Domain()}
	for _, o := range a.Options {
		item.Options = append(item.Options, question.Option{Label: o.Label, Description: o.Description, ID: o.ID})
	}
	return item
}
