package v1

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"hermes/internal/session"
	"hermes/opencode/call"
)

// Turn is the session's last turn; while it runs, as far as it has come. Without any
// turn it has no message.
func (d *Driver) Turn(ctx context.Context, id session.ID) (session.Turn, error) {
	s, err := d.Session(ctx, id)
	if err != nil {
		return session.Turn{}, err
	}
	list, err := d.turnMessages(ctx, id)
	if err != nil {
		return session.Turn{}, err
	}
	t := turnOf(s, list)
	t.Todos, err = d.Todos(ctx, id)
	return t, err
}

// Todos is the session's list, as the agent keeps it.
func (d *Driver) Todos(ctx context.Context, id session.ID) ([]session.Todo, error) {
	var wire []struct {
		Content string `json:"content"`
		Status  string `json:"status"`
	}
	err := d.Endpoint.Get(ctx, "todo", sessionPath(id)+"/todo", d.Endpoint.Query(), &wire)
	todos := make([]session.Todo, 0, len(wire))
	for _, w := range wire {
		todos = append(todos, session.Todo{Text: w.Content, State: w.Status})
	}
	return todos, noSession(notDriven(err))
}

// turnMessages reads the messages of the last turn. Tool outputs are in them, so that
// a few may be more than a link carries: then fewer are read, and the turn's cost is
// that of its last steps.
func (d *Driver) turnMessages(ctx context.Context, id session.ID) ([]Message, error) {
	list, err := d.readMessages(ctx, id, 40)
	switch {
	case err == nil && hasWholeTurn(list):
		return list, nil
	case err == nil:
		if all, err := d.readMessages(ctx, id, 400); err == nil {
			return all, nil
		}
		return list, nil
	case call.IsNotFound(err):
		return nil, noSession(err)
	}
	return d.readMessages(ctx, id, 2)
}

// LastMessages are the session's last few: a queued prompt may stand behind the message
// that matters.
func (d *Driver) LastMessages(ctx context.Context, id session.ID) ([]Message, error) {
	return d.readMessages(ctx, id, fewMessages)
}

// fewMessages is how many messages are read to find the one that matters.
const fewMessages = 3

// readMessages reads the session's last messages.
func (d *Driver) readMessages(ctx context.Context, id session.ID, limit int) ([]Message, error) {
	var list []Message
	err := d.Endpoint.Get(ctx, "last messages", sessionPath(id)+"/message", d.Endpoint.With("limit", strconv.Itoa(limit)), &list)
	return list, err
}

// hasWholeTurn reports whether the messages have the prompt of the last turn, or are all.
func hasWholeTurn(list []Message) bool {
	last := latestAnswer(list)
	return last < 0 || slices.ContainsFunc(list, func(m Message) bool { return m.Info.ID == list[last].Info.ParentID })
}

// latestAnswer is where the agent's last message is, -1 if there is none. What sums up
// the session for the model is not the agent's.
func latestAnswer(list []Message) int {
	for n, m := range slices.Backward(list) {
		if m.isAnswer() && string(m.Info.Summary) != "true" {
			return n
		}
	}
	return -1
}

func turnOf(s session.Session, list []Message) session.Turn {
	t := session.Turn{Session: s}
	last := latestAnswer(list)
	if last < 0 {
		return t
	}
	info := list[last].Info
	t.Message, t.Agent = session.MessageID(info.ID), list[last].agent()
	t.Model = session.Model{Provider: info.Provider, ID: info.Model}
	t.Unfinished = !s.Busy && info.isUnfinished()
	t.Aborted = info.Error.IsAbort() || t.Unfinished
	if !t.Aborted {
		t.Error = info.Error.String()
	}
	if !s.Busy {
		t.Ended = timeOf(cmp.Or(info.Time.Completed, float64(s.Updated.UnixMilli())))
	}
	for _, m := range list[:last+1] {
		switch info.ParentID {
		case m.Info.ID:
			addPrompt(&t, m)
		case m.Info.ParentID:
			addAnswer(&t, m)
		}
	}
	return t
}

// addPrompt adds what the turn's prompt records. OpenCode writes its diffs there when the
// turn has ended, a moment later.
func addPrompt(t *session.Turn, m Message) {
	t.Began = timeOf(m.Info.Time.Created)
	for _, d := range m.Info.fileDiffs() {
		t.Files++
		t.Added += d.Additions
		t.Removed += d.Deletions
	}
}

// addAnswer adds one of the turn's answers. The text of the last one that has any stays.
func addAnswer(t *session.Turn, m Message) {
	t.Cost += m.Info.Cost
	t.Tokens += m.Info.Tokens.sum()
	if t.Began.IsZero() {
		t.Began = timeOf(m.Info.Time.Created)
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
