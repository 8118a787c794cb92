package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/question"
	"hermes/pending"
)

// questionAPI serves what is asked: /v1/questions.
type questionAPI struct {
	bridge *bridge.Bridge
	store  *pending.Store
	links  *linkTokens
	log    *slog.Logger
}

func (a questionAPI) addTo(routes map[string]http.Handler) {
	routes["GET /v1/questions"] = http.HandlerFunc(a.listQuestions)
	routes["GET /v1/questions/{id}"] = http.HandlerFunc(a.getQuestion)
	routes["POST /v1/questions/{id}"] = http.HandlerFunc(a.answerQuestion)
}

// listQuestions tells what is open, or with ?last=20 the last that were asked, whether
// they are open or not.
func (a questionAPI) listQuestions(w http.ResponseWriter, r *http.Request) {
	last, given := 0, r.URL.Query().Get("last")
	if given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 || n > api.MaxLast {
			api.Refuse(w, http.StatusBadRequest, fmt.Sprintf("last: must be a number from 1 to %d", api.MaxLast))
			return
		}
		last = n
	}
	threads, err := a.threads(r.Context(), last)
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	people, err := a.bridge.ForPeople(r.Context())
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	list := []api.Question{}
	for _, t := range threads {
		q := a.questionOf(t)
		q.LeaveToPeople(people)
		list = append(list, q)
	}
	api.Reply(w, http.StatusOK, map[string]any{"questions": list})
}

// threads lists the threads that have not ended, or the last that were asked, oldest
// first.
func (a questionAPI) threads(ctx context.Context, last int) ([]question.Thread, error) {
	threads, err := a.bridge.Open(ctx)
	if err != nil || last == 0 {
		return slices.DeleteFunc(threads, question.Thread.Settled), err
	}
	ended, err := a.store.Ended(last)
	for _, t := range ended {
		if !slices.ContainsFunc(threads, func(o question.Thread) bool { return o.ID == t.ID }) {
			threads = append(threads, t)
		}
	}
	slices.SortStableFunc(threads, func(x, y question.Thread) int { return x.Asked.Compare(y.Asked) })
	return threads[max(0, len(threads)-last):], err
}

// questionOf is a thread as the API shows it, with its link's name of now.
func (a questionAPI) questionOf(t question.Thread) api.Question {
	q := api.QuestionOf(t)
	q.Link = a.links.NameOf(q.Link)
	return q
}

// getQuestion tells of one question, open or settled.
func (a questionAPI) getQuestion(w http.ResponseWriter, r *http.Request) {
	t, err := a.bridge.Thread(r.Context(), question.ID(r.PathValue("id")))
	if err == nil && t.Request.Admission != nil {
		err = bridge.ErrUnknown // it is in GET /v1/pair
	}
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	people, err := a.bridge.ForPeople(r.Context())
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	q := a.questionOf(t)
	q.LeaveToPeople(people)
	api.Reply(w, http.StatusOK, q)
}

// answerQuestion takes {"answers":[["A"]]} or {"reject":true}; for a form JSON values, too. 200 says that the
// answer is stored, and will be delivered; GET tells when that is proven.
func (a questionAPI) answerQuestion(w http.ResponseWriter, r *http.Request) {
	id := question.ID(r.PathValue("id"))
	asked, _ := a.bridge.Thread(r.Context(), id) // what is not known is refused below
	answers, status, fault := api.ReadAnswer(http.MaxBytesReader(w, r.Body, api.MaxAnswer), asked.Request.Form != nil)
	if fault != "" {
		api.Refuse(w, status, fault)
		return
	}
	if err := a.bridge.Answer(r.Context(), id, answers); err != nil {
		refuseError(w, a.log, err)
		return
	}
	a.getQuestion(w, r)
}

// refuseError answers with what the bridge said. The store's failures are not for
// callers: they are in the log.
func refuseError(w http.ResponseWriter, log *slog.Logger, err error) {
	var invalid *bridge.Invalid
	switch {
	case errors.Is(err, bridge.ErrUnknown):
		api.Refuse(w, http.StatusNotFound, bridge.ErrUnknown.Error())
	case errors.Is(err, bridge.ErrSettled):
		api.Refuse(w, http.StatusConflict, bridge.ErrSettled.Error())
	case errors.Is(err, bridge.ErrPeople):
		api.Refuse(w, http.StatusForbidden, bridge.ErrPeople.Error())
	case errors.Is(err, bridge.ErrAdmission):
		api.Refuse(w, http.StatusForbidden, bridge.ErrAdmission.Error())
	case errors.Is(err, bridge.ErrChat):
		api.Refuse(w, http.StatusForbidden, bridge.ErrChat.Error())
	case errors.As(err, &invalid):
		api.Refuse(w, http.StatusBadRequest, invalid.Error())
	default:
		log.Error("a request failed", "err", err)
		api.Refuse(w, http.StatusInternalServerError, "hermes could not do that; its log says why")
	}
}
