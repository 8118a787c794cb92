package model

import (
	"context"
	"fmt"
)

// Requests is the record of all requests, oldest first, title requests too.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.requests...)
}

// Result is the outcome of a tool call as the model was told it.
type Result struct {
	CallID string
	Tool   string
	Text   string
}

// Results lists the tool results of all requests, each call once, in the order
// in which the model first saw them.
func (m *Model) Results() []Result {
	var list []Result
	seen := map[string]bool{}
	for _, req := range m.Requests() {
		for _, r := range req.results() {
			if !seen[r.CallID] {
				seen[r.CallID] = true
				list = append(list, r)
			}
		}
	}
	return list
}

func (r Request) results() []Result {
	var list []Result
	names := map[string]string{}
	for _, msg := range r.Messages {
		for _, c := range msg.ToolCalls {
			names[c.ID] = c.Name
		}
		if msg.Role == "tool" {
			list = append(list, Result{msg.ToolCallID, names[msg.ToolCallID], msg.Text})
		}
	}
	return list
}

// Await returns when cond holds of the record, which it is asked about now and
// after every further request; or with an error that says what was recorded
// when ctx ends first.
func (m *Model) Await(ctx context.Context, cond func([]Request) bool) error {
	for {
		m.mu.Lock()
		changed := m.changed
		m.mu.Unlock()
		if cond(m.Requests()) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("the model did not get the awaited request among %d: %w", len(m.Requests()), ctx.Err())
		}
	}
}

// AwaitResult waits for the result of a tool call by the tool's name and a
// condition on its text, as Await does.
func (m *Model) AwaitResult(ctx context.Context, tool string, cond func(text string) bool) (Result, error) {
	var found Result
	err := m.Await(ctx, func([]Request) bool {
		for _, r := range m.Results() {
			if r.Tool == tool && cond(r.Text) {
				found = r
				return true
			}
		}
		return false
	})
	return found, err
}
