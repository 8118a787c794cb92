package v2

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// Look finds out what OpenCode knows of an ask now. Only FoundAnswered and FoundDismissed prove what the agent received; only
// FoundOpen means that an answer can still reach it.
//
// A form says how it was settled, for ten minutes; that it was cancelled does not say whether somebody dismissed it or its turn
// was stopped. A permission is there while it waits, and no longer. Of what was cancelled, or is gone (settled some time ago,
// asked before a restart, or of a session that was deleted), the session tells.
func (d *Driver) Look(ctx context.Context, r question.Request) (event.Finding, error) {
	if r.ID == "" { // only a plugin of 1.x tells of calls before they ask
		return event.Finding{Kind: event.FoundForgotten}, nil
	}
	kept, err := d.kept(ctx, r)
	switch {
	case err == nil && kept.Kind != event.FoundCancelled:
		return kept, nil
	case err != nil && !call.IsNotFound(err):
		return event.Finding{}, err
	}
	// Before the messages: a session that rests by then has written the last of them.
	working, workingErr := d.Busy(ctx)
	if call.IsNoRoute(workingErr) {
		workingErr = nil // then none works
	}
	since, sinceErr := d.messagesSince(ctx, r)
	switch {
	case call.IsNotFound(sinceErr):
		return event.Finding{Kind: event.FoundDeleted}, nil
	case workingErr != nil || sinceErr != nil:
		return event.Finding{}, errors.Join(workingErr, sinceErr)
	}
	return gone(r, err == nil, since, working[r.Session]), nil
}

// kept reads what OpenCode keeps of an ask.
func (d *Driver) kept(ctx context.Context, r question.Request) (found event.Finding, err error) {
	state := stateOf(d.Endpoint.Directory, r)
	err = d.Endpoint.Decode(ctx, state, func(body []byte) error {
		found, err = decodeState(body, r)
		return err
	})
	return found, err
}

func stateOf(directory string, r question.Request) call.Call {
	if r.Permission != nil {
		return call.Get("permission", permissionPath(r), nil)
	}
	query := formQuery(directory, r)
	// That of the preview first: it answers that of the release, too, without the state.
	return call.Get("form", formPath(r)+"/state", query).Or(call.Get("", formPath(r), query))
}

// messagesSince reads the session's messages from the one that asked, the newest last; without that one if it is not there. If
// it is none of the last ones, an empty one stands for those between, which are not read. The error is NotFound if the session
// is not there. Forms of no session have none.
func (d *Driver) messagesSince(ctx context.Context, r question.Request) ([]wire.Message, error) {
	if r.Session == globalSession {
		return nil, nil
	}
	all, err := d.readMessages(ctx, r.Session, lastFew)
	if err != nil {
		return nil, err
	}
	list := spokenIn(all)
	asks := slices.IndexFunc(list, func(m wire.Message) bool { return m.ID == r.Message })
	if asks >= 0 || r.Message == "" {
		return list[max(asks, 0):], nil
	}
	m, err := d.Message(ctx, r)
	if call.IsNotFound(err) {
		return list, nil
	}
	return append([]wire.Message{m, {}}, list...), err
}

// state is what OpenCode keeps of a form, for ten minutes after it was settled.
type state struct {
	Status string `json:"status"` // pending, answered, cancelled
	Answer answer `json:"answer"`
}

// decodeState reads a permission that waits, a state, or the form that it is in.
func decodeState(body []byte, r question.Request) (event.Finding, error) {
	var read struct {
		Data struct {
			ID string `json:"id"`
			state
			Form state `json:"state"`
		}
	}
	err := json.Unmarshal(body, &read)
	switch s := read.Data.state; {
	case err != nil:
		return event.Finding{}, err
	case r.Permission != nil && read.Data.ID != "":
		return event.Finding{Kind: event.FoundOpen}, nil
	case r.Permission != nil:
		return event.Finding{}, errNoState
	case s.Status != "":
		return s.finding(r)
	}
	return read.Data.Form.finding(r)
}

// finding is what a state proves.
func (s state) finding(r question.Request) (event.Finding, error) {
	switch s.Status {
	case "pending":
		return event.Finding{Kind: event.FoundOpen}, nil
	case "answered":
		answers, _ := s.Answer.answersTo(r.Items) // what no item is of, nobody here can read
		if r.Form != nil {
			answers = s.Answer.filledIn(r)
		}
		return event.Finding{Kind: event.FoundAnswered, Answers: answers}, nil
	case "cancelled":
		return event.Finding{Kind: event.FoundCancelled}, nil
	}
	return event.Finding{}, errNoState
}

// gone is what became of an ask that is cancelled or gone, by what its session did from then
// on: the messages from the one that asked, which may be missing, and whether it works now. An
// empty one stands for messages that were not read: what came next is not known then.
func gone(r question.Request, cancelled bool, since []wire.Message, works bool) event.Finding {
	n := slices.IndexFunc(since, func(m wire.Message) bool { return m.ID == r.Message && r.Message != "" })
	if n < 0 {
		return unread(r, cancelled)
	}
	switch tool := wire.Call(since[n].Calls, r.Call); {
	case tool.Status == "completed" && r.Permission != nil:
		return event.Finding{Kind: event.FoundAnswered}
	case tool.Status == "completed":
		return event.Finding{Kind: event.FoundAnswered, Answers: tool.Answers}
	case tool.Status == "error":
		return failedBefore(r, tool.Failure, cancelled, since[n+1:], works)
	case cancelled:
		return unread(r, cancelled) // the call ends when the others of its step have
	case works && !goesOn(since[n+1:]):
		return event.Finding{Kind: event.FoundPassing}
	}
	// Killed with its turn, a call stays as it was (measured on the preview).
	return event.Finding{Kind: event.FoundForgotten, WentOn: wentOn(since[n+1:], works)}
}

// wentOn reports whether the agent goes on by itself behind a call that failed, before these messages.
func wentOn(after []wire.Message, works bool) bool {
	return len(after) == 0 && works || len(after) > 0 && after[0].Mine
}

// unread is what became of an ask whose call tells nothing. A form without one, as of an MCP
// server, is of no turn: no stop takes it away (capture 12), so that it was cancelled for itself, by
// a person or by a program. When nothing is kept of it, it does not come back.
func unread(r question.Request, cancelled bool) event.Finding {
	switch {
	case cancelled && r.Call == "":
		return event.Finding{Kind: event.FoundDismissed}
	case cancelled:
		return event.Finding{Kind: event.FoundCancelled}
	case r.Permission != nil:
		return event.Finding{Kind: event.FoundEnded}
	case r.Call == "":
		return event.Finding{Kind: event.FoundGone}
	}
	return event.Finding{Kind: event.FoundPassing}
}

// goesOn reports whether the agent has written another message: then the calls of the one
// before have ended.
func goesOn(after []wire.Message) bool {
	return slices.ContainsFunc(after, func(m wire.Message) bool { return m.Mine })
}

// failedBefore is what became of an ask whose call failed with this text, before the messages after
// it. An abort ends the turn, so that a person speaks next. Only after a restart or a reload OpenCode
// goes on by itself; an `opencode serve` not after a restart.
func failedBefore(r question.Request, text string, cancelled bool, after []wire.Message, works bool) event.Finding {
	found := failed(r, text)
	switch {
	case found.Kind == event.FoundForgotten:
		found.WentOn = wentOn(after, works)
		return found
	case cancelled && r.Permission == nil && found.Kind == event.FoundStopped: // the newest: with a text, of a person or of OpenCode itself
		return event.Finding{Kind: event.FoundDismissed}
	case found.Kind != event.FoundCancelled || cancelled:
		return found
	case len(after) > 0 && after[0].Mine:
		return event.Finding{Kind: event.FoundForgotten, WentOn: true}
	case len(after) == 0 && works:
		return event.Finding{Kind: event.FoundPassing} // it ends, or is being resumed
	}
	return found
}

// failed is what became of an ask whose call failed with this text. The release has a text for a
// dismissal, for a refusal, and for the end or the reload of its directory (step.ts); the preview has one for every abort. Of a permission, a call that was refused
// with a note fails with no text (the preview) or the tool's own (the release).
func failed(r question.Request, text string) event.Finding {
	switch aborted := strings.HasPrefix(text, abortedType+": "); {
	case r.Permission == nil && strings.Contains(text, "dismissed this question"):
		return event.Finding{Kind: event.FoundDismissed}
	case aborted && strings.Contains(text, "declined this tool call") && r.Permission != nil:
		return event.Finding{Kind: event.FoundDismissed}
	case aborted && strings.Contains(text, "location shut down"):
		return event.Finding{Kind: event.FoundForgotten}
	case aborted:
		return event.Finding{Kind: event.FoundCancelled, Begun: r.Permission != nil}
	case r.Permission != nil:
		return event.Finding{Kind: event.FoundEnded}
	case r.ID == "":
		return event.Finding{Kind: event.FoundVoid}
	}
	return event.Finding{Kind: event.FoundStopped}
}

// errNoState: the answer is of no form that is known.
var errNoState = errors.New("it says no state")
