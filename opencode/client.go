package opencode

import (
	"cmp"
	"context"
	"errors"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/release"
	v1 "hermes/opencode/v1"
	v2 "hermes/opencode/v2"
)

// Client reaches one OpenCode process for one directory: its asks, by every protocol that
// it has, and its ordinary sessions. It is safe for concurrent use.
type Client struct {
	Endpoint *call.Endpoint
	Sessions *v1.Driver // of the same endpoint; nil: it is OpenCode 2
	V2       *v2.Driver // of the same endpoint; nil: it is OpenCode 1.x

	protocols []protocol // that this OpenCode has
	start     string     // tells which start of OpenCode it reaches; empty: not known
}

// NewClient makes a client for an OpenCode of this version, whose clock is ahead of this
// one. An empty version has the protocol of ordinary sessions of 1.x alone.
func NewClient(e call.Endpoint, version string, ahead time.Duration) *Client {
	if release.IsSecond(version) {
		return newClientV2(e)
	}
	if e.Pauses == nil {
		e.Pauses = new(call.Pauses)
	}
	return &Client{Sessions: v1.NewDriver(&e, version, ahead), Endpoint: &e, protocols: protocolsOf(version)}
}

// newClientV2 makes a client for an OpenCode 2.
func newClientV2(e call.Endpoint) *Client {
	e.Pauses, e.Routes = new(call.Pauses), new(call.Routes)
	return &Client{V2: v2.NewDriver(&e), Endpoint: &e, protocols: []protocol{v2.Protocol{}}}
}

// forDirectory is the client for another directory.
func (c *Client) forDirectory(directory string) *Client {
	e, there := *c.Endpoint, *c
	e.Directory = directory
	there.Endpoint = &e
	if c.V2 != nil {
		there.V2 = c.V2.In(&e)
	} else {
		there.Sessions = c.Sessions.In(&e)
	}
	return &there
}

// named is what is remembered of a session.
func (c *Client) named(ctx context.Context, id session.ID) (session.Session, error) {
	if c.V2 != nil {
		return c.V2.Session(ctx, id)
	}
	s, err := c.Sessions.Info(ctx, id)
	return nameOf(s), err
}

// Questions lists what is pending in the directory, by all protocols that this version
// has; leaks of aborted turns included: they stay listed in every version.
func (c *Client) Questions(ctx context.Context) ([]question.Request, error) {
	return c.listAll(ctx, protocol.Questions)
}

// Permissions lists the permission asks that are pending in the directory, as
// Questions lists questions.
func (c *Client) Permissions(ctx context.Context) ([]question.Request, error) {
	return c.listAll(ctx, protocol.Permissions)
}

// listing is how a protocol lists asks of one kind.
type listing = func(protocol, string) call.Reading[[]question.Request]

// listAll lists asks by all protocols. A server that has a protocol after the first by its
// version, and not its routes, has none of its asks.
func (c *Client) listAll(ctx context.Context, of listing) ([]question.Request, error) {
	var asks []question.Request
	for n, p := range c.protocols {
		list, err := of(p, c.Endpoint.Directory).From(ctx, c.Endpoint)
		if err != nil && (n == 0 || !call.IsNoRoute(err)) {
			return asks, err
		}
		asks = append(asks, list...)
	}
	return asks, nil
}

// Pending lists all asks that wait in the directory.
func (c *Client) Pending(ctx context.Context) ([]question.Request, error) {
	questions, err := c.Questions(ctx)
	if err != nil {
		return nil, err
	}
	permissions, err := c.Permissions(ctx)
	return append(questions, permissions...), err
}

// Reply sends the answers, one attempt. Success is no proof: before 1.15.8
// OpenCode answers 200 to a reply that does nothing, and every version does so
// after an abort. A NotFound error says that nothing waits under this id, and a *question.RefusedAnswers that
// a form does, and does not take these answers.
func (c *Client) Reply(ctx context.Context, r question.Request, answers question.Answers) error {
	err := c.Endpoint.Do(ctx, protocolOf(r).Reply(c.Endpoint.Directory, r, answers))
	var e *call.Error
	if r.Form != nil && errors.As(err, &e) && e.Tag == call.InvalidAnswerTag {
		return &question.RefusedAnswers{Message: e.Said}
	}
	return err
}

// Reject dismisses the request, one attempt. The same as for Reply holds. With a
// note, which only permission asks take, the agent gets that and continues; without,
// its turn ends.
func (c *Client) Reject(ctx context.Context, r question.Request, note string) error {
	return c.Endpoint.Do(ctx, protocolOf(r).Reject(c.Endpoint.Directory, r, note))
}

// pause holds back all calls for the directory for some time.
func (c *Client) pause(d time.Duration) { c.Endpoint.Pauses.Begin(c.Endpoint.Directory, d) }

// canHave reports whether this OpenCode can have the ask at all: those of 1.x and of 2 are not
// each other's. Where a server of one line listens in the place of the other's, what waited
// there has ended.
func (c *Client) canHave(r question.Request) bool {
	return cmp.Or(r.Protocol, session.V1) == c.protocols[0].Name()
}
