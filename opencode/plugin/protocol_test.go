package plugin_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"hermes/internal/question"
	"hermes/opencode/call"
	"hermes/opencode/link"
	"hermes/opencode/preview"
	v1 "hermes/opencode/v1"
)

// routes are the calls that a protocol makes for its asks.
type routes interface {
	Questions(directory string) call.Reading[[]question.Request]
	Permissions(directory string) call.Reading[[]question.Request]
	Reply(directory string, r question.Request, answers question.Answers) call.Call
	Reject(directory string, r question.Request, note string) call.Call
}

// The plugin knows every route of every protocol, and lets the bodies through that hermes sends.
func TestProtocols_TheirRoutesAreAllowed(t *testing.T) {
	h := serve(t, hermesThat(false))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	asking := question.Request{ID: "que_1", Session: "ses_1", Message: "msg_1", Items: []question.Item{{}}}
	leave := question.Request{ID: "per_1", Session: "ses_1", Message: "msg_1", Permission: &question.Permission{}}
	calls := []call.Call{v1.Protocol{}.Message(directory, asking).Call, preview.Protocol{}.Message(directory, asking).Call}
	if last, ok := (v1.Protocol{}).LastMessages(directory, "ses_1"); ok {
		calls = append(calls, last.Call)
	}
	if active, ok := (preview.Protocol{}).Active(); ok {
		calls = append(calls, active.Call)
	}
	for _, p := range []routes{v1.Protocol{}, preview.Protocol{}} {
		calls = append(calls, p.Questions(directory).Call, p.Permissions(directory).Call,
			p.Reply(directory, asking, question.Answers{{"yes"}}), p.Reject(directory, asking, ""),
			p.Reply(directory, leave, question.Answers{{question.Always}}), p.Reject(directory, leave, "no"))
	}
	for _, c := range calls {
		var body io.Reader
		if c.Body != nil {
			raw, err := json.Marshal(c.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = bytes.NewReader(raw)
		}
		_, _, err := roundTrip(t, l, c.Method, c.Path+"?"+c.Query.Encode(), body)
		if no := (*link.CallError)(nil); errors.As(err, &no) && no.Refused {
			t.Errorf("%s %s is refused: %v", c.Method, c.Path, err)
		}
	}
	a.exits()
}
