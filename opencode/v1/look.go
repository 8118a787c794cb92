package v1

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// Pending lists all asks that are listed in the directory. waits reports false for one of them only when it is certain that no
// agent waits for it any more: an aborted turn leaves its asks listed.
func (d *Driver) Pending(ctx context.Context) (list []question.Request, waits func(context.Context, question.Request) bool, err error) {
	list, busy, err := d.listWithBusy(ctx, d.Questions, d.Permissions)
	return list, func(ctx context.Context, r question.Request) bool {
		f, err := d.findListed(ctx, r, busy)
		return err != nil || f.Kind == event.FoundOpen
	}, err
}

// listWithBusy lists asks and the working sessions, at the same time.
func (d *Driver) listWithBusy(
	ctx context.Context, lists ...func(context.Context) ([]question.Request, error),
) ([]question.Request, map[session.ID]bool, error) {
	type status struct {
		busy map[session.ID]bool
		err  error
	}
	done := make(chan status, 1)
	go func() {
		busy, err := d.Busy(ctx)
		done <- status{busy, err}
	}()
	var all []question.Request
	var err error
	for _, list := range lists {
		if err == nil {
			var asks []question.Request
			asks, err = list(ctx)
			all = append(all, asks...)
		}
	}
	s := <-done
	if err == nil {
		err = s.err
	}
	return all, s.busy, err
}

// Look finds out what OpenCode knows of an ask now. Only FoundAnswered and FoundDismissed prove what the agent received; only
// FoundOpen means that an answer can still reach it. The ask's id may be empty, as long as its call is known.
func (d *Driver) Look(ctx context.Context, r question.Request) (event.Finding, error) {
	like := d.Questions
	if r.Permission != nil {
		like = d.Permissions
	}
	list, busy, err := d.listWithBusy(ctx, like)
	if err != nil {
		return event.Finding{}, err
	}
	if slices.ContainsFunc(list, func(l question.Request) bool { return r.ID != "" && l.ID == r.ID }) {
		return d.findListed(ctx, r, busy)
	}
	tool, err := d.toolCall(ctx, r)
	switch {
	case call.IsNotFound(err):
		return d.findLeftOver(ctx, r)
	case err != nil:
		return event.Finding{}, err
	}
	return d.findByCall(ctx, tool, r, busy)
}

// findListed finds out whether an agent waits for a listed ask.
func (d *Driver) findListed(ctx context.Context, r question.Request, busy map[session.ID]bool) (event.Finding, error) {
	if busy[r.Session] {
		return d.findInTurn(ctx, r)
	}
	return d.findLeftOver(ctx, r)
}

// findInTurn distinguishes an ask that its session waits for from one that an aborted
// turn left behind while a newer turn keeps the session busy. The newer turn has
// written an assistant message after the one that asked; ids sort by time.
func (d *Driver) findInTurn(ctx context.Context, r question.Request) (event.Finding, error) {
	open := event.Finding{Kind: event.FoundOpen}
	if r.Message == "" {
		return open, nil // it does not say
	}
	list, err := d.messagesOfAsk(ctx, r)
	if call.IsNotFound(err) {
		return d.findLeftOver(ctx, r) // a deleted session stays busy
	}
	for _, m := range list {
		if m.isAnswer() && m.Info.ID > string(r.Message) {
			return event.Finding{Kind: event.FoundStopped}, nil
		}
	}
	return open, err
}

// findLeftOver distinguishes an aborted turn from a deleted session: both leave the
// request listed and nothing working on it.
func (d *Driver) findLeftOver(ctx context.Context, r question.Request) (event.Finding, error) {
	_, err := d.Info(ctx, r.Session)
	switch {
	case err == nil:
		return event.Finding{Kind: event.FoundStopped}, nil
	case call.IsNotFound(err):
		return event.Finding{Kind: event.FoundDeleted}, nil
	}
	return event.Finding{}, err
}

// findByCall reads from the tool call what became of an ask that is not listed.
func (d *Driver) findByCall(ctx context.Context, tool wire.ToolCall, r question.Request, busy map[session.ID]bool) (event.Finding, error) {
	switch tool.Status {
	case "completed":
		if r.Permission != nil {
			return event.Finding{Kind: event.FoundAnswered}, nil
		}
		return event.Finding{Kind: event.FoundAnswered, Answers: tool.Answers}, nil
	case "error":
		return failed(r, tool.Failure), nil
	}
	works, err := d.turnGoesOn(ctx, r, busy)
	if works {
		return event.Finding{Kind: event.FoundPassing}, err
	}
	return event.Finding{Kind: event.FoundForgotten}, err
}

// turnGoesOn reports whether the turn that asked is under way, for a request that is not
// listed and whose call has not ended. A process that was restarted may work on
// something newer in the same session.
func (d *Driver) turnGoesOn(ctx context.Context, r question.Request, busy map[session.ID]bool) (bool, error) {
	if !busy[r.Session] {
		return false, nil
	}
	now, err := d.findInTurn(ctx, r)
	return err != nil || now.Kind == event.FoundOpen, err
}

// toolCall finds the request's tool call in its message, or, when only the call's id
// is known, in the session's last messages. A call that is not there yet is a
// zero one; a NotFound error means that the session is not there.
func (d *Driver) toolCall(ctx context.Context, r question.Request) (wire.ToolCall, error) {
	if r.Message != "" {
		m, err := d.Message(ctx, r)
		return wire.Call(m.Calls, r.Call), err
	}
	list, err := d.messagesOfAsk(ctx, r)
	var calls []wire.ToolCall
	for _, m := range list {
		calls = append(calls, m.toWire().Calls...)
	}
	return wire.Call(calls, r.Call), err
}

// messagesOfAsk reads the last messages of a request's session. The session of an ask has a prompt at least: of a deleted one,
// 1.1.53 says that it has no messages (measured), which is a NotFound error here as well.
func (d *Driver) messagesOfAsk(ctx context.Context, r question.Request) ([]Message, error) {
	list, err := d.LastMessages(ctx, r.Session)
	if err == nil && len(list) == 0 {
		err = &call.Error{Op: "last messages", Reason: call.NotFound}
	}
	return list, err
}

// Message reads the message that an ask's tool call is in.
func (d *Driver) Message(ctx context.Context, r question.Request) (wire.Message, error) {
	var m Message
	err := d.Endpoint.Get(ctx, "message", messagePath(r.Session, r.Message), d.Endpoint.Query(), &m)
	return m.toWire(), err
}

// abortedText is what a call fails with whose turn was stopped; the same in 1.1.53 and
// 1.18.33.
const abortedText = "Tool execution aborted"

// failed is what became of an ask whose call failed with this text. A call that ended, well or badly, was let run. The texts
// are OpenCode's, the same in 1.1.53 and 1.18.33; 1.2.27 tells the error's name.
func failed(r question.Request, text string) event.Finding {
	if r.Permission == nil {
		return failedQuestion(r, text)
	}
	if refused, ok := refusedPermission(text); ok {
		return refused
	}
	if strings.Contains(text, abortedText) {
		return event.Finding{Kind: event.FoundStopped, Begun: true}
	}
	return event.Finding{Kind: event.FoundAnswered}
}

func failedQuestion(r question.Request, text string) event.Finding {
	switch {
	case strings.Contains(text, "dismissed this question"), strings.HasPrefix(text, "QuestionRejectedError("):
		return event.Finding{Kind: event.FoundDismissed}
	case r.ID == "" && !strings.Contains(text, "abort"):
		return event.Finding{Kind: event.FoundVoid}
	}
	return event.Finding{Kind: event.FoundStopped}
}

// The texts by which OpenCode tells an agent that a person refused.
const (
	refusedText = "rejected permission to use this specific tool call"
	notedText   = "with the following feedback: "
	refusedName = "PermissionRejectedError("
	notedName   = "PermissionCorrectedError("
)

// refusedPermission reports whether a call failed with this text because its permission was refused, and gives the finding.
func refusedPermission(text string) (event.Finding, bool) {
	if fields, named := strings.CutPrefix(text, notedName); named {
		return event.Finding{Kind: event.FoundDismissed, Note: feedbackIn(fields)}, true
	}
	if !strings.Contains(text, refusedText) && !strings.HasPrefix(text, refusedName) {
		return event.Finding{}, false
	}
	_, note, _ := strings.Cut(text, notedText)
	return event.Finding{Kind: event.FoundDismissed, Note: note}, true
}

// feedbackIn is the note in the fields of an error, which a bracket follows.
func feedbackIn(fields string) string {
	var e struct{ Feedback string }
	if json.NewDecoder(strings.NewReader(fields)).Decode(&e) != nil {
		return ""
	}
	return e.Feedback
}
