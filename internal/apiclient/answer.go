package apiclient

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

	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/letters"
	"hermes/internal/question"
)

// pollFor is how long hermes is asked to hold a poll: less than a call may wait for
// its answer.
const pollFor = 20 * time.Second

// Fetch makes one call, as Call does, whose answer is JSON.
func (r Client) Fetch(ctx context.Context, method, path string, body, into any) error {
	res, err := r.Call(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		return fmt.Errorf("hermes stopped in the middle of an answer: %w", Cause(err))
	}
	return nil
}

// status is GET /v1/status.
func (r Client) status(ctx context.Context) (s api.Status, err error) {
	err = r.Fetch(ctx, http.MethodGet, "/v1/status", nil, &s)
	return s, err
}

// Questions lists what has not ended, oldest first.
func (r Client) Questions(ctx context.Context) ([]api.Question, error) {
	var list struct {
		Questions []api.Question `json:"questions"`
	}
	err := r.Fetch(ctx, http.MethodGet, "/v1/questions", nil, &list)
	return list.Questions, err
}

// Question is one question, also an ended one.
func (r Client) Question(ctx context.Context, id question.ID) (q api.Question, err error) {
	err = r.Fetch(ctx, http.MethodGet, "/v1/questions/"+url.PathEscape(string(id)), nil, &q)
	return q, err
}

// Answer decides a question. It is stored then, and will be delivered.
func (r Client) Answer(ctx context.Context, id question.ID, a api.Answer) (q api.Question, err error) {
	err = r.Fetch(ctx, http.MethodPost, "/v1/questions/"+url.PathEscape(string(id)), a, &q)
	return q, err
}

// submit asks. With an idempotency key in the body it may be done again.
func (r Client) submit(ctx context.Context, body json.RawMessage) (id question.RequestID, err error) {
	var got struct {
		ID question.RequestID `json:"id"`
	}
	err = r.Fetch(ctx, http.MethodPost, "/v1/ask", body, &got)
	return got.ID, err
}

// fetchResult is what became of an ask, as soon as it has ended or the time is over.
func (r Client) fetchResult(ctx context.Context, id question.RequestID, wait time.Duration) (a ask.Result, err error) {
	err = r.Fetch(ctx, http.MethodGet, "/v1/ask/"+url.PathEscape(string(id))+"?wait="+wait.String(), nil, &a)
	return a, err
}

// withdraw takes an ask back, and tells how it ended: somebody may have been faster.
func (r Client) withdraw(ctx context.Context, id question.RequestID) (a ask.Result, err error) {
	err = r.Fetch(ctx, http.MethodDelete, "/v1/ask/"+url.PathEscape(string(id)), nil, &a)
	if IsRefusal(err, http.StatusConflict) {
		return r.fetchResult(ctx, id, time.Second)
	}
	return a, err
}

// Journal calls fn with the entries that fit. With a wait it is held until there is
// one, or the time is over.
func (r Client) Journal(ctx context.Context, pick api.EntryFilter, wait time.Duration, fn func(api.Entry) error) error {
	query := pick.Query()
	if wait > 0 {
		query = strings.TrimPrefix(query+"&wait="+wait.String(), "&")
	}
	res, err := r.Call(ctx, http.MethodGet, "/v1/journal?"+query, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	for lines := json.NewDecoder(res.Body); ; {
		var line struct {
			api.Entry
			Error string `json:"error"`
		}
		switch err := lines.Decode(&line); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("hermes stopped before the end of the journal: %w", Cause(err))
		case line.Error != "":
			return errors.New(letters.Escaped(line.Error))
		}
		if err := fn(line.Entry); err != nil {
			return err
		}
	}
}
