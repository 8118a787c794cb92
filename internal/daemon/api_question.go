package daemon

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/question"
)

// listQuestions tells what is open, or with ?last=20 the last that were asked, whether
// they are open or not.
func (d *Daemon) listQuestions(r *http.Request) (any, error) {
	last := 0
	if given := r.URL.Query().Get("last"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 || n > api.MaxLast {
			return nil, refused(http.StatusBadRequest, fmt.Sprintf("last: must be a number from 1 to %d", api.MaxLast))
		}
		last = n
	}
	threads, err := d.lastThreads(r.Context(), last)
	if err != nil {
		return nil, err
	}
	list, err := d.questionsOf(r.Context(), threads...)
	return map[string]any{"questions": list}, err
}

// lastThreads lists the threads that have not ended, or the last that were asked, oldest
// first.
func (d *Daemon) lastThreads(ctx context.Context, last int) ([]question.Thread, error) {
	threads, err := d.Bridge.Open(ctx)
	if err != nil || last == 0 {
		return slices.DeleteFunc(threads, question.Thread.Settled), err
	}
	ended, err := d.Store.Ended(last)
	for _, t := range ended {
		if !slices.ContainsFunc(threads, func(o question.Thread) bool { return o.ID == t.ID }) {
			threads = append(threads, t)
		}
	}
	slices.SortStableFunc(threads, func(x, y question.Thread) int { return x.Asked.Compare(y.Asked) })
	return threads[max(0, len(threads)-last):], err
}

// questionsOf are threads as the API shows them, with their links' names of now.
func (d *Daemon) questionsOf(ctx context.Context, threads ...question.Thread) ([]api.Question, error) {
	people, err := d.Bridge.ForPeople(ctx)
	if err != nil {
		return nil, err
	}
	list := []api.Question{}
	for _, t := range threads {
		q := api.QuestionOf(t)
		q.Link = d.links.NameOf(q.Link)
		q.LeaveToPeople(people)
		list = append(list, q)
	}
	return list, nil
}

// getQuestion tells of one question, open or settled.
func (d *Daemon) getQuestion(r *http.Request) (any, error) {
	t, err := d.Bridge.Thread(r.Context(), question.ID(r.PathValue("id")))
	if err == nil && t.Request.Admission != nil {
		err = bridge.ErrUnknown // it is in GET /v1/pair
	}
	if err != nil {
		return nil, err
	}
	list, err := d.questionsOf(r.Context(), t)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// answerQuestion takes {"answers":[["A"]]} or {"reject":true}; for a form JSON values, too. 200 says that the
// answer is stored, and will be delivered; GET tells when that is proven.
func (d *Daemon) answerQuestion(r *http.Request) (any, error) {
	id := question.ID(r.PathValue("id"))
	asked, _ := d.Bridge.Thread(r.Context(), id) // what is not known is refused below
	answers, status, fault := api.ReadAnswer(r.Body, asked.Request.Form != nil)
	if fault != "" {
		return nil, refused(status, fault)
	}
	if err := d.Bridge.Answer(r.Context(), id, answers); err != nil {
		return nil, err
	}
	return d.getQuestion(r)
}
