package opencode

import (
	"cmp"
	"context"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/release"
	v1 "hermes/opencode/v1"
	v2 "hermes/opencode/v2"
	"hermes/opencode/wire"
)

// Client reaches one OpenCode process for one directory: its asks and its sessions. It is safe for concurrent use.
type Client struct {
	line
	Endpoint *call.Endpoint

	protocol session.Protocol
	start    string // tells which start of OpenCode it reaches; empty: not known
}

// line is a line of OpenCode, 1.x or 2: how its asks are listed, heard, answered and looked up, and its sessions driven.
type line interface {
	asks
	sessions

	// Hear reads the events that say something of an ask, or of what a session does. Other
	// events are not known. Of one that makes no sense nothing is said.
	Hear(e wire.Event) (said []event.Event, known bool)
}

// asks are the asks of a directory.
type asks interface {
	Questions(context.Context) ([]question.Request, error)
	// Pending lists questions and permissions. waits reports false for one of them only when it is certain that no agent waits
	// for it any more.
	Pending(context.Context) (list []question.Request, waits func(context.Context, question.Request) bool, err error)
	Look(context.Context, question.Request) (event.Finding, error)
	Reply(context.Context, question.Request, question.Answers) error
	Reject(ctx context.Context, r question.Request, note string) error
	// Message reads the message that an ask's tool call is in.
	Message(context.Context, question.Request) (wire.Message, error)
}

// sessions are the sessions of a directory.
type sessions interface {
	Sessions(ctx context.Context, limit int) ([]session.Session, error)
	Session(context.Context, session.ID) (session.Session, error)
	// Named is a session without what it does now.
	Named(context.Context, session.ID) (session.Session, error)
	Busy(context.Context) (map[session.ID]bool, error)
	Turn(context.Context, session.ID) (session.Turn, error)
	Diff(context.Context, session.ID) (string, error)
	NextID(context.Context, session.ID) (session.MessageID, error)
	Prompt(context.Context, session.Prompt) error
	Prompted(context.Context, session.ID, session.MessageID) (bool, error)
	Wake(context.Context, session.ID, session.MessageID) error
	CreateOnce(ctx context.Context, at time.Time) (session.Session, error)
	Abort(context.Context, session.ID) error
	Agents(context.Context) ([]string, error)
	Subagents(context.Context) ([]string, error)
	Models(context.Context) ([]session.Model, error)
	Commands(context.Context) ([]string, error)
}

// NewClient makes a client for an OpenCode of this version, whose clock is ahead of this
// one. An empty version is one of 1.x.
func NewClient(e call.Endpoint, version string, ahead time.Duration) *Client {
	if release.IsSecond(version) {
		return newClientV2(e)
	}
	if e.Pauses == nil {
		e.Pauses = new(call.Pauses)
	}
	return &Client{line: v1.NewDriver(&e, version, ahead), Endpoint: &e, protocol: session.V1}
}

// newClientV2 makes a client for an OpenCode 2.
func newClientV2(e call.Endpoint) *Client {
	e.Pauses, e.Routes = new(call.Pauses), new(call.Routes)
	return &Client{line: v2.NewDriver(&e), Endpoint: &e, protocol: session.V2}
}

// forDirectory is the client for another directory.
func (c *Client) forDirectory(directory string) *Client {
	e, there := *c.Endpoint, *c
	e.Directory = directory
	there.Endpoint = &e
	switch d := c.line.(type) {
	case *v1.Driver:
		there.line = d.In(&e)
	case *v2.Driver:
		there.line = d.In(&e)
	}
	return &there
}

func (c *Client) isV2() bool { return c.protocol == session.V2 }

// Look finds out what OpenCode knows of an ask now. Only FoundAnswered and FoundDismissed prove what the agent received; only
// FoundOpen means that an answer can still reach it. Asks of 1.x and of 2 are not each other's: where a server of one line
// listens in the place of the other's, what waited there has ended.
func (c *Client) Look(ctx context.Context, r question.Request) (event.Finding, error) {
	if cmp.Or(r.Protocol, session.V1) != c.protocol {
		return event.Finding{Kind: event.FoundForgotten}, nil
	}
	found, err := c.line.Look(ctx, r)
	if found.Kind == event.FoundGone {
		found.Start = c.start
	}
	return found, err
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

// pause holds back all calls for the directory for some time.
func (c *Client) pause(d time.Duration) { c.Endpoint.Pauses.Begin(c.Endpoint.Directory, d) }
