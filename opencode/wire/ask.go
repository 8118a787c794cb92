package wire

import (
	"encoding/json"
	"strings"

	"hermes/internal/question"
	"hermes/internal/session"
)

// Ask is an ask as a line of OpenCode writes it.
type Ask interface {
	// Request is the ask in the domain's form.
	Request(p session.Protocol) question.Request
}

// RejectDecision is the word by which a permission is refused. The others are
// question.Once and question.Always.
const RejectDecision = "reject"

// Requests brings a list of asks into the domain's form. One without an id, which nothing could be
// sent to, is left out, as it is of events.
func Requests[A Ask](asks []A, p session.Protocol) []question.Request {
	list := make([]question.Request, 0, len(asks))
	for _, a := range asks {
		if r := a.Request(p); r.ID != "" {
			list = append(list, r)
		}
	}
	return list
}

// Text is a JSON value as text: a text as it is, and any other value as JSON; nothing
// for null and for what is empty.
func Text(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if v := strings.TrimSpace(string(raw)); v != "null" && v != "{}" && v != "[]" {
		return v
	}
	return ""
}
