package v2

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hermes/internal/session"
)

// Turn is the session's last turn; while it runs, as far as it has come. Without any step of
// an agent it has no message: OpenCode has turns in which nothing happens.
func (d *Driver) Turn(ctx context.Context, id session.ID) (session.Turn, error) {
	s, err := d.Session(ctx, id)
	if err != nil {
		return session.Turn{}, err
	}
	list, err := d.turnMessages(ctx, id)
	if err != nil {
		return session.Turn{}, err
	}
	return turnOf(s, list), nil
}

// turnMessages reads the messages of the last turn. Tool outputs are in them; if they are more
// than is read at once, the turn's cost is that of its last steps.
func (d *Driver) turnMessages(ctx context.Context, id session.ID) ([]message, error) {
	const usual, most = 40, 200
	list, err := d.readMessages(ctx, id, usual)
	if err != nil || len(list) < usual || beginOf(list, latestAnswer(list)) >= 0 {
		return list, noSession(err)
	}
	if all, err := d.readMessages(ctx, id, most); err == nil {
		return all, nil
	}
	return list, nil
}

// readMessages reads the session's last messages, the newest last.
func (d *Driver) readMessages(ctx context.Context, id session.ID, limit int) ([]message, error) {
	var read struct{ Data []message }
	query := url.Values{"limit": {strconv.Itoa(limit)}, "order": {"desc"}}
	err := d.Endpoint.Get(ctx, "last messages", sessionPath(id)+"/message", query, &read)
	slices.Reverse(read.Data)
	return read.Data, err
}

// latestAnswer is where the agent's last message is, -1 if there is none.
func latestAnswer(list []message) int {
	for n, m := range slices.Backward(list) {
		if m.isAnswer() {
			return n
		}
	}
	return -1
}

// beginOf is where the prompt is that the turn with that answer began with, -1 if it is not
// among the messages. A prompt that came while the turn ran is a part of it: the step before it
// went on to another one.
func beginOf(list []message, answer int) int {
	for n := answer - 1; n >= 0; n-- {
		if list[n].isPrompt() && (n == 0 || !list[n-1].goesOn()) {
			return n
		}
	}
	return -1
}

// goesOn reports whether it is a step of an agent that calls for another one.
func (m message) goesOn() bool { return m.isAnswer() && m.Finish == "tool-calls" }

func turnOf(s session.Session, list []message) session.Turn {
	t := session.Turn{Session: s}
	last := latestAnswer(list)
	if last < 0 {
		return t
	}
	m := list[last]
	t.Message, t.Agent = m.ID, m.Agent
	t.Model = session.Model{Provider: m.Model.Provider, ID: m.Model.ID}
	t.Unfinished = !s.Busy && m.Time.Completed == 0 && m.Error == failure{}
	t.Aborted = m.Error.isAbort() || t.Unfinished
	if !t.Aborted {
		t.Error = m.Error.String()
	}
	if !s.Busy {
		t.Ended = s.Updated
		if m.Time.Completed != 0 {
			t.Ended = timeOf(m.Time.Completed)
		}
	}
	begin := max(0, beginOf(list, last))
	t.Began = timeOf(list[begin].Time.Created)
	addSteps(&t, list[begin:last+1])
	return t
}

// addSteps adds what a turn's steps say and cost. The text of the last one that has any stays.
// How many lines they changed is not known.
func addSteps(t *session.Turn, steps []message) {
	changed := map[string]bool{}
	for _, m := range steps {
		if !m.isAnswer() {
			continue
		}
		t.Cost += m.Cost
		t.Tokens += m.Tokens.sum()
		for _, name := range m.Snapshot.Files {
			changed[name] = true
		}
		if text := m.words(); text != "" {
			t.Text = text
		}
	}
	t.Files = len(changed)
}

// words are what an agent says in a message, as people read it.
func (m message) words() string {
	var list []string
	for _, c := range m.Content {
		if text := strings.TrimSpace(c.Text); c.Type == "text" && text != "" {
			list = append(list, text)
		}
	}
	return strings.Join(list, "\n\n")
}
