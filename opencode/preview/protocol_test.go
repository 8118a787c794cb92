package preview_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/preview"
	"hermes/opencode/wire"
)

func TestProtocol_Routes(t *testing.T) {
	asking := question.Request{ID: "que_1", Session: "ses/1", Message: "msg_1", Items: []question.Item{{}, {}}}
	leave := question.Request{ID: "per_1", Session: "ses_1", Message: "msg_1", Permission: &question.Permission{}}
	p := preview.Protocol{}
	active, _ := p.Active()
	for want, c := range map[string]call.Call{
		"GET /api/question/request location%5Bdirectory%5D=%2Fa+b null":                     p.Questions("/a b").Call,
		"GET /api/permission/request location%5Bdirectory%5D= null":                         p.Permissions("").Call,
		"GET /api/session/active  null":                                                     active.Call,
		"GET /api/session/ses%2F1/message/msg_1 directory=%2Fd null":                        p.Message("/d", asking).Call,
		`POST /api/session/ses%2F1/question/que_1/reply directory=%2Fd {"answers":[[],[]]}`: p.Reply("/d", asking, nil),
		"POST /api/session/ses%2F1/question/que_1/reject  null":                             p.Reject("", asking, "a note"),
		`POST /api/session/ses_1/permission/per_1/reply  {"reply":"always"}`:                p.Reply("", leave, question.Answers{{question.Always}}),
		`POST /api/session/ses_1/permission/per_1/reply  {"message":"no","reply":"reject"}`: p.Reject("", leave, "no"),
	} {
		body, err := json.Marshal(c.Body)
		if got := c.Method + " " + c.Path + " " + c.Query.Encode() + " " + string(body); got != want || err != nil {
			t.Errorf("calls %s, %v\nwant %s", got, err, want)
		}
	}
	if _, ok := p.LastMessages("", "ses_1"); ok || !p.ListedWaits() {
		t.Error("what an interrupted turn leaves is looked for")
	}
}

func TestProtocol_PermissionAsk(t *testing.T) {
	got, err := preview.Protocol{}.Permissions("").Decode([]byte(`{"data":[{"id":"per_1","sessionID":"ses_1","action":"bash","resources":["ls"],
		"save":["ls *"],"source":{"messageID":"msg_1","callID":"call_1"},"metadata":{"command":"ls"},"permission":"old"}]}`))
	want := []question.Request{{
		ID: "per_1", Protocol: session.Preview, Session: "ses_1", Message: "msg_1", Call: "call_1",
		Permission: &question.Permission{Kind: "bash", Patterns: []string{"ls"}, Always: []string{"ls *"}, Command: "ls"},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, want)
	}
}

func TestProtocol_Hears(t *testing.T) {
	for kind, want := range map[string]event.Kind{
		"question.v2.asked": event.Asked, "permission.v2.asked": event.Asked,
		"question.v2.replied": event.Replied, "permission.v2.replied": event.Replied,
		"question.v2.rejected": event.Rejected, "session.next.tool.failed": event.Touched,
	} {
		e := wire.Event{Type: kind, Properties: json.RawMessage(`{"id":"x_1","requestID":"x_1","sessionID":"ses_1","reply":"once"}`)}
		said, known := preview.Protocol{}.Hear(e)
		if !known || len(said) != 1 || said[0].Kind != want || said[0].Session != "ses_1" {
			t.Errorf("%s says %+v", kind, said)
		}
		if want == event.Asked && said[0].Asks[0].Request.Protocol != session.Preview {
			t.Errorf("%s is of %q", kind, said[0].Asks[0].Request.Protocol)
		}
	}
	if said, known := (preview.Protocol{}).Hear(wire.Event{Type: "question.asked"}); known {
		t.Errorf("an event of the other protocol says %+v", said)
	}
}
