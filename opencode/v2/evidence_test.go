package v2_test

import (
	"fmt"
	"reflect"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	v2 "hermes/opencode/v2"
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
		state, _ := v2.Protocol{}.State("/d", asked)
		if got, err := state.Decode([]byte(body)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s proves %+v, %v", body, got, err)
		}
	}
	for _, body := range []string{`{"data":{"status":"new"}}`, `{"data":{"id":"frm_1"}}`, `{}`, `[]`} {
		state, _ := v2.Protocol{}.State("/d", asked)
		if got, err := state.Decode([]byte(body)); err == nil {
			t.Errorf("%s proves %+v", body, got)
		}
	}
}

// A permission is there while it waits (capture 05).
func TestEvidence_PermissionWaits(t *testing.T) {
	state, _ := v2.Protocol{}.State("", question.Request{ID: "per_1", Session: "ses_1", Permission: &question.Permission{}})
	if got, err := state.Decode([]byte(`{"data":{"id":"per_1","sessionID":"ses_1","action":"shell"}}`)); err != nil || got.Kind != event.FoundOpen {
		t.Errorf("it is %+v, %v", got, err)
	}
	if got, err := state.Decode([]byte(`{"data":{}}`)); err == nil {
		t.Errorf("nothing is %+v", got)
	}
}

// messagesIn are the captured messages of a session.
func messagesIn(t *testing.T, name string) []wire.Message {
	t.Helper()
	last, _ := v2.Protocol{}.LastMessages("", "ses_1")
	list, err := last.Decode(captured(t, name))
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
	last, _ := v2.Protocol{}.LastMessages("", "ses_1")
	read := func(body string) []wire.Message {
		list, err := last.Decode([]byte(body))
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
		got := v2.Protocol{}.Gone(c.of, c.cancelled, c.since, c.works)
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
	last, _ := v2.Protocol{}.LastMessages("", "ses_1")
	r := question.Request{ID: "per_1", Session: "ses_1", Message: "msg_a", Call: "call_1", Permission: &question.Permission{Kind: "shell"}}
	for state, want := range map[string]event.Finding{
		`{"status":"completed","input":{},"structured":{"exit":0,"answers":7}}`: {Kind: event.FoundAnswered},
		`{"status":"error","error":{"type":"unknown","message":""}}`:            {Kind: event.FoundEnded},
		`{"status":"error","error":{"type":"tool","message":"exit 1"}}`:         {Kind: event.FoundEnded},
		`{"status":"running","input":{}}`:                                       {Kind: event.FoundPassing},
		`{"status":"streaming","input":"{\"comm"}`:                              {Kind: event.FoundPassing},
	} {
		list, err := last.Decode(fmt.Appendf(nil, call, state))
		if got := (v2.Protocol{}).Gone(r, false, list, true); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", state, got, err, want)
		}
	}
	interrupted := []byte(failing("aborted", "Tool execution interrupted"))
	list, err := last.Decode(interrupted)
	want := event.Finding{Kind: event.FoundCancelled, Begun: true}
	if got := (v2.Protocol{}).Gone(r, false, list, false); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("interrupted: %+v, %v", got, err)
	}
	for text, want := range map[string]event.Finding{
		"The user declined this tool call":                     {Kind: event.FoundDismissed},
		"Interaction cancelled because the location shut down": {Kind: event.FoundForgotten, WentOn: true},
	} {
		list, err := last.Decode([]byte(failing("aborted", text)))
		if got := (v2.Protocol{}).Gone(r, false, list, true); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if got := (v2.Protocol{}).Gone(r, false, nil, true); got.Kind != event.FoundEnded {
		t.Errorf("without its message: %+v", got)
	}
}

func TestEvidence_Active(t *testing.T) {
	active, _ := v2.Protocol{}.Active()
	got, err := active.Decode([]byte(`{"data":{"ses_1":{"type":"running"}}}`))
	if want := map[session.ID]bool{"ses_1": true}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("active are %v, %v", got, err)
	}
}

// A tool call is read whatever it is at: its input is a text while it streams.
func TestMessage_Calls(t *testing.T) {
	m, err := v2.Protocol{}.Message("", question.Request{}).Decode([]byte(`{"data":{"id":"msg_1","type":"assistant","agent":"plan","content":[
		{"type":"text","text":"So"},
		{"type":"tool","id":"a","state":{"status":"streaming","input":"{\"comm"}},
		{"type":"tool","id":"b","state":{"status":"running","input":{"command":"ls"},"structured":[1]}},
		{"type":"tool","id":"c","state":{"status":"completed","input":{},"metadata":{"answers":[["x"]]}}}]}}`))
	if err != nil || m.ID != "msg_1" || !m.Mine || m.Agent != "plan" || len(m.Calls) != 3 {
		t.Fatalf("read %+v, %v", m, err)
	}
	if a, b, c := m.Calls[0], m.Calls[1], m.Calls[2]; a.HasInput() || a.HasEnded() || string(b.Input["command"]) != `"ls"` || b.HasEnded() || !c.HasEnded() || c.Answers[0][0] != "x" {
		t.Errorf("read %+v", m.Calls)
	}
}
