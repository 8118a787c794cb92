package v2

import (
	"cmp"
	"encoding/json"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// Hear reads the events that say something of an ask, or of what a session does. Nothing is
// said of an ask that an interrupt takes away, but of the session's turn, which ends: that is a
// reason to look. Nor does form.cancelled say whether a person dismissed the form.
func (d *Driver) Hear(e wire.Event) (said []event.Event, known bool) {
	switch e.Type {
	case "form.created":
		return hearForm(e), true
	case "form.replied":
		return hearAnswer(e), true
	case "form.cancelled":
		return touched(e), true
	case "permission.asked", "permission.v2.asked": // the release, the preview
		return wire.Asked[permissionAsk](e, session.V2), true
	case "permission.replied", "permission.v2.replied":
		return e.PermissionReplied(), true
	case "location.shutdown": // of the release: a reload, or its end
		return []event.Event{{Kind: event.Unloaded}}, true
	case "session.deleted":
		return ofSession(e, event.Event{Kind: event.Finished}), true
	}
	return hearTurn(e)
}

// hearTurn reads how a turn begins and ends. It ends with exactly one of three events. One that a person interrupts ends for
// the reason user, and one in which a question was dismissed or a permission rejected for shutdown (measured on the preview).
func hearTurn(e wire.Event) (said []event.Event, known bool) {
	worked, rested := event.Event{Kind: event.Worked}, event.Event{Kind: event.Rested}
	d := dataOf(e)
	switch e.Type {
	case "session.execution.started", "session.step.started":
		return ofSession(e, worked), true
	case "session.retry.scheduled":
		return ofSession(e, worked, event.Event{Kind: event.Retried, Text: firstLine(d.Error.String())}), true
	case "session.execution.interrupted":
		said := append(touched(e), ofSession(e, rested)...)
		if d.Reason == "shutdown" {
			said = append(ofSession(e, event.Event{Kind: event.Declined}), said...)
		}
		return said, true
	case "session.execution.succeeded":
		return append(touched(e), ofSession(e, rested)...), true
	case "session.execution.failed":
		return append(touched(e), ofSession(e, event.Event{Kind: event.Failed, Text: firstLine(d.Error.String())}, rested)...), true
	}
	return nil, false
}

// hearForm reads a new form.
func hearForm(e wire.Event) []event.Event {
	var created struct {
		Form Form `json:"form"`
	}
	err := json.Unmarshal(e.Properties, &created)
	if err != nil || created.Form.ID == "" {
		return nil
	}
	r := created.Form.Request(session.V2)
	return []event.Event{{Kind: event.Asked, Session: r.Session, Asks: []event.Ask{{Request: r}}}}
}

// hearAnswer reads how a form was answered. Of one that has other fields than a question only
// the form itself tells.
func hearAnswer(e wire.Event) []event.Event {
	var replied struct {
		ID        string `json:"id"`
		SessionID string `json:"sessionID"`
		Answer    answer `json:"answer"`
	}
	if json.Unmarshal(e.Properties, &replied) != nil || replied.ID == "" {
		return touched(e)
	}
	answers, ok := replied.Answer.inOrder()
	if !ok {
		return touched(e)
	}
	return []event.Event{{
		Kind: event.Replied, ID: question.RequestID(replied.ID), Session: session.ID(replied.SessionID), Answers: answers,
	}}
}

// data is what hermes reads of the events that are not about an ask.
type data struct {
	SessionID string   `json:"sessionID"`
	ParentID  string   `json:"parentID"`
	ProjectID string   `json:"projectID"`
	Title     string   `json:"title"`
	Reason    string   `json:"reason"` // of an interrupted turn
	Error     failure  `json:"error"`
	Info      struct { // of a new session, in the preview; in the release the event itself has it
		ParentID  string `json:"parentID"`
		ProjectID string `json:"projectID"`
		Title     string `json:"title"`
	} `json:"info"`
}

// dataOf reads an event. What does not fit stays empty.
func dataOf(e wire.Event) data {
	var d data
	_ = json.Unmarshal(e.Properties, &d)
	return d
}

// touched is a reason to look at the session that the event is of.
func touched(e wire.Event) []event.Event { return e.Touched() }

// ofSession gives events the session that the event is of; none, if it is of none.
func ofSession(e wire.Event, events ...event.Event) []event.Event {
	id := session.ID(dataOf(e).SessionID)
	if id == "" {
		return nil
	}
	for n := range events {
		events[n].Session = id
	}
	return events
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// NameOf reads an event that gives a session its name. Of one that is renamed the parent is
// not known; it reports false for any other event.
func NameOf(e wire.Event) (session.Session, bool) {
	d := dataOf(e)
	switch e.Type {
	case "session.created":
		return session.Session{
			ID: session.ID(d.SessionID), Parent: session.ID(cmp.Or(d.ParentID, d.Info.ParentID)),
			Title: givenTitle(cmp.Or(d.Title, d.Info.Title)), Project: cmp.Or(d.ProjectID, d.Info.ProjectID),
		}, d.SessionID != ""
	case "session.renamed":
		return session.Session{ID: session.ID(d.SessionID), Title: givenTitle(d.Title)}, d.SessionID != ""
	}
	return session.Session{}, false
}

// SessionOf is the session that an event speaks of; empty: of none. Most events say their
// directory as well; those of a turn's begin and end say this alone.
func SessionOf(e wire.Event) session.ID {
	var created struct {
		Form struct {
			SessionID string `json:"sessionID"`
		} `json:"form"`
	}
	_ = json.Unmarshal(e.Properties, &created) // of any other form: it is in the data
	if id := created.Form.SessionID; id != "" {
		return session.ID(id)
	}
	return session.ID(dataOf(e).SessionID)
}
