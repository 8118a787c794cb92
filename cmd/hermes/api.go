package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"hermes/bridge"
	"hermes/internal/question"
)

// maxAnswer bounds the body of an answer.
const maxAnswer = 1 << 20

// Wire types of GET /v1/questions. Fields are only added.
type apiQuestion struct {
	ID        question.ID        `json:"id"`
	Request   question.RequestID `json:"request,omitempty"`
	Session   question.SessionID `json:"session"`
	Project   string             `json:"project"`
	Directory string             `json:"directory"`
	Resolved  string             `json:"resolved_directory,omitempty"` // without symbolic links, if that is another
	Title     string             `json:"title,omitempty"`
	Subagent  string             `json:"subagent,omitempty"`
	Asked     time.Time          `json:"asked"`
	Deadline  *time.Time         `json:"deadline,omitempty"`
	State     string             `json:"state"` // open, deciding (decided, not proven yet), or the question.OutcomeKind
	Waiting   bool               `json:"waiting_for_opencode,omitempty"`
	Answers   question.Answers   `json:"answers,omitempty"`
	By        string             `json:"by,omitempty"`
	Rule      string             `json:"rule,omitempty"` // that decided: By is "rule"
	Agent     string             `json:"agent,omitempty"`
	Root      question.SessionID `json:"root_session,omitempty"`
	Context   string             `json:"context,omitempty"` // of a program's ask
	Questions []apiItem          `json:"questions"`

	Permission *apiPermission `json:"permission,omitempty"` // it is a permission ask, and has no questions
	Note       string         `json:"note,omitempty"`       // what a rejection told the agent

	InChat string `json:"in_chat,omitempty"` // a sentence that says why only people in the chat can answer it; absent: it can be answered here
}

type apiPermission struct {
	Kind     string            `json:"kind"` // OpenCode's word: bash, edit and so on
	Patterns []string          `json:"patterns"`
	Always   []string          `json:"always"` // what "always" adds
	Command  string            `json:"command,omitempty"`
	Diff     string            `json:"diff,omitempty"`
	Details  map[string]string `json:"details,omitempty"`
}

type apiItem struct {
	ID       string      `json:"question_id,omitempty"` // of a program's ask
	Header   string      `json:"header,omitempty"`
	Question string      `json:"question"`
	Options  []apiOption `json:"options"`
	Multiple bool        `json:"multiple"`
	Custom   bool        `json:"custom"`
}

type apiOption struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	ID          string `json:"id,omitempty"` // of a program's ask
	Cancels     bool   `json:"cancels,omitempty"`
}

func toAPI(t question.Thread) apiQuestion {
	q := apiQuestion{
		ID: t.ID, Request: t.Request.ID, Session: t.Request.Session, Project: t.Project, Title: t.Place.Title,
		Subagent: t.Place.Subagent, Agent: t.Request.Agent, Root: t.Place.Root, Asked: t.Asked, State: "open", Waiting: t.Away, Questions: []apiItem{}, Context: t.Request.Context,
	}
	if len(t.Origins) > 0 {
		q.Directory = t.Origins[0].Directory
	}
	for _, o := range t.Origins {
		q.Resolved = cmp.Or(q.Resolved, o.Resolved)
	}
	if !t.Deadline.IsZero() {
		q.Deadline = &t.Deadline
	}
	q.ended(t)
	for _, item := range t.Request.Items {
		q.Questions = append(q.Questions, itemToAPI(item))
	}
	if p := t.Request.Permission; p != nil {
		q.Permission = &apiPermission{
			Kind: p.Kind, Patterns: append([]string{}, p.Patterns...), Always: append([]string{}, p.Always...),
			Command: p.Command, Diff: p.Diff, Details: map[string]string{},
		}
		for _, d := range p.Details {
			q.Permission.Details[d.Name] = d.Text
		}
	}
	return q
}

func (q *apiQuestion) ended(t question.Thread) {
	by := question.Actor{}
	switch {
	case t.Outcome != nil:
		q.State, q.Answers, q.Note, by = string(t.Outcome.Kind), t.Outcome.Answers, t.Outcome.Note, t.Outcome.By
	case t.Decision != nil:
		q.State, q.Answers, q.Note, by = "deciding", t.Decision.Answers, t.Decision.Note, t.Decision.By
	}
	switch {
	case by.Kind == question.RuleActor:
		q.By, q.Rule = string(by.Kind), by.Name
	case by.Name != "":
		q.By = by.Name
	default:
		q.By = string(by.Kind)
	}
}

func itemToAPI(item question.Item) apiItem {
	a := apiItem{
		ID: item.ID, Header: item.Header, Question: item.Text, Options: []apiOption{},
		Multiple: item.Multiple, Custom: item.TakesText(),
	}
	for _, o := range item.Options {
		a.Options = append(a.Options, apiOption{o.Label, o.Description, o.ID, o.Cancels})
	}
	return a
}

// maxLast bounds how many questions are listed with those that have ended.
const maxLast = 1000

// listQuestions tells what is open, or with ?last=20 the last that were asked, whether
// they are open or not.
func (d *daemon) listQuestions(w http.ResponseWriter, r *http.Request) {
	last, given := 0, r.URL.Query().Get("last")
	if given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 || n > maxLast {
			refuse(w, http.StatusBadRequest, fmt.Sprintf("last: must be a number from 1 to %d", maxLast))
			return
		}
		last = n
	}
	threads, err := d.asked(r.Context(), last)
	if err != nil {
		d.fail(w, err)
		return
	}
	people, err := d.bridge.ForPeople(r.Context())
	if err != nil {
		d.fail(w, err)
		return
	}
	list := []apiQuestion{}
	for _, t := range threads {
		q := toAPI(t)
		q.leftTo(people)
		list = append(list, q)
	}
	reply(w, http.StatusOK, map[string]any{"questions": list})
}

// asked lists the threads that have not ended, or the last that were asked, oldest
// first.
func (d *daemon) asked(ctx context.Context, last int) ([]question.Thread, error) {
	threads, err := d.bridge.Open(ctx)
	if err != nil || last == 0 {
		return slices.DeleteFunc(threads, question.Thread.Settled), err
	}
	ended, err := d.store.Ended(last)
	for _, t := range ended {
		if t.Request.Admission == nil && !slices.ContainsFunc(threads, func(o question.Thread) bool { return o.ID == t.ID }) {
			threads = append(threads, t)
		}
	}
	slices.SortStableFunc(threads, func(x, y question.Thread) int { return x.Asked.Compare(y.Asked) })
	return threads[max(0, len(threads)-last):], err
}

func (d *daemon) getQuestion(w http.ResponseWriter, r *http.Request) {
	t, err := d.bridge.Thread(r.Context(), question.ID(r.PathValue("id")))
	if err == nil && t.Request.Admission != nil {
		err = bridge.ErrUnknown // it is in GET /v1/pair
	}
	if err != nil {
		d.fail(w, err)
		return
	}
	people, err := d.bridge.ForPeople(r.Context())
	if err != nil {
		d.fail(w, err)
		return
	}
	q := toAPI(t)
	q.leftTo(people)
	reply(w, http.StatusOK, q)
}

// leftTo notes why the question can only be answered in the chat, if that is so.
func (q *apiQuestion) leftTo(people map[question.ID]error) {
	if why := people[q.ID]; why != nil {
		q.InChat = why.Error()
	}
}

// answerQuestion takes {"answers":[["A"]]} or {"reject":true}; for a permission
// [["once"]] or [["always"]], and with a rejection "note". 200 says that the
// answer is stored, and will be delivered; GET tells when that is proven.
func (d *daemon) answerQuestion(w http.ResponseWriter, r *http.Request) {
	answers, note, status, fault := readAnswer(http.MaxBytesReader(w, r.Body, maxAnswer))
	if fault != "" {
		refuse(w, status, fault)
		return
	}
	if err := d.bridge.Answer(r.Context(), question.ID(r.PathValue("id")), answers, note); err != nil {
		d.fail(w, err)
		return
	}
	d.getQuestion(w, r)
}

// readAnswer reads the body; nil answers dismiss the question. A fault comes with
// the status that it is refused with.
func readAnswer(body io.Reader) (answers question.Answers, note string, status int, fault string) {
	var in struct {
		Answers question.Answers `json:"answers"`
		Reject  bool             `json:"reject"`
		Note    string           `json:"note"`
	}
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&in)
	if err == nil {
		err = atEnd(decoder)
	}
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

// atEnd fails if there is more than one value.
func atEnd(decoder *json.Decoder) error {
	_, err := decoder.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return errors.Join(err, errors.New("there is more than one value"))
}

// fail answers with what the bridge said. The store's failures are not for
// callers: they are in the log.
func (d *daemon) fail(w http.ResponseWriter, err error) {
	var invalid *bridge.Invalid
	switch {
	case errors.Is(err, bridge.ErrUnknown):
		refuse(w, http.StatusNotFound, bridge.ErrUnknown.Error())
	case errors.Is(err, question.ErrUnreadable):
		refuse(w, http.StatusGone, "hermes cannot read what it kept of this, and has set it aside; see hermes unreadable")
	case errors.Is(err, bridge.ErrSettled):
		refuse(w, http.StatusConflict, bridge.ErrSettled.Error())
	case errors.Is(err, bridge.ErrPeople):
		refuse(w, http.StatusForbidden, bridge.ErrPeople.Error())
	case errors.Is(err, bridge.ErrAdmission):
		refuse(w, http.StatusForbidden, bridge.ErrAdmission.Error())
	case errors.Is(err, bridge.ErrChat):
		refuse(w, http.StatusForbidden, bridge.ErrChat.Error())
	case errors.As(err, &invalid):
		refuse(w, http.StatusBadRequest, invalid.Error())
	default:
		d.log.Error("a request failed", "err", err)
		refuse(w, http.StatusInternalServerError, "hermes could not do that; its log says why")
	}
}

func refuse(w http.ResponseWriter, status int, sentence string) {
	reply(w, status, map[string]string{"error": sentence})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the caller is gone if this fails
}
