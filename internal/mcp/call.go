package mcp

import (
	"context"
	"encoding/json"
	"fmt"
)

// Call is one call of a tool.
type Call struct {
	Arguments json.RawMessage // an object, or empty
	Client    string          // the name of the client's program; empty: it gave none

	token      any // that progress is told with; nil: the client wants none
	connection *connection
}

// Progress tells how far a call is. It grows from one to the next.
type Progress struct {
	Done    float64 `json:"progress"`
	Total   float64 `json:"total,omitempty"` // 0: nobody knows
	Message string  `json:"message,omitempty"`
}

// WantsProgress reports whether the client asked for progress.
func (c *Call) WantsProgress() bool { return c.token != nil }

// Tell tells the client of progress, unless ctx ends first. It must not be called after Do has returned, nor if the client does not want it.
func (c *Call) Tell(ctx context.Context, p Progress) error {
	return c.connection.send(ctx, notification{"2.0", "notifications/progress", struct {
		Token any `json:"progressToken"`
		Progress
	}{c.token, p}})
}

// call runs a tool. A call that was cancelled has no response, as the protocol has it.
func (c *connection) call(ctx context.Context, r request, p params, answer func(any, *fault), done func()) {
	isModern, wrong := p.isModern()
	tool, ok := c.server.tool(p.Name)
	if wrong == nil && !ok {
		wrong = &fault{invalidParams, fmt.Sprintf("unknown tool %q", p.Name), nil}
	}
	if wrong != nil {
		answer(nil, wrong)
		done()
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if !c.begin(string(r.ID), cancel) {
		cancel()
		answer(nil, &fault{invalidRequest, "a request with this id is under way", nil})
		done()
		return
	}
	call := &Call{Arguments: p.Arguments, Client: c.client, token: p.Meta.ProgressToken, connection: c}
	if p.Meta.Client != nil {
		call.Client = p.Meta.Client.Name
	}
	c.running.Go(func() {
		defer done()
		defer cancel()
		result := tool.Do(ctx, call)
		cancelled := ctx.Err() != nil
		c.end(string(r.ID))
		if !cancelled {
			answer(c.server.complete(result.wire(), isModern), nil)
		}
	})
}

func (c *connection) begin(id string, cancel context.CancelFunc) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.calls[id]; taken {
		return false
	}
	c.calls[id] = cancel
	return true
}

func (c *connection) end(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id)
}

func (r Result) wire() map[string]any {
	content := []any{}
	for _, text := range r.Texts {
		content = append(content, map[string]string{"type": "text", "text": text})
	}
	result := map[string]any{"content": content}
	if len(r.Structured) > 0 {
		result["structuredContent"] = r.Structured
	}
	if r.Failed {
		result["isError"] = true
	}
	return result
}
