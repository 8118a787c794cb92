package opencode

import (
	"context"
	"slices"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// How often a call is read whose input is not there yet: 1.1.53 asks before the
// call is in its message, newer versions before it has its input.
const (
	detailTries = 8
	detailEvery = 75 * time.Millisecond
	detailLimit = 2 * time.Second // for all of it, without pauses: what else happens in its session waits meanwhile
)

// Detailed adds to an ask what its message and tool call tell: who asks, and, for a
// permission, the call's input, as the ask itself need not say what will be done
// (on 1.1.53 it does not name the command). It reports false if the call could not
// be read: then the ask is as it was.
func (c *Client) Detailed(ctx context.Context, r question.Request) (question.Request, bool) {
	if r.Message == "" || r.Call == "" {
		return r, false
	}
	left := detailLimit
	for range detailTries {
		if left <= 0 || c.Endpoint.Pauses.Wait(ctx, c.Endpoint.Directory) != nil {
			break
		}
		began := time.Now()
		full, ok, again := c.tryDetails(ctx, r, left)
		if !again {
			return full, ok
		}
		left -= time.Since(began) // without the pause
	}
	return r, false
}

// tryDetails reads the call once. It reports again if it may be there in a moment, and
// returns in that moment.
func (c *Client) tryDetails(ctx context.Context, r question.Request, limit time.Duration) (full question.Request, ok, again bool) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := c.Message(ctx, r)
	tool := wire.Call(m.Calls, r.Call)
	switch {
	case err != nil && !call.IsNotFound(err):
		return r, false, false
	case err == nil && r.Permission != nil && tool.HasInput() && !isAskOf(m.Calls, r):
		return r, false, false
	case err == nil && (r.Permission == nil || tool.HasInput()):
		return addDetails(r, m.Agent, tool), true, false
	}
	return r, false, retry.Wait(ctx, detailEvery) == nil
}

// isAskOf reports whether the call in the message is the one that asks. Providers give
// several calls of a message one id, and OpenCode 1.1.53 keeps one part for them, with the
// input of the last, though each of them asks (measured on 1.1.53). So an input counts only
// if one call has the id, that call waits, and the command of a shell call has the words of
// all that OpenCode asks for. What does not count is not shown: people see what OpenCode
// itself says.
func isAskOf(calls []wire.ToolCall, r question.Request) bool {
	var found []wire.ToolCall
	for _, tool := range calls {
		if tool.ID == r.Call {
			found = append(found, tool)
		}
	}
	if len(found) != 1 || found[0].HasEnded() {
		return false
	}
	command := wire.Text(found[0].Input["command"])
	if p := r.Permission; p.Kind == "bash" && command != "" && p.Command == "" {
		return !slices.ContainsFunc(p.Patterns, func(pattern string) bool { return !hasWords(command, pattern) })
	}
	return true
}

// sharesCall reports whether two asks that wait at the same time say that they are of one
// call. One call asks for one thing after another, so they are of two.
func sharesCall(r, o question.Request) bool {
	return r.ID != o.ID && r.Permission != nil && o.Permission != nil && r.Call != "" &&
		r.Session == o.Session && r.Message == o.Message && r.Call == o.Call
}

// hasWords reports whether the words are in the text, in their order. OpenCode 1.1.53
// leaves out of a part of a command what it does not read as a word, such as $HOME.
func hasWords(text, words string) bool {
	for word := range strings.FieldsSeq(words) {
		_, rest, ok := strings.Cut(text, word)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// addDetails adds to an ask who asks and, for a permission, the call's input.
func addDetails(r question.Request, agent string, tool wire.ToolCall) question.Request {
	r.Agent = agent
	if r.Permission != nil {
		p := *r.Permission
		p.Details = append([]question.Detail{}, p.Details...)
		wire.AddInput(&p, tool.Input)
		r.Permission = &p
	}
	return r
}
