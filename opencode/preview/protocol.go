package preview

import (
	"encoding/json"
	"net/url"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/release"
	"hermes/opencode/wire"
)

// Protocol is session.Preview.
type Protocol struct{}

// Name is session.Preview.
func (Protocol) Name() session.Protocol { return session.Preview }

// In reports whether this version of OpenCode has it: 1.16 to 1.18 do.
func (Protocol) In(version string) bool {
	return release.Since(version, 1, 16, 0) && !release.IsSecond(version)
}

// Questions lists the questions of a directory.
func (p Protocol) Questions(directory string) call.Reading[[]question.Request] {
	return call.Reading[[]question.Request]{Call: call.Get("list questions", "/api/question/request", locationQuery(directory)), Decode: decodeAsks[wire.QuestionAsk]}
}

// Permissions lists the permission asks of a directory.
func (p Protocol) Permissions(directory string) call.Reading[[]question.Request] {
	return call.Reading[[]question.Request]{Call: call.Get("list permissions", "/api/permission/request", locationQuery(directory)), Decode: decodeAsks[permissionAsk]}
}

// locationQuery is the query that names a directory.
func locationQuery(directory string) url.Values {
	return url.Values{"location[directory]": {directory}}
}

func decodeAsks[A wire.Ask](body []byte) ([]question.Request, error) {
	var wrapped struct{ Data []A }
	err := json.Unmarshal(body, &wrapped)
	return wire.Requests(wrapped.Data, session.Preview), err
}

// Reply answers an ask.
func (p Protocol) Reply(directory string, r question.Request, answers question.Answers) call.Call {
	return wire.Reply(askPath(r), call.In(directory), r, answers)
}

// Reject dismisses a question or refuses a permission.
func (p Protocol) Reject(directory string, r question.Request, note string) call.Call {
	return wire.Reject(askPath(r), call.In(directory), r, note)
}

func askPath(r question.Request) string {
	if r.Permission != nil {
		return sessionPath(r.Session) + "/permission/" + url.PathEscape(string(r.ID))
	}
	return sessionPath(r.Session) + "/question/" + url.PathEscape(string(r.ID))
}

func sessionPath(id session.ID) string { return "/api/session/" + url.PathEscape(string(id)) }

// ListedWaits reports true: an interrupted ask is listed no more.
func (p Protocol) ListedWaits() bool { return true }

// Active reads which sessions work.
func (p Protocol) Active() (call.Reading[map[session.ID]bool], bool) {
	return call.Reading[map[session.ID]bool]{Call: call.Get("active sessions", "/api/session/active", nil), Decode: wire.ActiveSessions}, true
}

// Message reads the message that an ask's tool call is in.
func (p Protocol) Message(directory string, r question.Request) call.Reading[wire.Message] {
	return call.Reading[wire.Message]{
		Call:   call.Get("message", sessionPath(r.Session)+"/message/"+url.PathEscape(string(r.Message)), call.In(directory)),
		Decode: decodeMessage,
	}
}

// LastMessages reports false: an ask that names no call can only be told from the lists.
func (p Protocol) LastMessages(string, session.ID) (call.Reading[[]wire.Message], bool) {
	return call.Reading[[]wire.Message]{}, false
}

// Failed is what became of an ask whose call failed with this text. That of a permission
// which was refused says nothing ("Tool execution interrupted", "Unable to execute
// command: …").
func (p Protocol) Failed(r question.Request, text string) event.Finding {
	if r.Permission == nil {
		return wire.FailedQuestion(r, text)
	}
	if refused, ok := wire.RefusedPermission(text); ok {
		return refused
	}
	return event.Finding{Kind: event.FoundEnded}
}

// permissionAsk is a permission ask as these routes write it.
type permissionAsk struct {
	ID        string                     `json:"id"`
	SessionID string                     `json:"sessionID"`
	Action    string                     `json:"action"`
	Resources []string                   `json:"resources"`
	Save      []string                   `json:"save"`
	Source    wire.ToolRef               `json:"source"`
	Metadata  map[string]json.RawMessage `json:"metadata"`
	Links     map[string]string          `json:"links"` // the plugin's: see wire.AddLinks
}

// Request is the ask in the domain's form.
func (a permissionAsk) Request(p session.Protocol) question.Request {
	about := question.Permission{Kind: a.Action, Patterns: a.Resources, Always: a.Save}
	wire.AddMetadata(&about, a.Metadata)
	wire.AddLinks(&about, a.Links)
	return question.Request{
		ID: question.RequestID(a.ID), Protocol: p, Session: session.ID(a.SessionID),
		Message: session.MessageID(a.Source.MessageID), Call: question.CallID(a.Source.CallID), Permission: &about,
	}
}
