package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hermes/internal/ask"
	"hermes/internal/question"
)

// This file is the client of hermes' HTTP interface, for all commands. Errors are
// those of running.call.

// pollFor is how long hermes is asked to hold a poll: less than a call may wait for
// its answer.
const pollFor = 20 * time.Second

// fetch makes one call whose answer is JSON.
func (r running) fetch(ctx context.Context, method, path string, body, into any) error {
	res, err := r.call(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		return fmt.Errorf("hermes stopped in the middle of an answer: %w", cause(err))
	}
	return nil
}

// status is GET /v1/status.
func (r running) status(ctx context.Context) (s apiStatus, err error) {
	err = r.fetch(ctx, http.MethodGet, "/v1/status", nil, &s)
	return s, err
}

// questions lists what has not ended, oldest first.
func (r running) questions(ctx context.Context) ([]apiQuestion, error) {
	var list struct {
		Questions []apiQuestion `json:"questions"`
	}
	err := r.fetch(ctx, http.MethodGet, "/v1/questions", nil, &list)
	return list.Questions, err
}

// question is one question, also an ended one.
func (r running) question(ctx context.Context, id question.ID) (q apiQuestion, err error) {
	err = r.fetch(ctx, http.MethodGet, "/v1/questions/"+url.PathEscape(string(id)), nil, &q)
	return q, err
}

// apiAnswer is the body of POST /v1/questions/{id}.
type apiAnswer struct {
	Answers question.Answers `json:"answers,omitempty"`
	Reject  bool             `json:"reject,omitempty"`
	Note    string           `json:"note,omitempty"`
}

// answer decides a question. It is stored then, and will be delivered.
func (r running) answer(ctx context.Context, id question.ID, a apiAnswer) (q apiQuestion, err error) {
	err = r.fetch(ctx, http.MethodPost, "/v1/questions/"+url.PathEscape(string(id)), a, &q)
	return q, err
}

// submit asks. With an idempotency key in the body it may be done again.
func (r running) submit(ctx context.Context, body json.RawMessage) (id question.RequestID, err error) {
	var got struct {
		ID question.RequestID `json:"id"`
	}
	err = r.fetch(ctx, http.MethodPost, "/v1/ask", body, &got)
	return got.ID, err
}

// result is what became of an ask, as soon as it has ended or the time is over.
func (r running) result(ctx context.Context, id question.RequestID, wait time.Duration) (a ask.Result, err error) {
	err = r.fetch(ctx, http.MethodGet, "/v1/ask/"+url.PathEscape(string(id))+"?wait="+wait.String(), nil, &a)
	return a, err
}

// withdraw takes an ask back, and tells how it ended: somebody may have been faster.
func (r running) withdraw(ctx context.Context, id question.RequestID) (a ask.Result, err error) {
	err = r.fetch(ctx, http.MethodDelete, "/v1/ask/"+url.PathEscape(string(id)), nil, &a)
	if refusedWith(err, http.StatusConflict) {
		return r.result(ctx, id, time.Second)
	}
	return a, err
}

// journal calls fn with the entries that fit. With a wait it is held until there is
// one, or the time is over.
func (r running) journal(ctx context.Context, pick entryPick, wait time.Duration, fn func(apiEntry) error) error {
	query := pick.query()
	if wait > 0 {
		query = strings.TrimPrefix(query+"&wait="+wait.String(), "&")
	}
	res, err := r.call(ctx, http.MethodGet, "/v1/journal?"+query, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	for lines := json.NewDecoder(res.Body); ; {
		var line struct {
			apiEntry
			Error string `json:"error"`
		}
		switch err := lines.Decode(&line); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("hermes stopped before the end of the journal: %w", cause(err))
		case line.Error != "":
			return errors.New(legible(line.Error))
		}
		if err := fn(line.apiEntry); err != nil {
			return err
		}
	}
}
