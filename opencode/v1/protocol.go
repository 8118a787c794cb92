package v1

import (
	"encoding/json"
	"net/url"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/release"
	"hermes/opencode/wire"
)

// Protocol is session.V1.
type Protocol struct{}

// Name is session.V1.
func (Protocol) Name() session.Protocol { return session.V1 }

// In reports whether this version of OpenCode has it: every one before 2.0 has.
func (Protocol) In(version string) bool { return !release.IsSecond(version) }

// Questions lists the questions of a directory.
func (p Protocol) Questions(directory string) call.Reading[[]question.Request] {
	return call.Reading[[]question.Request]{Call: call.Get("list questions", "/question", call.In(directory)), Decode: decodeAsks[wire.QuestionAsk]}
}

// Permissions lists the permission asks of a directory.
func (p Protocol) Permissions(directory string) call.Reading[[]question.Request] {
	return call.Reading[[]question.Request]{Call: call.Get("list permissions", "/permission", call.In(directory)), Decode: decodeAsks[permissionAsk]}
}

func decodeAsks[A wire.Ask](body []byte) ([]question.Request, error) {
	var list []A
	err := json.Unmarshal(body, &list)
	return wire.Requests(list, session.V1), err
}

// Reply answers an ask. 1.1.53 says yes to any reply.
func (p Protocol) Reply(directory string, r question.Request, answers question.Answers) call.Call {
	return wire.Reply(askPath(r), call.In(directory), r, answers)
}

// Reject dismisses a question or refuses a permission.
func (p Protocol) Reject(directory string, r question.Request, note string) call.Call {
	return wire.Reject(askPath(r), call.In(directory), r, note)
}

func askPath(r question.Request) string {
	if r.Permission != nil {
		return "/permission/" + url.PathEscape(string(r.ID))
	}
	return "/question/" + url.PathEscape(string(r.ID))
}

// ListedWaits reports false: an aborted turn leaves its asks listed.
func (p Protocol) ListedWaits() bool { return false }

// Active reports false: the status of sessions says which of them work.
func (p Protocol) Active() (call.Reading[map[session.ID]bool], bool) {
	return call.Reading[map[session.ID]bool]{}, false
}

// Message reads the message that an ask's tool call is in.
func (p Protocol) Message(directory string, r question.Request) call.Reading[wire.Message] {
	return call.Reading[wire.Message]{
		Call: call.Get("message", messagePath(r.Session, r.Message), call.In(directory)),
		Decode: func(body []byte) (wire.Message, error) {
			var m Message
			err := json.Unmarshal(body, &m)
			return m.toWire(), err
		},
	}
}

// LastMessages reads a session's last few messages: a queued prompt may stand behind the
// one that matters.
func (p Protocol) LastMessages(directory string, id session.ID) (call.Reading[[]wire.Message], bool) {
	few := messagesOf(directory, id, fewMessages)
	return call.Reading[[]wire.Message]{
		Call: few.Call,
		Decode: func(body []byte) ([]wire.Message, error) {
			list, err := few.Decode(body)
			found := make([]wire.Message, 0, len(list))
			for _, m := range list {
				found = append(found, m.toWire())
			}
			return found, err
		},
	}, true
}

// abortedText is what a call fails with whose turn was stopped; the same in 1.1.53 and
// 1.18.33.
const abortedText = "Tool execution aborted"

// Failed is what became of an ask whose call failed with this text. A call that ended,
// well or badly, was let run.
func (p Protocol) Failed(r question.Request, text string) event.Finding {
	if r.Permission == nil {
		return wire.FailedQuestion(r, text)
	}
	if refused, ok := wire.RefusedPermission(text); ok {
		return refused
	}
	if strings.Contains(text, abortedText) {
		return event.Finding{Kind: event.FoundStopped, Begun: true}
	}
	return event.Finding{Kind: event.FoundAnswered}
}

// permissionAsk is a permission ask as these routes write it.
type permissionAsk struct {
	ID         string                     `json:"id"`
	SessionID  string                     `json:"sessionID"`
	Permission string                     `json:"permission"`
	Patterns   []string                   `json:"patterns"`
	Always     []string                   `json:"always"`
	Tool       wire.ToolRef               `json:"tool"`
	Metadata   map[string]json.RawMessage `json:"metadata"` // on 1.1.53 empty for bash
	Links      map[string]string          `json:"links"`    // the plugin's: see wire.AddLinks
}

// Request is the ask in the domain's form.
func (a permissionAsk) Request(p session.Protocol) question.Request {
	about := question.Permission{Kind: a.Permission, Patterns: a.Patterns, Always: a.Always}
	wire.AddMetadata(&about, a.Metadata)
	wire.AddLinks(&about, a.Links)
	return question.Request{
		ID: question.RequestID(a.ID), Protocol: p, Session: session.ID(a.SessionID),
		Message: session.MessageID(a.Tool.MessageID), Call: question.CallID(a.Tool.CallID), Permission: &about,
	}
}
