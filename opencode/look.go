package opencode

import (
	"context"
	"errors"
	"slices"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// Look finds out what OpenCode knows of a request now. Only FoundAnswered and
// FoundDismissed prove what the agent received; only FoundOpen means that an
// answer can still reach it. The request's id may be empty, as long as its call
// is known.
func (c *Client) Look(ctx context.Context, r question.Request) (event.Finding, error) {
	if !c.canHave(r) {
		return event.Finding{Kind: event.FoundForgotten}, nil
	}
	if k, ok := protocolOf(r).(keeper); ok {
		if state, ok := k.State(c.Endpoint.Directory, r); ok {
			return c.lookAtState(ctx, k, r, state)
		}
	}
	list, busy, err := c.listWithBusy(ctx, func() ([]question.Request, error) { return c.listLike(ctx, r) })
	if err != nil {
		return event.Finding{}, err
	}
	if slices.ContainsFunc(list, func(l question.Request) bool { return r.ID != "" && l.ID == r.ID }) {
		return c.findListed(ctx, r, busy)
	}
	tool, err := c.toolCall(ctx, r)
	switch {
	case call.IsNotFound(err):
		return c.findLeftOver(ctx, r)
	case err != nil:
		return event.Finding{}, err
	}
	return c.findByCall(ctx, tool, r, busy)
}

// lookAtState finds out what became of an ask of which OpenCode keeps the state.
func (c *Client) lookAtState(
	ctx context.Context, k keeper, r question.Request, state call.Reading[event.Finding],
) (event.Finding, error) {
	kept, err := state.From(ctx, c.Endpoint)
	switch {
	case err == nil && kept.Kind != event.FoundCancelled:
		return kept, nil
	case err != nil && !call.IsNotFound(err):
		return event.Finding{}, err
	}
	// Before the messages: a session that rests by then has written the last of them.
	works, worksErr := c.works(ctx, r)
	since, sinceErr := c.messagesSince(ctx, r)
	switch {
	case call.IsNotFound(sinceErr):
		return event.Finding{Kind: event.FoundDeleted}, nil
	case worksErr != nil || sinceErr != nil:
		return event.Finding{}, errors.Join(worksErr, sinceErr)
	}
	gone := k.Gone(r, err == nil, since, works)
	if gone.Kind == event.FoundGone {
		gone.Start = c.start
	}
	return gone, nil
}

// works reports whether the session of an ask works. If the version lacks the route that
// lists active sessions, none does.
func (c *Client) works(ctx context.Context, r question.Request) (bool, error) {
	active, ok := protocolOf(r).Active()
	if !ok {
		return false, nil
	}
	list, err := active.From(ctx, c.Endpoint)
	if call.IsNoRoute(err) {
		return false, nil
	}
	return list[r.Session], err
}

// messagesSince reads the session's messages from the one that asked; without that one if it
// is not there. If it is none of the last ones, an empty one stands for those between, which are
// not read. The error is NotFound if the session is not there.
func (c *Client) messagesSince(ctx context.Context, r question.Request) ([]wire.Message, error) {
	last, ok := protocolOf(r).LastMessages(c.Endpoint.Directory, r.Session)
	if !ok {
		return nil, nil
	}
	list, err := last.From(ctx, c.Endpoint)
	if err != nil {
		return nil, err
	}
	asks := slices.IndexFunc(list, func(m wire.Message) bool { return m.ID == r.Message })
	if asks >= 0 || r.Message == "" {
		return list[max(asks, 0):], nil
	}
	m, err := c.askMessage(ctx, r)
	if call.IsNotFound(err) {
		return list, nil
	}
	return append([]wire.Message{m, {}}, list...), err
}

// listLike lists the asks of the request's protocol and kind.
func (c *Client) listLike(ctx context.Context, r question.Request) ([]question.Request, error) {
	list := protocol.Questions
	if r.Permission != nil {
		list = protocol.Permissions
	}
	return list(protocolOf(r), c.Endpoint.Directory).From(ctx, c.Endpoint)
}

// findListed finds out whether an agent waits for a listed ask.
func (c *Client) findListed(
	ctx context.Context, r question.Request, busy map[session.ID]bool,
) (event.Finding, error) {
	switch {
	case protocolOf(r).ListedWaits():
		return event.Finding{Kind: event.FoundOpen}, nil
	case busy[r.Session]:
		return c.findInTurn(ctx, r)
	}
	return c.findLeftOver(ctx, r)
}

// findInTurn distinguishes an ask that its session waits for from one that an aborted
// turn left behind while a newer turn keeps the session busy. The newer turn has
// written an assistant message after the one that asked; ids sort by time.
func (c *Client) findInTurn(ctx context.Context, r question.Request) (event.Finding, error) {
	open := event.Finding{Kind: event.FoundOpen}
	if r.Message == "" {
		return open, nil // it does not say
	}
	list, ok, err := c.lastMessages(ctx, r)
	switch {
	case !ok:
		return open, nil // nor does OpenCode
	case call.IsNotFound(err):
		return c.findLeftOver(ctx, r) // a deleted session stays busy
	}
	for _, m := range list {
		if m.Mine && m.ID > r.Message {
			return event.Finding{Kind: event.FoundStopped}, nil
		}
	}
	return open, err
}

// listWithBusy lists asks and the working sessions, at the same time.
func (c *Client) listWithBusy(
	ctx context.Context, list func() ([]question.Request, error),
) ([]question.Request, map[session.ID]bool, error) {
	if c.V2 != nil { // what is listed waits
		asks, err := list()
		return asks, nil, err
	}
	type status struct {
		busy map[session.ID]bool
		err  error
	}
	done := make(chan status, 1)
	go func() {
		busy, err := c.Sessions.Busy(ctx)
		done <- status{busy, err}
	}()
	asks, err := list()
	s := <-done
	if err == nil {
		err = s.err
	}
	return asks, s.busy, err
}

// findLeftOver distinguishes an aborted turn from a deleted session: both leave the
// request listed and nothing working on it.
func (c *Client) findLeftOver(ctx context.Context, r question.Request) (event.Finding, error) {
	_, err := c.named(ctx, r.Session)
	switch {
	case err == nil:
		return event.Finding{Kind: event.FoundStopped}, nil
	case call.IsNotFound(err):
		return event.Finding{Kind: event.FoundDeleted}, nil
	}
	return event.Finding{}, err
}

// findByCall reads from the tool call what became of an ask that is not listed.
func (c *Client) findByCall(
	ctx context.Context, tool wire.ToolCall, r question.Request, busy map[session.ID]bool,
) (event.Finding, error) {
	switch tool.Status {
	case "completed":
		if r.Permission != nil {
			return event.Finding{Kind: event.FoundAnswered}, nil
		}
		return event.Finding{Kind: event.FoundAnswered, Answers: tool.Answers}, nil
	case "error":
		return protocolOf(r).Failed(r, tool.Failure), nil
	}
	works, err := c.turnGoesOn(ctx, r, busy)
	if works {
		return event.Finding{Kind: event.FoundPassing}, err
	}
	return event.Finding{Kind: event.FoundForgotten}, err
}

// turnGoesOn reports whether the turn that asked is under way, for a request that is not
// listed and whose call has not ended. A process that was restarted may work on
// something newer in the same session. If the version lacks the route that lists active
// sessions, none counts as active.
func (c *Client) turnGoesOn(
	ctx context.Context, r question.Request, busy map[session.ID]bool,
) (bool, error) {
	if _, ok := protocolOf(r).Active(); ok {
		return c.works(ctx, r)
	}
	if !busy[r.Session] {
		return false, nil
	}
	now, err := c.findInTurn(ctx, r)
	return err != nil || now.Kind == event.FoundOpen, err
}

// toolCall finds the request's tool call in its message, or, when only the call's id
// is known, in the session's last messages. A call that is not there yet is a
// zero one; a NotFound error means that the session is not there.
func (c *Client) toolCall(ctx context.Context, r question.Request) (wire.ToolCall, error) {
	if r.Message != "" {
		m, err := c.askMessage(ctx, r)
		return wire.Call(m.Calls, r.Call), err
	}
	list, ok, err := c.lastMessages(ctx, r)
	if !ok {
		return wire.ToolCall{}, nil // only the lists tell of it
	}
	var calls []wire.ToolCall
	for _, m := range list {
		calls = append(calls, m.Calls...)
	}
	return wire.Call(calls, r.Call), err
}

// lastMessages reads the last messages of a request's session; false: no call can be found
// there. The session of an ask has a prompt at least: of a deleted one, 1.1.53 says that it
// has no messages (measured), which is a NotFound error here as well.
func (c *Client) lastMessages(ctx context.Context, r question.Request) ([]wire.Message, bool, error) {
	last, ok := protocolOf(r).LastMessages(c.Endpoint.Directory, r.Session)
	if !ok {
		return nil, false, nil
	}
	list, err := last.From(ctx, c.Endpoint)
	if err == nil && len(list) == 0 {
		err = &call.Error{Op: last.Op, Reason: call.NotFound}
	}
	return list, true, err
}

// askMessage reads the message that the ask's tool call is in.
func (c *Client) askMessage(ctx context.Context, r question.Request) (wire.Message, error) {
	return protocolOf(r).Message(c.Endpoint.Directory, r).From(ctx, c.Endpoint)
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
