package opencode_test

import (
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode"
	"hermes/opencode/call"
)

// captured is what hermes knows of a request when only its tool call was seen.
func captured(r question.Request) question.Request {
	r.ID, r.Message = "", ""
	return r
}

func TestLook_ByCallAlone(t *testing.T) {
	for _, fate := range []struct {
		name string
		do   func(*opencodesim.Simulator, question.Request)
		want event.FindingKind
	}{
		{"waits", func(*opencodesim.Simulator, question.Request) {}, event.FoundPassing},
		{"answered", answerRed, event.FoundAnswered},
		{"dismissed", dismiss, event.FoundDismissed},
		{"deleted", remove, event.FoundDeleted},
		{"restarted", func(s *opencodesim.Simulator, _ question.Request) { s.Restart() }, event.FoundForgotten},
		{"aborted and settled", func(s *opencodesim.Simulator, r question.Request) { abort(s, r); dismiss(s, r) }, event.FoundStopped},
	} {
		t.Run(fate.name, func(t *testing.T) {
			bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
				r := ask(t, s, "", colour)
				fate.do(s, r)
				if got := look(t, s, captured(r)); got.Kind != fate.want {
					t.Errorf("found %q, want %q", got.Kind, fate.want)
				}
			})
		})
	}
}

// A call whose arguments OpenCode refuses was never a question.
func TestLook_AtAVoidCall(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		sessionID := s.NewSession(proj, "Paint")
		prompt(t, s, sessionID, `CALL question {"questions":[{"question":"Which?"}]}`)
		r := question.Request{Session: session.ID(sessionID), Call: lastCall(t, s, sessionID)}
		if got := look(t, s, r); got.Kind != event.FoundVoid {
			t.Errorf("found %q", got.Kind)
		}
	})
}

// A call that is not in its message yet is about to be.
func TestLook_BeforeTheCallIsWritten(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		r := captured(ask(t, s, "", colour))
		r.Call = "call_that_begins"
		if got := look(t, s, r); got.Kind != event.FoundPassing {
			t.Errorf("found %q", got.Kind)
		}
	})
}

// lastCall is the id of the session's last tool call.
func lastCall(t *testing.T, s *opencodesim.Simulator, sessionID string) question.CallID {
	t.Helper()
	list, err := clientOf(s).Sessions.LastMessages(t.Context(), session.ID(sessionID))
	if err != nil {
		t.Fatal(err)
	}
	call := question.CallID("")
	for _, m := range list {
		for _, p := range m.Parts {
			if p.Type == "tool" {
				call = question.CallID(p.CallID)
			}
		}
	}
	if call == "" {
		t.Fatal("the session called no tool")
	}
	return call
}

// Providers use the ids of calls again. Under /api a call's id is the part's own,
// which elsewhere is another thing.
func TestLook_TheLastCallOfThatIDCounts(t *testing.T) {
	for _, test := range []struct {
		name, parts string
		want        event.FindingKind
	}{
		{
			"used again", `{"type":"tool","callID":"call_1","state":{"status":"completed"}},
			{"type":"tool","callID":"call_1","state":{"status":"error","error":"The user dismissed this question"}}`, event.FoundDismissed,
		},
		{
			"a part of that id", `{"type":"tool","callID":"call_1","state":{"status":"completed"}},
			{"type":"tool","id":"call_1","callID":"call_2","state":{"status":"running"}},{"type":"text","callID":"call_1"}`, event.FoundAnswered,
		},
	} {
		c := opencode.NewClient(call.Endpoint{Transport: pages{
			"/question": "[]", "/session/status": "{}",
			"/session/ses_1/message": `[{"info":{"id":"msg_1"},"parts":[` + test.parts + `]}]`,
		}}, "", 0)
		got, err := c.Look(t.Context(), question.Request{Session: "ses_1", Call: "call_1"})
		if err != nil || got.Kind != test.want {
			t.Errorf("%s: found %q, %v", test.name, got.Kind, err)
		}
	}
}
