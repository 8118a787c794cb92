package opencode

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"hermes/internal/question"
)

// How often a call is read whose input is not there yet: 1.1.53 asks before the
// call is in its message, newer versions before it has its input.
const (
	detailTries = 8
	detailEvery = 75 * time.Millisecond
	detailLimit = 2 * time.Second // for all of it, without rests: what else happens in its session waits meanwhile
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
		if left <= 0 || c.rest.over(ctx, c.Directory) != nil {
			break
		}
		began := time.Now()
		full, ok, again := c.tryDetails(ctx, r, left)
		if !again {
			return full, ok
		}
		left -= time.Since(began) // without the rest
	}
	return r, false
}

// tryDetails reads the call once. It reports again if it may be there in a moment, and
// returns in that moment.
func (c *Client) tryDetails(ctx context.Context, r question.Request, limit time.Duration) (full question.Request, ok, again bool) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := c.message(ctx, r)
	parts := append(m.Parts, m.Data.Content...)
	part := pick(parts, r.Call)
	switch {
	case err != nil && !IsNotFound(err):
		return r, false, false
	case err == nil && r.Permission != nil && part.begun() && !asksFor(parts, r):
		return r, false, false
	case err == nil && (r.Permission == nil || part.begun()):
		return with(r, m, part), true, false
	}
	return r, false, after(ctx, detailEvery) == nil
}

// begun reports whether the call's input is known. It may be empty.
func (p wirePart) begun() bool {
	return len(p.State.Input) > 0 || p.State.Status != "" && p.State.Status != "pending"
}

// asksFor reports whether the call in the message is the one that asks. Providers give
// several calls of a message one id, and OpenCode 1.1.53 keeps one part for them, with the
// input of the last, though each of them asks (measured on 1.1.53). So an input counts only
// if one call has the id, that call waits, and the command of a shell call has the words of
// all that OpenCode asks for. What does not count is not shown: people see what OpenCode
// itself says.
func asksFor(parts []wirePart, r question.Request) bool {
	var found []wirePart
	for _, part := range parts {
		if part.is(r.Call) {
			found = append(found, part)
		}
	}
	if len(found) != 1 || found[0].State.Status == "completed" || found[0].State.Status == "error" {
		return false
	}
	command := textOf(found[0].State.Input["command"])
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

func with(r question.Request, m wireMessage, part wirePart) question.Request {
	r.Agent = cmp.Or(m.Info.Agent, m.Info.Mode, m.Data.Agent)
	if r.Permission != nil {
		p := *r.Permission
		p.Details = append([]question.Detail{}, p.Details...)
		tellInput(&p, part.State.Input)
		r.Permission = &p
	}
	return r
}

// message reads the message that the ask's tool call is in.
func (c *Client) message(ctx context.Context, r question.Request) (wireMessage, error) {
	var m wireMessage
	err := c.get(ctx, "message", sessionPath(r)+"/message/"+url.PathEscape(string(r.Message)), c.query(), &m)
	return m, err
}

// sessionPath is where the ask's session is.
func sessionPath(r question.Request) string {
	path := "/session/" + url.PathEscape(string(r.Session))
	if r.Protocol == question.V2 {
		return "/api" + path
	}
	return path
}
