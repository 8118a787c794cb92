package v2

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// ListedWaits reports true: what is interrupted, or was asked before a restart, is listed no
// more.
func (p Protocol) ListedWaits() bool { return true }

// Active reads which sessions work, or wait for a person, in all directories; subagents' too.
func (p Protocol) Active() (call.Reading[map[session.ID]bool], bool) {
	return call.Reading[map[session.ID]bool]{Call: call.Get("active sessions", "/api/session/active", nil), Decode: wire.ActiveSessions}, true
}

// State is what OpenCode keeps of a form, for ten minutes after it was settled.
type State struct {
	Status string `json:"status"` // pending, answered, cancelled
	Answer answer `json:"answer"`
}

// State reads what OpenCode keeps of an ask. A form says how it was settled; that it was
// cancelled does not say whether somebody dismissed it or its turn was stopped (event.FoundCancelled).
// A permission is there while it waits, and no longer. The error is NotFound for what is gone: settled
// some time ago, asked before a restart, or of a session that was deleted.
func (p Protocol) State(directory string, r question.Request) (call.Reading[event.Finding], bool) {
	switch {
	case r.ID == "":
		return call.Reading[event.Finding]{}, false
	case r.Permission != nil:
		return call.Reading[event.Finding]{Call: call.Get("permission", permissionPath(r), nil), Decode: decodeWaiting}, true
	}
	query := formQuery(directory, r)
	return call.Reading[event.Finding]{
		// That of the preview first: it answers that of the release, too, without the state.
		Call:   call.Get("form", formPath(r)+"/state", query).Or(call.Get("", formPath(r), query)),
		Decode: func(body []byte) (event.Finding, error) { return decodeState(body, r) },
	}, true
}

func decodeWaiting(body []byte) (event.Finding, error) {
	var waiting struct{ Data permissionAsk }
	if err := json.Unmarshal(body, &waiting); err != nil {
		return event.Finding{}, err
	}
	if waiting.Data.ID == "" {
		return event.Finding{}, errNoState
	}
	return event.Finding{Kind: event.FoundOpen}, nil
}

// decodeState reads a state, or the form that it is in.
func decodeState(body []byte, r question.Request) (event.Finding, error) {
	var read struct {
		Data struct {
			State
			Form State `json:"state"`
		}
	}
	if err := json.Unmarshal(body, &read); err != nil {
		return event.Finding{}, err
	}
	s := read.Data.State
	if s.Status == "" {
		s = read.Data.Form
	}
	return s.finding(r)
}

// finding is what a state proves.
func (s State) finding(r question.Request) (event.Finding, error) {
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

// Gone is what became of an ask that is cancelled or gone, by what its session did from then
// on: the messages from the one that asked, which may be missing, and whether it works now. An
// empty one stands for messages that were not read: what came next is not known then.
func (p Protocol) Gone(r question.Request, cancelled bool, since []wire.Message, works bool) event.Finding {
	n := slices.IndexFunc(since, func(m wire.Message) bool { return m.ID == r.Message && r.Message != "" })
	if n < 0 {
		return p.unread(r, cancelled)
	}
	switch tool := wire.Call(since[n].Calls, r.Call); {
	case tool.Status == "completed" && r.Permission != nil:
		return event.Finding{Kind: event.FoundAnswered}
	case tool.Status == "completed":
		return event.Finding{Kind: event.FoundAnswered, Answers: tool.Answers}
	case tool.Status == "error":
		return p.failed(r, tool.Failure, cancelled, since[n+1:], works)
	case cancelled:
		return p.unread(r, cancelled) // the call ends when the others of its step have
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
func (p Protocol) unread(r question.Request, cancelled bool) event.Finding {
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

// failed is what became of an ask whose call failed with this text, before the messages after
// it. An abort ends the turn, so that a person speaks next. Only after a restart or a reload OpenCode
// goes on by itself; an `opencode serve` not after a restart.
func (p Protocol) failed(r question.Request, text string, cancelled bool, after []wire.Message, works bool) event.Finding {
	found := p.Failed(r, text)
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

// Failed is what became of an ask whose call failed with this text. The release has a text for a
// dismissal, for a refusal, and for the end or the reload of its directory (step.ts); the preview has one for every abort. Of a permission, a call that was refused
// with a note fails with no text (the preview) or the tool's own (the release).
func (p Protocol) Failed(r question.Request, text string) event.Finding {
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
