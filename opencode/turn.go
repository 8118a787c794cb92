package opencode

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/question"
)

// Turn tells the last thing that the session did. Of a turn that goes on it tells what
// there is by now; one that was never begun has no message.
func (c *Client) Turn(ctx context.Context, id question.SessionID) (question.Turn, error) {
	s, err := c.Session(ctx, id)
	if err != nil {
		return question.Turn{}, err
	}
	list, err := c.turnMessages(ctx, id)
	if err != nil {
		return question.Turn{}, err
	}
	t := turnOf(s, list)
	t.Todos, err = c.Todos(ctx, id)
	return t, err
}

// Todos is the session's list, as the agent keeps it.
func (c *Client) Todos(ctx context.Context, id question.SessionID) ([]question.Todo, error) {
	var wire []struct {
		Content string `json:"content"`
		Status  string `json:"status"`
	}
	err := c.get(ctx, "todo", one(id)+"/todo", c.query(), &wire)
	todos := make([]question.Todo, 0, len(wire))
	for _, w := range wire {
		todos = append(todos, question.Todo{Text: w.Content, State: w.Status})
	}
	return todos, absent(undriven(err))
}

// turnMessages reads the messages of the last turn. Tool outputs are in them, so that
// a few may be more than a link carries: then fewer are read, and the turn's cost is
// that of its last steps.
func (c *Client) turnMessages(ctx context.Context, id question.SessionID) ([]wireMessage, error) {
	path := one(id) + "/message"
	list, err := c.messages(ctx, path, 40)
	switch {
	case err == nil && begins(list):
		return list, nil
	case err == nil:
		if all, err := c.messages(ctx, path, 400); err == nil {
			return all, nil
		}
		return list, nil
	case IsNotFound(err):
		return nil, absent(err)
	}
	return c.messages(ctx, path, 2)
}

// messages reads the session's last messages.
func (c *Client) messages(ctx context.Context, path string, limit int) ([]wireMessage, error) {
	var list []wireMessage
	err := c.get(ctx, "last messages", path, c.with("limit", strconv.Itoa(limit)), &list)
	return list, err
}

// begins reports whether the messages have the prompt of the last turn, or are all.
func begins(list []wireMessage) bool {
	last := latestAnswer(list)
	return last < 0 || slices.ContainsFunc(list, func(m wireMessage) bool { return m.Info.ID == list[last].Info.ParentID })
}

// latestAnswer is where the agent's last message is, -1 if there is none. What sums up
// the session for the model is not the agent's.
func latestAnswer(list []wireMessage) int {
	for n, m := range slices.Backward(list) {
		if m.Info.Role == "assistant" && string(m.Info.Summary) != "true" {
			return n
		}
	}
	return -1
}

func turnOf(s question.Session, list []wireMessage) question.Turn {
	t := question.Turn{Session: s}
	last := latestAnswer(list)
	if last < 0 {
		return t
	}
	info := list[last].Info
	t.Message, t.Agent = question.MessageID(info.ID), list[last].agent()
	t.Model = question.Model{Provider: info.Provider, ID: info.Model}
	t.Unfinished = !s.Busy && info.unfinished()
	t.Aborted = info.Error.Name == "MessageAbortedError" || t.Unfinished
	if !t.Aborted {
		t.Error = info.Error.String()
	}
	if !s.Busy {
		t.Ended = millis(cmp.Or(info.Time.Completed, float64(s.Updated.UnixMilli())))
	}
	for _, m := range list[:last+1] {
		switch info.ParentID {
		case m.Info.ID:
			began(&t, m)
		case m.Info.ParentID:
			went(&t, m)
		}
	}
	return t
}

// began adds what the turn's prompt tells. OpenCode writes its diffs there when the
// turn has ended, a moment later.
func began(t *question.Turn, m wireMessage) {
	t.Began = millis(m.Info.Time.Created)
	for _, d := range m.Info.diffs() {
		t.Files++
		t.Added += d.Additions
		t.Removed += d.Deletions
	}
}

// went adds what one of the turn's answers tells. The last words of all stay.
func went(t *question.Turn, m wireMessage) {
	t.Cost += m.Info.Cost
	t.Tokens += m.Info.Tokens.sum()
	if t.Began.IsZero() {
		t.Began = millis(m.Info.Time.Created)
	}
	var words []string
	for _, p := range m.Parts {
		if p.Type == "text" && !p.Synthetic && strings.TrimSpace(p.Text) != "" {
			words = append(words, strings.TrimSpace(p.Text))
		}
	}
	if words != nil {
		t.Text = strings.Join(words, "\n\n")
	}
}

func millis(ms float64) time.Time { return time.UnixMilli(int64(ms)) }
