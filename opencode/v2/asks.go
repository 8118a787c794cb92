package v2

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// Questions lists the forms that wait in the directory. Those of an MCP server are in no other list.
func (d *Driver) Questions(ctx context.Context) ([]question.Request, error) {
	return listAsks[Form](ctx, d, listForms(d.Endpoint.Directory))
}

// Permissions lists the permission asks that wait in the directory.
func (d *Driver) Permissions(ctx context.Context) ([]question.Request, error) {
	return listAsks[permissionAsk](ctx, d, call.Get("list permissions", "/api/permission/request", in(d.Endpoint.Directory)))
}

// Pending lists all asks that wait in the directory: what is interrupted, or was asked before a restart, is listed no more.
func (d *Driver) Pending(ctx context.Context) (list []question.Request, waits func(context.Context, question.Request) bool, err error) {
	questions, err := d.Questions(ctx)
	if err != nil {
		return nil, nil, err
	}
	permissions, err := d.Permissions(ctx)
	return append(questions, permissions...), func(context.Context, question.Request) bool { return true }, err
}

func listForms(directory string) call.Call {
	return call.Get("list forms", "/api/form", in(directory)).
		Or(call.Get("", "/api/form/request", in(directory)))
}

func listAsks[A wire.Ask](ctx context.Context, d *Driver, list call.Call) (asks []question.Request, err error) {
	err = d.Endpoint.Decode(ctx, list, func(body []byte) error {
		asks, err = decodeAsks[A](body)
		return err
	})
	return asks, err
}

func decodeAsks[A wire.Ask](body []byte) ([]question.Request, error) {
	var wrapped struct{ Data []A }
	err := json.Unmarshal(body, &wrapped)
	return wire.Requests(wrapped.Data, session.V2), err
}

// in is the query that names a directory; nothing for none: then it is the service's own.
func in(directory string) url.Values {
	if directory == "" {
		return nil
	}
	return url.Values{"location[directory]": {directory}}
}

// Reply answers an ask, one attempt. Success is proof, as the first reply alone is taken: to a form that
// somebody else has settled the error is 409, to a permission 404. A *question.RefusedAnswers says that a form does not take
// these answers, and waits on.
func (d *Driver) Reply(ctx context.Context, r question.Request, answers question.Answers) error {
	err := d.Endpoint.Do(ctx, replyTo(d.Endpoint.Directory, r, answers))
	var e *call.Error
	if r.Form != nil && errors.As(err, &e) && e.Tag == call.InvalidAnswerTag {
		return &question.RefusedAnswers{Message: e.Said}
	}
	return err
}

func replyTo(directory string, r question.Request, answers question.Answers) call.Call {
	if r.Permission == nil {
		body := answerOf(r.Items, answers)
		if r.Form != nil {
			body = question.Values(r, answers)
		}
		return call.Post("reply", formPath(r)+"/reply", formQuery(directory, r), map[string]any{"answer": body})
	}
	word := wire.RejectDecision // what says nothing allows nothing
	if len(answers) == 1 && len(answers[0]) == 1 {
		word = answers[0][0]
	}
	return decide(r, word, "")
}

// Reject dismisses a question or refuses a permission, one attempt, which ends the agent's turn. With a note the
// turn continues: the release gives the note of a dismissal to the agent, and the preview none; that of a
// refusal gets to no agent.
func (d *Driver) Reject(ctx context.Context, r question.Request, note string) error {
	return d.Endpoint.Do(ctx, reject(d.Endpoint.Directory, r, note))
}

func reject(directory string, r question.Request, note string) call.Call {
	if r.Permission != nil {
		return decide(r, wire.RejectDecision, note)
	}
	query := formQuery(directory, r)
	said := url.Values{}
	maps.Copy(said, query)
	if note != "" {
		said.Set("message", note)
	}
	return call.Delete("dismiss form", formPath(r), said).Or(call.Post("", formPath(r)+"/cancel", query, nil))
}

// decide decides a permission. The word's name is decision in the release and reply in the preview,
// which refuses a body without it.
func decide(r question.Request, word, note string) call.Call {
	release, preview := map[string]string{"decision": word}, map[string]string{"reply": word}
	if note != "" {
		release["message"], preview["message"] = note, note
	}
	path := permissionPath(r) + "/reply"
	return call.Post("decide", path, nil, release).Or(call.Post("", path, nil, preview))
}

// globalSession is the session of forms that are of none.
const globalSession = "global"

// formQuery names the directory of a form that is of no session. The others are found by
// their session.
func formQuery(directory string, r question.Request) url.Values {
	if r.Session == globalSession {
		return in(directory)
	}
	return nil
}

func sessionPath(id session.ID) string { return "/api/session/" + url.PathEscape(string(id)) }

func formPath(r question.Request) string {
	return sessionPath(r.Session) + "/form/" + url.PathEscape(string(r.ID))
}

func permissionPath(r question.Request) string {
	return sessionPath(r.Session) + "/permission/" + url.PathEscape(string(r.ID))
}

func messagePath(s session.ID, m session.MessageID) string {
	return sessionPath(s) + "/message/" + url.PathEscape(string(m))
}

// permissionAsk is a permission ask as these routes and events write it.
type permissionAsk struct {
	ID        string                     `json:"id"`
	SessionID string                     `json:"sessionID"`
	Action    string                     `json:"action"`
	Resources []string                   `json:"resources"`
	Save      []string                   `json:"save"` // what Always adds, for the whole project
	Source    toolRef                    `json:"source"`
	Message   string                     `json:"message"`  // the release
	Metadata  map[string]json.RawMessage `json:"metadata"` // none in the preview, also not for edits
}

// Request is the ask in the domain's form.
func (a permissionAsk) Request(p session.Protocol) question.Request {
	about := question.Permission{Kind: a.kind(), Patterns: a.Resources, Always: a.Save}
	wire.AddMetadata(&about, a.metadata())
	return question.Request{
		ID: question.RequestID(a.ID), Protocol: p, Session: session.ID(a.SessionID),
		Message: session.MessageID(a.Source.MessageID), Call: a.Source.call(), Permission: &about,
	}
}

// kind is the word of OpenCode 1.x for what is asked for, which rules and people know: it calls
// bash what is shell here. The others have stayed.
func (a permissionAsk) kind() string {
	if a.Action == "shell" {
		return "bash"
	}
	return a.Action
}

// metadata is all that OpenCode says of the ask.
func (a permissionAsk) metadata() map[string]json.RawMessage {
	said := map[string]json.RawMessage{}
	for name, value := range a.Metadata {
		said[name] = value
	}
	if a.Message != "" {
		said["message"], _ = json.Marshal(a.Message) // a text never fails
	}
	return said
}
