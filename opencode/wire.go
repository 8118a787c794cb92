package opencode

import (
	"encoding/json"
	"strings"

	"hermes/question"
)

// Wire types hold what hermes reads of OpenCode's JSON; everything else is
// passed over, and what is missing stays empty, as fields come and go between
// versions.

type wireRequest struct {
	ID        string         `json:"id"`
	SessionID string         `json:"sessionID"`
	Questions []wireQuestion `json:"questions"`
	Tool      wireTool       `json:"tool"`
}

// wireTool names the tool call that an ask belongs to.
type wireTool struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

type wireQuestion struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
	Multiple bool  `json:"multiple"`
	Custom   *bool `json:"custom"` // absent: allowed
}

func (w wireRequest) request(p question.Protocol) question.Request {
	return question.Request{
		ID: question.RequestID(w.ID), Protocol: p, Session: question.SessionID(w.SessionID),
		Message: question.MessageID(w.Tool.MessageID), Call: question.CallID(w.Tool.CallID),
		Items: items(w.Questions),
	}
}

func items(questions []wireQuestion) []question.Item {
	list := make([]question.Item, 0, len(questions))
	for _, q := range questions {
		item := question.Item{
			Header: q.Header, Text: q.Question, Multiple: q.Multiple, Custom: q.Custom == nil || *q.Custom,
		}
		for _, o := range q.Options {
			item.Options = append(item.Options, question.Option{Label: o.Label, Description: o.Description})
		}
		list = append(list, item)
	}
	return list
}

// asksIn reads a list of asks: GET /question and /permission answer a bare list,
// the routes under /api one inside "data".
func asksIn[W any](body []byte, p question.Protocol) (list []W, err error) {
	if p != question.V2 {
		err = json.Unmarshal(body, &list)
		return list, err
	}
	var wrapped struct{ Data []W }
	err = json.Unmarshal(body, &wrapped)
	return wrapped.Data, err
}

func requests(body []byte, p question.Protocol) ([]question.Request, error) {
	list, err := asksIn[wireRequest](body, p)
	asks := make([]question.Request, 0, len(list))
	for _, w := range list {
		asks = append(asks, w.request(p))
	}
	return asks, err
}

type wireSession struct {
	ID        string `json:"id"`
	ParentID  string `json:"parentID"`
	Title     string `json:"title"`
	Directory string `json:"directory"`
	Time      struct {
		Updated  float64 `json:"updated"`  // milliseconds
		Archived float64 `json:"archived"` // the same; absent: it is not
	} `json:"time"`
}

// title is the session's title, or nothing while it has only the one that
// OpenCode gives to every new session ("New session - 2026-…").
func (s wireSession) title() string {
	if strings.HasPrefix(s.Title, "New session - ") || strings.HasPrefix(s.Title, "Child session - ") {
		return ""
	}
	return s.Title
}

type wireMessage struct {
	Info struct {
		ID    string `json:"id"`
		Role  string `json:"role"`
		Agent string `json:"agent"`
		Mode  string `json:"mode"` // the agent's older name
	} `json:"info"`
	Parts []wirePart `json:"parts"` // ordinary sessions
	Data  struct {
		Agent   string     `json:"agent"`
		Content []wirePart `json:"content"` // sessions under /api
	} `json:"data"`
}

// wirePart is a tool call as a message holds it. The call's id is callID in
// ordinary sessions and id under /api.
type wirePart struct {
	ID        string `json:"id"`
	SessionID string `json:"sessionID"`
	CallID    string `json:"callID"`
	Type      string `json:"type"`
	Tool      string `json:"tool"`
	State     struct {
		Status   string                     `json:"status"` // pending, running, completed, error
		Error    json.RawMessage            `json:"error"`  // text, or an object under /api
		Input    map[string]json.RawMessage `json:"input"`  // empty while pending
		Metadata struct {
			Answers question.Answers `json:"answers"`
		} `json:"metadata"`
		Structured struct {
			Answers question.Answers `json:"answers"`
		} `json:"structured"`
	} `json:"state"`
}

func (p wirePart) is(call question.CallID) bool {
	return p.Type == "tool" && (p.CallID == string(call) || p.CallID == "" && p.ID == string(call))
}

// failure is why the call failed, as text.
func (p wirePart) failure() string {
	var text string
	if json.Unmarshal(p.State.Error, &text) == nil {
		return text
	}
	var object struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(p.State.Error, &object) // of any other form: it says nothing
	return object.Message
}

func (p wirePart) answers() question.Answers {
	if p.State.Metadata.Answers != nil {
		return p.State.Metadata.Answers
	}
	return p.State.Structured.Answers
}
