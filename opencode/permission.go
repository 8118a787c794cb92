package opencode

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"hermes/internal/question"
)

// wirePermission is a permission ask, as both families of routes write it: the
// ones under /api call the same things by other names.
type wirePermission struct {
	ID         string   `json:"id"`
	SessionID  string   `json:"sessionID"`
	Permission string   `json:"permission"`
	Patterns   []string `json:"patterns"`
	Always     []string `json:"always"`
	Tool       wireTool `json:"tool"`

	Action    string   `json:"action"`    // permission
	Resources []string `json:"resources"` // patterns
	Save      []string `json:"save"`      // always
	Source    wireTool `json:"source"`    // tool

	Metadata map[string]json.RawMessage `json:"metadata"` // on 1.1.53 empty for bash
}

func (w wirePermission) request(p question.Protocol) question.Request {
	tool, about := w.Tool, question.Permission{Kind: w.Permission, Patterns: w.Patterns, Always: w.Always}
	if p == question.V2 {
		tool = w.Source
		about = question.Permission{Kind: w.Action, Patterns: w.Resources, Always: w.Save}
	}
	tell(&about, w.Metadata)
	return question.Request{
		ID: question.RequestID(w.ID), Protocol: p, Session: question.SessionID(w.SessionID),
		Message: question.MessageID(tool.MessageID), Call: question.CallID(tool.CallID), Permission: &about,
	}
}

// Permissions lists the permission asks that are pending in the directory, as
// Questions lists questions.
func (c *Client) Permissions(ctx context.Context) ([]question.Request, error) {
	list, err := c.permissions(ctx, question.V1)
	if err != nil || !c.V2 {
		return list, err
	}
	more, err := c.permissions(ctx, question.V2)
	if missing(err) {
		err = nil
	}
	return append(list, more...), err
}

func (c *Client) permissions(ctx context.Context, p question.Protocol) ([]question.Request, error) {
	const op = "list permissions"
	path, query := "/permission", c.query()
	if p == question.V2 {
		path, query = "/api/permission/request", url.Values{"location[directory]": {c.Directory}}
	}
	body, err := c.read(ctx, op, path, query)
	if err != nil {
		return nil, err
	}
	list, err := asksIn[wirePermission](body, p)
	asks := make([]question.Request, 0, len(list))
	for _, w := range list {
		asks = append(asks, w.request(p))
	}
	return asks, wrongJSON(op, err)
}

// decide settles a permission ask, one attempt. What is true of Reply's success
// is true of this one's.
func (c *Client) decide(ctx context.Context, r question.Request, reply, note string) error {
	body := map[string]string{"reply": reply}
	if note != "" {
		body["message"] = note
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.post(ctx, "decide", c.route(r)+"/reply", raw)
}

// The texts by which OpenCode tells an agent that a person refused, or that its turn
// was stopped; the same in 1.1.53 and 1.18.33.
const (
	refusedText = "rejected permission to use this specific tool call"
	notedText   = "with the following feedback: "
	abortedText = "Tool execution aborted"
)

// granted reads from the tool call what became of a permission that is listed no
// more. A call that ended, well or badly, was let run, if it is of an ordinary
// session. Under /api the error of one that was refused says nothing ("Tool execution
// interrupted", "Unable to execute command: …").
func (c *Client) granted(
	ctx context.Context, part wirePart, r question.Request, busy map[question.SessionID]bool,
) (question.Finding, error) {
	said := part.failure()
	switch {
	case part.State.Status == "completed":
		return question.Finding{Kind: question.FoundAnswered}, nil
	case part.State.Status == "error" && strings.Contains(said, refusedText):
		_, note, _ := strings.Cut(said, notedText)
		return question.Finding{Kind: question.FoundDismissed, Note: note}, nil
	case part.State.Status == "error" && r.Protocol == question.V2:
		return question.Finding{Kind: question.FoundEnded}, nil
	case part.State.Status == "error" && strings.Contains(said, abortedText):
		return question.Finding{Kind: question.FoundStopped, Begun: true}, nil
	case part.State.Status == "error":
		return question.Finding{Kind: question.FoundAnswered}, nil
	}
	works, err := c.works(ctx, r, busy)
	if works {
		return question.Finding{Kind: question.FoundPassing}, err
	}
	return question.Finding{Kind: question.FoundForgotten}, err
}

// tell adds what OpenCode itself says of an ask. What the patterns or the diff show is
// not told twice.
func tell(p *question.Permission, said map[string]json.RawMessage) {
	for name, raw := range said {
		text := textOf(raw)
		switch {
		case text == "", patterned(name):
		case name == "command":
			p.Command = text
		case name == "diff":
			p.Diff = text
		default:
			detail(p, name, text)
		}
	}
	tidy(p)
}

// tellInput adds the input of the tool call. That is what the model wrote, and it may
// hold names that the tool does not know: none of them can take the place of what
// OpenCode says, or hide anything.
func tellInput(p *question.Permission, input map[string]json.RawMessage) {
	for name, raw := range input {
		switch text := textOf(raw); {
		case text == "", name == "command" && text == p.Command, name == "diff" && text == p.Diff:
		case name == "command" && p.Command == "":
			p.Command = text
		default:
			detail(p, name, text)
		}
	}
	tidy(p)
}

// detail adds one thing, unless it is told already.
func detail(p *question.Permission, name, text string) {
	same := func(d question.Detail) bool { return strings.EqualFold(d.Name, name) && d.Text == text }
	if !slices.ContainsFunc(p.Details, same) {
		p.Details = append(p.Details, question.Detail{Name: name, Text: text})
	}
}

// tidy sorts the details, and drops those that a diff shows.
func tidy(p *question.Permission) {
	if p.Diff != "" {
		p.Details = slices.DeleteFunc(p.Details, func(d question.Detail) bool { return inDiff(d.Name) })
	}
	slices.SortFunc(p.Details, func(a, b question.Detail) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Text, b.Text))
	})
}

// patterned reports whether a detail repeats the patterns.
func patterned(name string) bool {
	return name == "patterns" || name == "directories" || name == "parentDir"
}

func inDiff(name string) bool {
	switch name {
	case "filepath", "filePath", "oldString", "newString", "content", "filediff", "files", "patchText", "edits":
		return true
	}
	return false
}

// textOf is a text as it is, and any other value as JSON; nothing for null.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if v := strings.TrimSpace(string(raw)); v != "null" && v != "{}" && v != "[]" {
		return v
	}
	return ""
}
