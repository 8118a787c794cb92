package opencode

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"hermes/internal/question"
)

// Look finds out what OpenCode knows of a request now. Only FoundAnswered and
// FoundDismissed prove what the agent received; only FoundOpen means that an
// answer can still reach it. The request's id may be empty, as long as its call
// is known.
func (c *Client) Look(ctx context.Context, r question.Request) (question.Finding, error) {
	list, busy, err := c.pending(ctx, func() ([]question.Request, error) { return c.like(ctx, r) })
	if err != nil {
		return question.Finding{}, err
	}
	if slices.ContainsFunc(list, func(l question.Request) bool { return r.ID != "" && l.ID == r.ID }) {
		return c.waits(ctx, r, busy)
	}
	part, err := c.call(ctx, r)
	switch {
	case IsNotFound(err):
		return c.leaked(ctx, r)
	case err != nil:
		return question.Finding{}, err
	}
	if r.Permission != nil {
		return c.granted(ctx, part, r, busy)
	}
	return c.found(ctx, part, r, busy)
}

// like lists the asks of the request's kind.
func (c *Client) like(ctx context.Context, r question.Request) ([]question.Request, error) {
	if r.Permission != nil {
		return c.permissions(ctx, r.Protocol)
	}
	return c.list(ctx, r.Protocol)
}

// waits tells whether an agent waits for a listed ask. Under /api it does: an
// interrupted ask is listed no more.
func (c *Client) waits(
	ctx context.Context, r question.Request, busy map[question.SessionID]bool,
) (question.Finding, error) {
	switch {
	case r.Protocol == question.V2:
		return question.Finding{Kind: question.FoundOpen}, nil
	case busy[r.Session]:
		return c.current(ctx, r)
	}
	return c.leaked(ctx, r)
}

// current tells an ask that its session waits for from one that an aborted turn
// left behind while a newer turn keeps the session busy. The newer turn has
// written an assistant message after the one that asked; ids sort by time.
func (c *Client) current(ctx context.Context, r question.Request) (question.Finding, error) {
	open := question.Finding{Kind: question.FoundOpen}
	if r.Message == "" {
		return open, nil // it does not say
	}
	list, err := c.lastMessages(ctx, "/session/"+url.PathEscape(string(r.Session))+"/message")
	if IsNotFound(err) {
		return c.leaked(ctx, r) // a deleted session stays busy
	}
	for _, m := range list {
		if m.Info.Role == "assistant" && m.Info.ID > string(r.Message) {
			return question.Finding{Kind: question.FoundStopped}, nil
		}
	}
	return open, err
}

// pending lists asks and the working sessions, at the same time.
func (c *Client) pending(
	ctx context.Context, list func() ([]question.Request, error),
) ([]question.Request, map[question.SessionID]bool, error) {
	type status struct {
		busy map[question.SessionID]bool
		err  error
	}
	done := make(chan status, 1)
	go func() {
		busy, err := c.Busy(ctx)
		done <- status{busy, err}
	}()
	asks, err := list()
	s := <-done
	if err == nil {
		err = s.err
	}
	return asks, s.busy, err
}

// leaked tells an aborted turn from a deleted session: both leave the request
// listed and nothing working on it.
func (c *Client) leaked(ctx context.Context, r question.Request) (question.Finding, error) {
	_, err := c.session(ctx, r.Session)
	switch {
	case err == nil:
		return question.Finding{Kind: question.FoundStopped}, nil
	case IsNotFound(err):
		return question.Finding{Kind: question.FoundDeleted}, nil
	}
	return question.Finding{}, err
}

// found reads the end from the tool call. The error texts are OpenCode's, the
// same in 1.1.53 and 1.18.33.
func (c *Client) found(
	ctx context.Context, part wirePart, r question.Request, busy map[question.SessionID]bool,
) (question.Finding, error) {
	switch part.State.Status {
	case "completed":
		return question.Finding{Kind: question.FoundAnswered, Answers: part.answers()}, nil
	case "error":
		return question.Finding{Kind: failed(string(part.State.Error), r)}, nil
	}
	works, err := c.works(ctx, r, busy)
	if works {
		return question.Finding{Kind: question.FoundPassing}, err
	}
	return question.Finding{Kind: question.FoundForgotten}, err
}

// works reports whether the turn that asked is under way, for a request that is not
// listed and whose call has not ended. A process that was restarted may work on
// something newer in the same session.
func (c *Client) works(
	ctx context.Context, r question.Request, busy map[question.SessionID]bool,
) (bool, error) {
	if r.Protocol == question.V2 {
		return c.active(ctx, r.Session)
	}
	if !busy[r.Session] {
		return false, nil
	}
	now, err := c.current(ctx, r)
	return err != nil || now.Kind == question.FoundOpen, err
}

func failed(text string, r question.Request) question.FindingKind {
	switch {
	case strings.Contains(text, "dismissed this question"):
		return question.FoundDismissed
	case r.ID == "" && !strings.Contains(text, "abort"):
		return question.FoundVoid
	}
	return question.FoundStopped
}

// call finds the request's tool call in its message, or, when only the call's id
// is known, in the session's last messages. A call that is not there yet is a
// pending one; a NotFound error means that the session is not there.
func (c *Client) call(ctx context.Context, r question.Request) (wirePart, error) {
	switch {
	case r.Message == "" && r.Protocol == question.V2:
		return wirePart{}, nil // it names no call: only the lists tell of it
	case r.Message == "":
		return c.lastCall(ctx, sessionPath(r)+"/message", r)
	}
	m, err := c.message(ctx, r)
	return pick(append(m.Parts, m.Data.Content...), r.Call), err
}

func (c *Client) lastCall(ctx context.Context, path string, r question.Request) (wirePart, error) {
	list, err := c.lastMessages(ctx, path)
	var parts []wirePart
	for _, m := range list {
		parts = append(parts, m.Parts...)
	}
	return pick(parts, r.Call), err
}

// lastMessages are the session's last few: a queued prompt may stand behind the
// message that matters.
func (c *Client) lastMessages(ctx context.Context, path string) ([]wireMessage, error) {
	return c.messages(ctx, path, 3)
}

// pick takes the last call of that id, as providers use ids again.
func pick(parts []wirePart, call question.CallID) wirePart {
	for _, part := range slices.Backward(parts) {
		if call != "" && part.is(call) {
			return part
		}
	}
	return wirePart{}
}

// Resolve finds the pending request of a captured tool call: by call id, session
// and message as far as they are known; else the session's only question. It
// reports false when there is none, which is transient while the call begins.
func (c *Client) Resolve(ctx context.Context, r question.Request) (question.Request, bool, error) {
	list, err := c.Questions(ctx)
	if err != nil {
		return r, false, err
	}
	var mine []question.Request
	for _, l := range list {
		if l.Session != r.Session {
			continue
		}
		if l.Call == r.Call && (r.Message == "" || l.Message == r.Message) {
			return l, true, nil
		}
		mine = append(mine, l)
	}
	if len(mine) == 1 && mine[0].Call == "" {
		return mine[0], true, nil
	}
	return r, false, nil
}
