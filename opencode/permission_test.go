package opencode_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/release"
)

// What becomes of a permission that is listed no more, by its call. The texts were
// measured on 1.1.53 ("Error: " before them) and 1.18.33.
func TestPermission_LookAtWhatBecameOfAPermission(t *testing.T) {
	const no = "The user rejected permission to use this specific tool call"
	passing, forgotten := event.Finding{Kind: event.FoundPassing}, event.Finding{Kind: event.FoundForgotten}
	ran, ended := event.Finding{Kind: event.FoundAnswered}, event.Finding{Kind: event.FoundEnded}
	for _, c := range []struct {
		state  string
		busy   bool
		v1, v2 event.Finding
	}{
		{`{"status":"completed"}`, false, ran, ran},
		{`{"status":"running","input":{"command":"ls"}}`, true, passing, passing},
		{`{"status":"running","metadata":{"output":"..."}}`, false, forgotten, forgotten},
		{`{"status":"pending"}`, true, passing, passing},
		{failedWith(no + "."), false, dismissed(""), dismissed("")},
		{failedWith("Error: " + no + "."), false, dismissed(""), dismissed("")},
		{failedWith(no + " with the following feedback: use \"x\"\nand abort"), true, dismissed("use \"x\"\nand abort"), dismissed("use \"x\"\nand abort")},
		{failedWith("Error: " + no + " with the following feedback: n"), true, dismissed("n"), dismissed("n")},
		{failedWith("Tool execution aborted"), false, event.Finding{Kind: event.FoundStopped, Begun: true}, ended},
		{failedWith("Error: Tool execution aborted"), false, event.Finding{Kind: event.FoundStopped, Begun: true}, ended},
		{failedWith("The operation was aborted due to timeout"), true, ran, ended}, // of an allowed webfetch
		{`{"status":"error","error":{"message":"Tool execution interrupted"}}`, false, ran, ended},
		{failedWith("Unable to execute command: touch v3"), true, ran, ended},
		{failedWith("Tool execution interrupted"), false, ran, ended},
		{`{"status":"error","error":[1]}`, false, ran, ended},
	} {
		for protocol, want := range map[session.Protocol]event.Finding{session.V1: c.v1, session.Preview: c.v2} {
			r := leaving1
			r.Protocol = protocol
			f, err := opencode.NewClient(call.Endpoint{Transport: callIn(c.state, c.busy), Base: "http://opencode"}, "", 0).Look(t.Context(), r)
			if err != nil || !reflect.DeepEqual(f, want) {
				t.Errorf("%s, %s, busy %v: found %+v, %v; want %+v", protocol, c.state, c.busy, f, err, want)
			}
		}
	}
}

var leaving1 = question.Request{
	ID: "per_1", Session: "ses_1", Message: "msg_1", Call: "call_1", Permission: &question.Permission{Kind: "bash"},
}

func dismissed(note string) event.Finding {
	return event.Finding{Kind: event.FoundDismissed, Note: note}
}

func failedWith(text string) string {
	raw, _ := json.Marshal(map[string]string{"status": "error", "error": text})
	return string(raw)
}

// callIn is a server where no permission waits, and call_1 is in this state.
func callIn(state string, busy bool) pages {
	p := pages{
		"/permission": "[]", "/api/permission/request": `{"data":[]}`, "/session/status": "{}", "/api/session/active": `{"data":{}}`,
		"/session/ses_1": `{"id":"ses_1"}`, "/session/ses_1/message": `[{"info":{"id":"msg_1","role":"assistant"}}]`,
		"/session/ses_1/message/msg_1":     `{"info":{"id":"msg_1","agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":` + state + `}]}`,
		"/api/session/ses_1/message/msg_1": `{"data":{"agent":"build","content":[{"type":"tool","id":"call_1","state":` + state + `}]}}`,
	}
	if busy {
		p["/session/status"], p["/api/session/active"] = `{"ses_1":{"type":"busy"}}`, `{"data":{"ses_1":{}}}`
	}
	return p
}

func TestPermission_DecisionToTheLetter(t *testing.T) {
	r2 := leaving1
	r2.Protocol = session.Preview
	odd := leaving1
	odd.ID = "../x?y"
	const v1, v2 = "POST http://opencode/permission/per_1/reply?directory=%2Fhome%2Fada%2Fproj application/json ",
		"POST http://opencode/api/session/ses_1/permission/per_1/reply?directory=%2Fhome%2Fada%2Fproj application/json "
	for _, c := range []struct {
		request question.Request
		answers question.Answers
		note    string
		want    string
	}{
		{leaving1, question.Answers{{"once"}}, "", v1 + `{"reply":"once"}`},
		{leaving1, question.Answers{{"always"}}, "", v1 + `{"reply":"always"}`},
		{leaving1, nil, "", v1 + `{"reply":"reject"}`},
		{leaving1, nil, "use \"make\"\n<b>", v1 + `{"message":"use \"make\"\n\u003cb\u003e","reply":"reject"}`},
		{r2, question.Answers{{"once"}}, "", v2 + `{"reply":"once"}`},
		{r2, nil, "no", v2 + `{"message":"no","reply":"reject"}`},
		{odd, nil, "", "POST http://opencode/permission/" + url.PathEscape("../x?y") + "/reply?directory=%2Fhome%2Fada%2Fproj application/json " + `{"reply":"reject"}`},
	} {
		way := &tap{to: pages{}}
		client := opencode.NewClient(call.Endpoint{Transport: way, Base: "http://opencode", Directory: proj}, "", 0)
		err := client.Reject(t.Context(), c.request, c.note)
		if c.answers != nil {
			way.seen = nil
			err = client.Reply(t.Context(), c.request, c.answers)
		}
		if !call.IsNotFound(err) || len(way.seen) != 1 || way.seen[0] != c.want {
			t.Errorf("sent %q, %v\nwant %q", way.seen, err, c.want)
		}
	}
}

// Older versions have nothing under /api; what answers there is no list.
func TestPermission_PendingWithoutTheRoutesUnderAPI(t *testing.T) {
	p := pages{"/question": `[{"id":"que_1","questions":[{"question":"?"}]}]`, "/permission": `[{"id":"per_1","sessionID":"ses_2","permission":"bash","patterns":["ls"]}]`}
	for _, version := range []string{release.Oldest, release.Newest} {
		list, err := opencode.NewClient(call.Endpoint{Transport: p, Base: "http://opencode"}, version, 0).Pending(t.Context())
		if err != nil || len(list) != 2 || list[0].ID != "que_1" || list[1].ID != "per_1" {
			t.Errorf("%s: listed %+v, %v", version, list, err)
		}
	}
	p["/permission"] = `{"no":"list"}`
	if _, err := opencode.NewClient(call.Endpoint{Transport: p, Base: "http://opencode"}, "", 0).Pending(t.Context()); err == nil {
		t.Error("what is no list was taken for one")
	}
}
