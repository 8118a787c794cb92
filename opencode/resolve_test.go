package opencode_test

import (
	"testing"
	"testing/synctest"

	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode"
	"hermes/opencode/call"
)

// resolve finds the request of a tool call; not found is the empty id.
func resolve(t *testing.T, c *opencode.Client, r question.Request) question.RequestID {
	t.Helper()
	found, ok, err := c.Resolve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !ok && (found.Session != r.Session || found.Call != r.Call) {
		t.Errorf("what is not found came back as %+v", found)
	}
	if !ok {
		return ""
	}
	return found.ID
}

func TestResolve(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c, first := clientOf(s), ask(t, s, "", colour)
		second := ask(t, s, string(first.Session), sizes) // a parallel call
		other := ask(t, s, "", colour)
		for _, test := range []struct {
			name   string
			change func(*question.Request)
			want   question.RequestID
		}{
			{"by session, message and call", func(*question.Request) {}, second.ID},
			{"by session and call", func(r *question.Request) { r.Message = "" }, second.ID},
			{"another call", func(r *question.Request) { r.Call = "call_x" }, ""},
			{"a call of that id in another message", func(r *question.Request) { r.Message = "msg_x" }, ""},
			{"a call of that id in another session", func(r *question.Request) { r.Session = other.Session }, ""},
			{"a session without a question", func(r *question.Request) { r.Session = "ses_x" }, ""},
		} {
			r := second
			r.ID = ""
			test.change(&r)
			if got := resolve(t, c, r); got != test.want {
				t.Errorf("%s: found %q, want %q", test.name, got, test.want)
			}
		}
		answerRed(s, first)
		if got := resolve(t, c, captured(first)); got != "" {
			t.Errorf("an answered request was found: %q", got)
		}
	})
}

func TestResolve_TellsTheWholeRequest(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		r := ask(t, s, "", colour, sizes)
		found, ok, err := clientOf(s).Resolve(t.Context(), captured(r))
		if err != nil || !ok || found.Message != r.Message || len(found.Items) != 2 || found.Items[0].Text != colour.Question {
			t.Errorf("found %+v, %v, %v", found, ok, err)
		}
	})
}

func TestResolve_UnderAPI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		r := askV2(t, s, colour)
		if got := resolve(t, clientOf(s), captured(r)); got != r.ID {
			t.Errorf("found %q, want %q", got, r.ID)
		}
	})
}

// The schema lets a request leave out its tool call. Then the session's only
// question is the one.
func TestResolve_ARequestThatNamesNoCall(t *testing.T) {
	const one, two = `{"id":"que_1","sessionID":"ses_1"}`, `{"id":"que_2","sessionID":"ses_1"}`
	const named = `{"id":"que_3","sessionID":"ses_1","tool":{"messageID":"msg_1","callID":"call_3"}}`
	for list, want := range map[string]question.RequestID{
		"[" + one + "]": "que_1", "[" + one + "," + two + "]": "", "[" + named + "]": "", "[" + one + "," + named + "]": "", "[]": "",
	} {
		c := opencode.NewClient(call.Endpoint{Transport: pages{"/question": list}}, "", 0)
		if got := resolve(t, c, question.Request{Session: "ses_1", Call: "call_1"}); got != want {
			t.Errorf("%s: found %q, want %q", list, got, want)
		}
	}
}

func TestResolve_Busy(t *testing.T) {
	c := opencode.NewClient(call.Endpoint{Transport: pages{
		"/session/status": `{"ses_1":{"type":"busy"},"ses_2":{"type":"retry","attempt":3},"ses_3":{"type":"idle"}}`,
	}}, "", 0)
	busy, err := c.Sessions.Busy(t.Context())
	if err != nil || !busy["ses_1"] || !busy["ses_2"] || busy["ses_3"] || busy["ses_4"] {
		t.Errorf("%v, %v", busy, err)
	}
}
