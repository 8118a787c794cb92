package opencode

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	v1 "hermes/opencode/v1"
)

// What becomes of a permission that is listed no more, by its call. The texts were
// measured on 1.1.53 ("Error: " before them) and 1.18.33.
func TestPermission_LookAtWhatBecameOfAPermission(t *testing.T) {
	const no = "The user rejected permission to use this specific tool call"
	passing, forgotten := event.Finding{Kind: event.FoundPassing}, event.Finding{Kind: event.FoundForgotten}
	ran := event.Finding{Kind: event.FoundAnswered}
	for _, c := range []struct {
		state string
		busy  bool
		want  event.Finding
	}{
		{`{"status":"completed"}`, false, ran},
		{`{"status":"running","input":{"command":"ls"}}`, true, passing},
		{`{"status":"running","metadata":{"output":"..."}}`, false, forgotten},
		{`{"status":"pending"}`, true, passing},
		{failedWith(no + "."), false, dismissed("")},
		{failedWith("Error: " + no + "."), false, dismissed("")},
		{failedWith(no + " with the following feedback: use \"x\"\nand abort"), true, dismissed("use \"x\"\nand abort")},
		{failedWith("Error: " + no + " with the following feedback: n"), true, dismissed("n")},
		{failedWith("Tool execution aborted"), false, event.Finding{Kind: event.FoundStopped, Begun: true}},
		{failedWith("Error: Tool execution aborted"), false, event.Finding{Kind: event.FoundStopped, Begun: true}},
		{failedWith("The operation was aborted due to timeout"), true, ran}, // of an allowed webfetch
		{`{"status":"error","error":{"message":"Tool execution interrupted"}}`, false, ran},
		{`{"status":"error","error":[1]}`, false, ran},
	} {
		f, err := NewClient(call.Endpoint{Transport: callIn(c.state, c.busy), Base: "http://opencode"}, "", 0).Look(t.Context(), leaving1)
		if err != nil || !reflect.DeepEqual(f, c.want) {
			t.Errorf("%s, busy %v: found %+v, %v; want %+v", c.state, c.busy, f, err, c.want)
		}
	}
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
		"/permission": "[]", "/session/status": "{}",
		"/session/ses_1": `{"id":"ses_1"}`, "/session/ses_1/message": `[{"info":{"id":"msg_1","role":"assistant"}}]`,
		"/session/ses_1/message/msg_1": `{"info":{"id":"msg_1","agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":` + state + `}]}`,
	}
	if busy {
		p["/session/status"] = `{"ses_1":{"type":"busy"}}`
	}
	return p
}

func TestPermission_DecisionToTheLetter(t *testing.T) {
	odd := leaving1
	odd.ID = "../x?y"
	const v1 = "POST http://opencode/permission/per_1/reply?directory=%2Fhome%2Fada%2Fproj application/json "
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
		{odd, nil, "", "POST http://opencode/permission/" + url.PathEscape("../x?y") + "/reply?directory=%2Fhome%2Fada%2Fproj application/json " + `{"reply":"reject"}`},
	} {
		way := &tap{to: pages{}}
		client := NewClient(call.Endpoint{Transport: way, Base: "http://opencode", Directory: proj}, "", 0)
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

// permissionFates is what can become of a permission ask, and what is found then.
// Where the versions differ, old is what 1.1.53 shows.
var permissionFates = []struct {
	name      string
	do        func(s *opencodesim.Simulator, id, other, session string)
	want, old event.Finding
}{
	{name: "waits", do: func(*opencodesim.Simulator, string, string, string) {}, want: event.Finding{Kind: event.FoundOpen}},
	{name: "once", do: func(s *opencodesim.Simulator, id, _, _ string) { s.DecideAtTUI(id, "once") }, want: event.Finding{Kind: event.FoundAnswered}},
	{name: "always", do: func(s *opencodesim.Simulator, id, _, _ string) { s.DecideAtTUI(id, "always") }, want: event.Finding{Kind: event.FoundAnswered}},
	{name: "rejected", do: func(s *opencodesim.Simulator, id, _, _ string) { s.DecideAtTUI(id, "reject") }, want: dismissed("")},
	{name: "rejected along", do: func(s *opencodesim.Simulator, _, other, _ string) { s.DecideAtTUI(other, "reject") }, want: dismissed("")},
	{name: "another is allowed", do: func(s *opencodesim.Simulator, _, other, _ string) { s.DecideAtTUI(other, "once") }, want: event.Finding{Kind: event.FoundOpen}},
	{name: "aborted", do: func(s *opencodesim.Simulator, _, _, session string) { s.Abort(session) }, want: event.Finding{Kind: event.FoundStopped}},
	{
		name: "aborted, and allowed too late", want: event.Finding{Kind: event.FoundStopped, Begun: true}, old: event.Finding{Kind: event.FoundForgotten},
		do: func(s *opencodesim.Simulator, id, _, session string) {
			s.Abort(session)
			time.Sleep(time.Second)
			s.DecideAtTUI(id, "once")
		},
	},
	{name: "aborted, and the session asks for something else", want: event.Finding{Kind: event.FoundStopped}, do: func(s *opencodesim.Simulator, _, _, session string) {
		s.Abort(session)
		s.AskBash(proj, session, "make again")
	}},
	{name: "deleted", do: func(s *opencodesim.Simulator, _, _, session string) { s.Delete(session) }, want: event.Finding{Kind: event.FoundDeleted}},
	{name: "restarted", do: func(s *opencodesim.Simulator, _, _, _ string) { s.Restart() }, want: event.Finding{Kind: event.FoundForgotten}},
	{
		name: "disposed", want: event.Finding{Kind: event.FoundStopped, Begun: true}, old: event.Finding{Kind: event.FoundForgotten},
		do: func(s *opencodesim.Simulator, _, _, _ string) { s.Dispose(proj) },
	},
}

func TestLook_AtAPermission(t *testing.T) {
	for _, fate := range permissionFates {
		t.Run(fate.name, func(t *testing.T) {
			bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
				session := s.NewSession(proj, "build")
				id, _ := s.AskBash(proj, session, "make")
				other, _ := s.AskBash(proj, session, "rm -rf x")
				r := permitted(t, s, id)
				fate.do(s, id, other, session)
				wait(time.Second)
				want := fate.want
				if s.Version() == opencodesim.VersionOld && fate.old.Kind != "" {
					want = fate.old
				}
				if got := look(t, s, r); got.Kind != want.Kind || got.Note != want.Note || got.Begun != want.Begun {
					t.Errorf("found %+v, want %+v", got, want)
				}
			})
		})
	}
}

// permitted is a permission ask as OpenCode lists it.
func permitted(t *testing.T, s *opencodesim.Simulator, id string) question.Request {
	t.Helper()
	list, err := v1.NewDriver(clientOf(s).Endpoint, "", 0).Permissions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.ID == question.RequestID(id) {
			return r
		}
	}
	t.Fatalf("%s is not among the %d that are listed", id, len(list))
	return question.Request{}
}

// What hermes sends is what the agent gets.
func TestLook_DecisionReachesTheAgent(t *testing.T) {
	for name, note := range map[string]string{"rejected": "", "with a note": "use \"make\"\n<b>", "once": "once", "always": "always"} {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			session := s.NewSession(proj, "build")
			id, _ := s.AskBash(proj, session, "make")
			r, c := permitted(t, s, id), clientOf(s)
			want, err := event.Finding{Kind: event.FoundAnswered}, error(nil)
			if name == note {
				err = c.Reply(t.Context(), r, question.Answers{{note}})
			} else {
				want, err = dismissed(note), c.Reject(t.Context(), r, note)
			}
			wait(time.Second)
			if got := look(t, s, r); err != nil || got.Kind != want.Kind || got.Note != want.Note {
				t.Errorf("%s: found %+v, %v", name, got, err)
			}
		})
	}
}
