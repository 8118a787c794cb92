package opencode

import (
	"encoding/json"
	"strings"

	"hermes/internal/question"
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
