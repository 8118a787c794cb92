package v2

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/opencode/wire"
)

// A form says itself how it was settled; in the preview at a route of its own (captures 03 and
// 04), in the release in the form.
func TestEvidence_State(t *testing.T) {
	items := []question.Item{{ID: "q0"}, {ID: "q1", Multiple: true}, {ID: "q2"}}
	asked := question.Request{ID: "frm_1", Session: "ses_1", Items: items}
	answered := event.Finding{Kind: event.FoundAnswered, Answers: question.Answers{{"blue"}, {"a", "b"}, nil}}
	for body, want := range map[string]event.Finding{
		`{"data":{"status":"pending"}}`:                                                               {Kind: event.FoundOpen},
		`{"data":{"status":"cancelled"}}`:                                                             {Kind: event.FoundCancelled},
		`{"data":{"status":"answered","answer":{"q0":"blue","q1":["a","b"]}}}`:                        answered,
		`{"data":{"id":"frm_1","state":{"status":"pending"},"fields":[]}}`:                            {Kind: event.FoundOpen},
		`{"data":{"id":"frm_1","state":{"status":"answered","answer":{"q0":"blue","q1":["a","b"]}}}}`: answered,
		`{"data":{"id":"frm_1","state":{"status":"cancelled","message":"not now"}}}`:                  {Kind: event.FoundCancelled},
	} {
		if got, err := decodeState([]byte(body), asked); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s proves %+v, %v", body, got, err)
		}
	}
	for _, body := range []string{`{"data":{"status":"new"}}`, `{"data":{"id":"frm_1"}}`, `{}`, `[]`} {
		if got, err := decodeState([]byte(body), asked); err == nil {
			t.Errorf("%s proves %+v", body, got)
		}
	}
}

// A permission is there while it waits (capture 05).
func TestEvidence_PermissionWaits(t *testing.T) {
	r := question.Request{ID: "per_1", Session: "ses_1", Permission: &question.Permission{}}
	if got, err := decodeState([]byte(`{"data":{"id":"per_1","sessionID":"ses_1","action":"shell"}}`), r); err != nil || got.Kind != event.FoundOpen {
		t.Errorf("it is %+v, %v", got, err)
	}
	if got, err := decodeState([]byte(`{"data":{}}`), r); err == nil {
		t.Errorf("nothing is %+v", got)
	}
}

// decodeSpoken reads what people and agents said, the newest first in a body.
func decodeSpoken(body []byte) ([]wire.Message, error) {
	var read struct{ Data []message }
	err := json.Unmarshal(body, &read)
	slices.Reverse(read.Data)
	return spokenIn(read.Data), err
}

// messagesIn are the captured messages of a session.
func messagesIn(t *testing.T, name string) []wire.Message {
	t.Helper()
	list, err := decodeSpoken(captured(t, name))
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return list
}

// failing is a call that failed, with what the release has in the place of the preview's text.
func failing(kind, message string) string {
	return fmt.Sprintf(`{"data":[{"id":"msg_a","type":"assistant","agent":"build","content":[{"type":"tool","id":"call_1","state":{"status":"error","input":{},"error":{"type":%q,"message":%q}}}]}]}`, kind, message)
}

// What became of a question that is gone, or was cancelled, as its session tells it.
func TestEvidence_GoneQuestion(t *testing.T) {
	read := func(body string) []wire.Message {
		list, err := decodeSpoken([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	prompt := wire.Message{ID: "msg_z"}
	aborted := read(failing("aborted", "Tool execution interrupted"))
	answered := question.Request{Message: "msg_20101fac7001LIOnMYumzT6LjG", Call: "call_1_7773b0"}
	cancelled := question.Request{Message: "msg_20104ed5c0010x2wSFZbo2VOot", Call: "call_8_73a1cb"}
	restarted := question.Request{Message: "msg_20109314d001pe2Pf2h2iz1ZmU", Call: "call_46_993b58"}
	killed := question.Request{Message: "msg_2010966ac001kSujjWEyTtaKcX", Call: "call_48_d92175"}
	made := question.Request{Message: "msg_a", Call: "call_1"}
	for name, c := range map[string]struct {
		of        question.Request
		since     []wire.Message
		cancelled bool
		works     bool
		want      event.FindingKind
	}{
		"answered some time ago":           {answered, messagesIn(t, "answered.json"), false, false, event.FoundAnswered},
		"cancelled":                        {cancelled, messagesIn(t, "dismissed.json"), true, false, event.FoundCancelled},
		"cancelled some time ago":          {cancelled, messagesIn(t, "dismissed.json"), false, false, event.FoundCancelled},
		"cancelled, others wait":           {killed, messagesIn(t, "killed.json"), true, true, event.FoundCancelled},
		"asked before a restart":           {restarted, messagesIn(t, "restarted.json"), false, false, event.FoundForgotten},
		"asked before a kill":              {killed, messagesIn(t, "killed.json"), false, false, event.FoundForgotten},
		"killed, and prompted since":       {killed, append(messagesIn(t, "killed.json"), wire.Message{ID: "msg_z"}, wire.Message{ID: "msg_zz", Mine: true}), false, true, event.FoundForgotten},
		"an answer is taken in":            {killed, messagesIn(t, "killed.json"), false, true, event.FoundPassing},
		"being resumed":                    {made, aborted, false, true, event.FoundPassing},
		"prompted since":                   {made, append(aborted[:1:1], prompt), false, true, event.FoundCancelled},
		"dismissed, by the release":        {made, read(failing("aborted", "The user dismissed this question")), true, false, event.FoundDismissed},
		"dismissed some time ago":          {made, read(failing("aborted", "The user dismissed this question")), false, false, event.FoundDismissed},
		"ended by a reload, or a stop":     {made, read(failing("aborted", "Interaction cancelled because the location shut down")), true, true, event.FoundForgotten},
		"dismissed with a text":            {made, read(failing("unknown", "Ask me tomorrow")), true, true, event.FoundDismissed},
		"ended by the service with a text": {made, read(failing("unknown", "evicted")), false, true, event.FoundStopped},
		"without a call":                   {question.Request{}, nil, true, true, event.FoundDismissed},
		"without its message":              {made, nil, true, true, event.FoundCancelled},
		"without a call, gone":             {question.Request{}, nil, false, false, event.FoundGone},
	} {
		c.of.ID, c.of.Session, c.of.Items = "frm_1", "ses_1", []question.Item{{ID: "q0"}}
		got := gone(c.of, c.cancelled, c.since, c.works)
		if got.Kind != c.want || got.Begun {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
		if c.want == event.FoundAnswered && !reflect.DeepEqual(got.Answers, question.Answers{{"blue"}}) {
			t.Errorf("%s: %q", name, got.Answers)
		}
	}
}

// What became of a permission that waits no more. That its call was interrupted does not say
// whether it had been let run.
func TestEvidence_GonePermission(t *testing.T) {
	const call = `{"data":[{"id":"msg_b","type":"user"},{"id":"msg_a","type":"assistant","content":[{"type":"tool","id":"call_1","state":%s}]}]}`
	r := question.Request{ID: "per_1", Session: "ses_1", Message: "msg_a", Call: "call_1", Permission: &question.Permission{Kind: "shell"}}
	for state, want := range map[string]event.Finding{
		`{"status":"completed","input":{},"structured":{"exit":0,"answers":7}}`: {Kind: event.FoundAnswered},
		`{"status":"error","error":{"type":"unknown","message":""}}`:            {Kind: event.FoundEnded},
		`{"status":"error","error":{"type":"tool","message":"exit 1"}}`:         {Kind: event.FoundEnded},
		`{"status":"running","input":{}}`:                                       {Kind: event.FoundPassing},
		`{"status":"streaming","input":"{\"comm"}`:                              {Kind: event.FoundPassing},
	} {
		list, err := decodeSpoken(fmt.Appendf(nil, call, state))
		if got := gone(r, false, list, true); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", state, got, err, want)
		}
	}
	interrupted := []byte(failing("aborted", "Tool execution interrupted"))
	list, err := decodeSpoken(interrupted)
	want := event.Finding{Kind: event.FoundCancelled, Begun: true}
	if got := gone(r, false, list, false); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("interrupted: %+v, %v", got, err)
	}
	for text, want := range map[string]event.Finding{
		"The user declined this tool call":                     {Kind: event.FoundDismissed},
		"Interaction cancelled because the location shut down": {Kind: event.FoundForgotten, WentOn: true},
	} {
		list, err := decodeSpoken([]byte(failing("aborted", text)))
		if got := gone(r, false, list, true); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if got := gone(r, false, nil, true); got.Kind != event.FoundEnded {
		t.Errorf("without its message: %+v", got)
	}
}

// A tool call is read whatever it is at: its input is a text while it streams.
func TestMessage_Calls(t *testing.T) {
	var read struct{ Data message }
	err := json.Unmarshal([]byte(`{"data":{"id":"msg_1","type":"assistant","agent":"plan","content":[
		{"type":"text","text":"So"},
		{"type":"tool","id":"a","state":{"status":"streaming","input":"{\"comm"}},
		{"type":"tool","id":"b","state":{"status":"running","input":{"command":"ls"},"structured":[1]}},
		{"type":"tool","id":"c","state":{"status":"completed","input":{},"metadata":{"answers":[["x"]]}}}]}}`), &read)
	m := read.Data.toWire()
	if err != nil || m.ID != "msg_1" || !m.Mine || m.Agent != "plan" || len(m.Calls) != 3 {
		t.Fatalf("read %+v, %v", m, err)
	}
	if a, b, c := m.Calls[0], m.Calls[1], m.Calls[2]; a.HasInput() || a.HasEnded() || string(b.Input["command"]) != `"ls"` || b.HasEnded() || !c.HasEnded() || c.Answers[0][0] != "x" {
		t.Errorf("read %+v", m.Calls)
	}
}
