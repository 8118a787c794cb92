package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// take does what a message asks for. Calls of tools go on after it.
func (c *connection) take(ctx context.Context, raw json.RawMessage) {
	list, several := messages(raw)
	if !several {
		c.handle(ctx, raw, func(r response) { _ = c.send(ctx, r) }) // if it cannot be sent, ctx has ended
		return
	}
	b := &batch{open: len(list), send: func(all []response) { _ = c.send(ctx, all) }}
	for _, one := range list {
		c.handleThen(ctx, one, b.add, b.done)
	}
}

// batch gathers the responses to a batch, which are one message.
type batch struct {
	send func([]response)

	mu      sync.Mutex
	open    int // requests that are not done
	answers []response
}

func (b *batch) add(r response) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = append(b.answers, r)
}

func (b *batch) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	if b.open == 0 && len(b.answers) > 0 {
		b.send(b.answers)
	}
}

func (c *connection) handle(ctx context.Context, raw json.RawMessage, reply func(response)) {
	c.handleThen(ctx, raw, reply, func() {})
}

// handleThen handles one request or notification; done is called when nothing more comes of it.
func (c *connection) handleThen(ctx context.Context, raw json.RawMessage, reply func(response), done func()) {
	var r request
	var p params
	answer := func(result any, wrong *fault) {
		reply(response{Version: "2.0", ID: r.ID, Result: result, Error: wrong})
	}
	if json.Unmarshal(raw, &r) != nil || r.Version != "2.0" {
		r.ID = json.RawMessage("null")
		answer(nil, &fault{invalidRequest, "not a message of JSON-RPC 2.0", nil})
		done()
		return
	}
	var wrong error
	if len(r.Params) > 0 {
		wrong = json.Unmarshal(r.Params, &p)
	}
	switch {
	case !r.isCall():
		c.note(r, p)
	case r.Method == "": // a response: hermes asks the client nothing
	case wrong != nil:
		answer(nil, &fault{invalidParams, "invalid params of " + r.Method, nil})
	case r.Method == "tools/call":
		c.call(ctx, r, p, answer, done)
		return
	default:
		answer(c.result(r, p))
	}
	done()
}

// note takes a notification. All but one say nothing that matters here.
func (c *connection) note(r request, p params) {
	if r.Method != "notifications/cancelled" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.calls[string(p.RequestID)]; ok {
		cancel()
	}
}

// result answers what needs no time.
func (c *connection) result(r request, p params) (any, *fault) {
	isModern, wrong := p.isModern()
	if wrong != nil {
		return nil, wrong
	}
	switch {
	case r.Method == "initialize" && !isModern:
		if p.ClientInfo != nil {
			c.client = p.ClientInfo.Name
		}
		return c.server.hello(p), nil
	case r.Method == "ping" && !isModern:
		return struct{}{}, nil
	case r.Method == "server/discover" && isModern:
		return c.server.discovered(), nil
	case r.Method == "tools/list":
		return c.server.list(isModern), nil
	}
	return nil, &fault{methodNotFound, fmt.Sprintf("method not found: %q", r.Method), nil}
}

func (s Server) is() implementation { return implementation{s.Name, s.Title, s.Version} }

// does are the server's capabilities: its tools stay the same.
func does() any { return map[string]any{"tools": struct{}{}} }

func (s Server) hello(p params) any {
	return map[string]any{
		"protocolVersion": chosen(p.ProtocolVersion), "capabilities": does(), "serverInfo": s.is(), "instructions": s.Instructions,
	}
}

func (s Server) discovered() any {
	return s.complete(map[string]any{
		"supportedVersions": supported(), "capabilities": does(), "instructions": s.Instructions, "ttlMs": 0, "cacheScope": "public",
	}, true)
}

func (s Server) list(isModern bool) any {
	tools := []any{}
	for _, t := range s.Tools {
		tools = append(tools, map[string]any{
			"name": t.Name, "title": t.Title, "description": t.Description, "inputSchema": t.Input, "outputSchema": t.Output,
			"annotations": map[string]bool{"readOnlyHint": t.ReadOnly},
		})
	}
	return s.complete(map[string]any{"tools": tools, "ttlMs": 0, "cacheScope": "public"}, isModern)
}

// complete adds what each result has since modern.
func (s Server) complete(result map[string]any, isModern bool) any {
	if isModern {
		result["resultType"], result["_meta"] = "complete", map[string]any{"io.modelcontextprotocol/serverInfo": s.is()}
	}
	return result
}

func (s Server) tool(name string) (Tool, bool) {
	n := slices.IndexFunc(s.Tools, func(t Tool) bool { return t.Name == name })
	if n < 0 {
		return Tool{}, false
	}
	return s.Tools[n], true
}
