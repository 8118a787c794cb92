package api

import (
	"cmp"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Question is an element of GET /v1/questions. Fields are only added.
type Question struct {
	ID        question.ID        `json:"id"`                           // hermes' own id, for the path
	Request   question.RequestID `json:"request,omitempty"`            // OpenCode's id, unique within its process; absent while hermes looks for it
	Session   session.ID         `json:"session"`                      // OpenCode's session
	Project   string             `json:"project"`                      // the folder's name, as messages show it
	Directory string             `json:"directory"`                    // the folder's path
	Resolved  string             `json:"resolved_directory,omitempty"` // the same path without symbolic links, if that is another
	Title     string             `json:"title,omitempty"`              // of the session
	Subagent  string             `json:"subagent,omitempty"`           // the subagent's session, if one asks
	Asked     time.Time          `json:"asked"`
	Deadline  *time.Time         `json:"deadline,omitempty"`             // absent until somebody can see the question, and if it waits for ever
	State     string             `json:"state"`                          // open; deciding: decided, but OpenCode has not proven yet that it took it; or how it ended
	HeldUntil *time.Time         `json:"held_until,omitempty"`           // deciding: not sent before, and somebody may take it back
	Waiting   bool               `json:"waiting_for_opencode,omitempty"` // OpenCode cannot be reached
	Answers   question.Answers   `json:"answers,omitempty"`              // one list of texts for each question: what was decided, and at the end what OpenCode took
	By        string             `json:"by,omitempty"`                   // who decided: a person's name, or rule, api, deadline (nobody answered in time) or opencode (at its own screen)
	Rule      string             `json:"rule,omitempty"`                 // that decided: By is "rule"
	Agent     string             `json:"agent,omitempty"`                // the agent that asks, if that is known
	Root      session.ID         `json:"root_session,omitempty"`         // the session above all subagents, if that is known
	Link      string             `json:"link,omitempty"`                 // the name of the link that it came over
	Owner     chat.UserID        `json:"owner,omitempty"`                // of that link, by Telegram's id; absent: nobody
	Context   string             `json:"context,omitempty"`              // of a program's question: what it says beside it
	Questions []Item             `json:"questions"`

	Permission *Permission `json:"permission,omitempty"` // it is a permission request, and has no questions: the answers are once or always, and a dismissal is a rejection
	Note       string      `json:"note,omitempty"`       // what a rejection told the agent

	Form   *question.Form `json:"form,omitempty"`   // its questions are fields of a form, which a program asks that works for OpenCode, and not its agent
	Values map[string]any `json:"values,omitempty"` // of a form: the answers as JSON values, by question_id; without those that were skipped

	InChat string `json:"in_chat,omitempty"` // a sentence that says why only people in the chat can answer it; absent: it can be answered here
}

// Permission is what an agent wants to do.
type Permission struct {
	Kind     string            `json:"kind"`              // OpenCode's word: bash, edit and so on
	Patterns []string          `json:"patterns"`          // what rules compare with theirs
	Always   []string          `json:"always"`            // what "always" adds
	Command  string            `json:"command,omitempty"` // the whole command, as far as it is known
	Diff     string            `json:"diff,omitempty"`    // what changes, as far as it is known
	Details  map[string]string `json:"details,omitempty"` // all else that OpenCode says of it

	Files  []question.FileChange `json:"files,omitempty"`  // of a change of several files: what becomes of each, as far as it is known
	Links  []question.FileLink   `json:"links,omitempty"`  // the files that are elsewhere than their names say, as far as it is known
	Unread bool                  `json:"unread,omitempty"` // hermes cannot read which files are changed
}

// Domain is the permission without its details, as rules look at it; nil if there is none.
func (p *Permission) Domain() *question.Permission {
	if p == nil {
		return nil
	}
	return &question.Permission{
		Kind: p.Kind, Patterns: p.Patterns, Always: p.Always, Command: p.Command, Diff: p.Diff, Unread: p.Unread, Files: p.Files, Links: p.Links,
	}
}

// Domain is what is asked as the domain has it.
func (q Question) Domain() question.Request {
	r := question.Request{
		ID: q.Request, Session: q.Session, Agent: q.Agent, Context: q.Context, Form: q.Form, Permission: q.Permission.Domain(),
	}
	for _, item := range q.Questions {
		i := question.Item{ID: item.ID, Header: item.Header, Text: item.Question, Multiple: item.Multiple, Custom: item.Custom, Field: item.Field.Domain()}
		for _, o := range item.Options {
			i.Options = append(i.Options, question.Option{Label: o.Label, Description: o.Description, ID: o.ID, Cancels: o.Cancels})
		}
		r.Items = append(r.Items, i)
	}
	return r
}

// Item is one of the questions of an ask.
type Item struct {
	ID       string   `json:"question_id,omitempty"` // of a program's ask, and of a form
	Header   string   `json:"header,omitempty"`
	Question string   `json:"question"`
	Options  []Option `json:"options"`
	Multiple bool     `json:"multiple"`
	Custom   bool     `json:"custom"`
	Field    *Field   `json:"field,omitempty"` // of a form
}

// Option is one of the answers to choose from.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	ID          string `json:"id,omitempty"` // of a program's ask, and of a form
	Cancels     bool   `json:"cancels,omitempty"`
}

// QuestionOf is a thread as the API shows it.
func QuestionOf(t question.Thread) Question {
	q := Question{
		ID: t.ID, Request: t.Request.ID, Session: t.Request.Session, Project: t.Project, Title: t.Place.Title,
		Subagent: t.Place.Subagent, Agent: t.Request.Agent, Root: t.Place.Root, Asked: t.Asked, Owner: t.Owner.ID, State: "open", Waiting: t.Away, Questions: []Item{}, Context: t.Request.Context,
	}
	if len(t.Origins) > 0 {
		q.Directory = t.Origins[0].Directory
	}
	for _, o := range t.Origins {
		q.Resolved = cmp.Or(q.Resolved, o.Resolved)
		if o.Way == session.Link {
			q.Link = cmp.Or(q.Link, o.Token)
		}
	}
	if !t.Deadline.IsZero() {
		q.Deadline = &t.Deadline
	}
	q.setEnd(t)
	for _, item := range t.Request.Items {
		q.Questions = append(q.Questions, itemOf(item))
	}
	if f := t.Request.Form; f != nil {
		q.Form = f
		if q.Answers != nil {
			q.Values = question.Values(t.Request, q.Answers)
		}
	}
	if p := t.Request.Permission; p != nil {
		q.Permission = &Permission{
			Kind: p.Kind, Patterns: append([]string{}, p.Patterns...), Always: append([]string{}, p.Always...),
			Command: p.Command, Diff: p.Diff, Details: map[string]string{}, Unread: p.Unread, Files: p.Files, Links: p.Links,
		}
		for _, d := range p.Details {
			q.Permission.Details[d.Name] = d.Text
		}
	}
	return q
}

func (q *Question) setEnd(t question.Thread) {
	by := question.Actor{}
	switch {
	case t.Outcome != nil:
		q.State, q.Answers, q.Note, by = string(t.Outcome.Kind), t.Outcome.Answers, t.Outcome.Note, t.Outcome.By
	case t.Decision != nil:
		q.State, q.Answers, q.Note, by = "deciding", t.Decision.Answers, t.Decision.Note, t.Decision.By
		if t.IsHeld() {
			q.HeldUntil = &t.Held.Until
		}
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

func itemOf(item question.Item) Item {
	a := Item{
		ID: item.ID, Header: item.Header, Question: item.Text, Options: []Option{},
		Multiple: item.Multiple, Custom: item.TakesText(),
	}
	for _, o := range item.Options {
		a.Options = append(a.Options, Option{o.Label, o.Description, o.ID, o.Cancels})
	}
	if item.Field != nil {
		a.Field = fieldOf(*item.Field)
	}
	return a
}

// MaxLast bounds how many questions are listed with those that have ended.
const MaxLast = 1000

// LeaveToPeople notes why the question can only be answered in the chat, if that is so.
func (q *Question) LeaveToPeople(people map[question.ID]error) {
	if why := people[q.ID]; why != nil {
		q.InChat = why.Error()
	}
}
