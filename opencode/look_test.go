package opencode

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	v1 "hermes/opencode/v1"
)

// look looks at a request, which must not fail.
func look(t *testing.T, s *opencodesim.Simulator, r question.Request) event.Finding {
	t.Helper()
	found, err := clientOf(s).Look(t.Context(), r)
	if err != nil {
		t.Fatalf("look: %v", err)
	}
	return found
}

// fates is what can become of a request, and what is found then. Where the
// versions differ, old is what 1.1.53 shows.
var fates = []struct {
	name string
	do   func(s *opencodesim.Simulator, r question.Request)
	want event.FindingKind
	old  event.FindingKind
}{
	{name: "waits", do: func(*opencodesim.Simulator, question.Request) {}, want: event.FoundOpen},
	{name: "waits beside another", want: event.FoundOpen, do: func(s *opencodesim.Simulator, r question.Request) {
		s.Ask(proj, string(r.Session), sizes)
	}},
	{name: "answered", do: answerRed, want: event.FoundAnswered},
	{name: "answered, and the session asks on", want: event.FoundAnswered, do: func(s *opencodesim.Simulator, r question.Request) {
		answerRed(s, r)
		s.Ask(proj, string(r.Session), sizes)
	}},
	{name: "answered before a restart", want: event.FoundAnswered, do: func(s *opencodesim.Simulator, r question.Request) {
		answerRed(s, r)
		s.Restart()
	}},
	{name: "dismissed", do: dismiss, want: event.FoundDismissed},
	{name: "aborted", do: abort, want: event.FoundStopped},
	{name: "aborted, and what is left of it answered", want: event.FoundStopped, do: func(s *opencodesim.Simulator, r question.Request) {
		abort(s, r)
		answerRed(s, r)
	}},
	{name: "aborted, and the session works on something else", want: event.FoundStopped, do: func(s *opencodesim.Simulator, r question.Request) {
		abort(s, r)
		s.Ask(proj, string(r.Session), sizes)
	}},
	{name: "deleted", do: remove, want: event.FoundDeleted},
	{name: "deleted, and what is left of it answered", want: event.FoundDeleted, do: func(s *opencodesim.Simulator, r question.Request) {
		remove(s, r)
		answerRed(s, r)
	}},
	{name: "deleted after the answer", want: event.FoundDeleted, do: func(s *opencodesim.Simulator, r question.Request) {
		answerRed(s, r)
		remove(s, r)
	}},
	{name: "restarted", want: event.FoundForgotten, do: func(s *opencodesim.Simulator, _ question.Request) { s.Restart() }},
	{name: "restarted, and the session asks on", want: event.FoundForgotten, do: func(s *opencodesim.Simulator, r question.Request) {
		s.Restart()
		s.Ask(proj, string(r.Session), sizes)
	}},
	{
		name: "disposed", want: event.FoundStopped, old: event.FoundForgotten,
		do: func(s *opencodesim.Simulator, _ question.Request) { s.Dispose(proj) },
	},
}

func dismiss(s *opencodesim.Simulator, r question.Request) { s.RejectAtTUI(string(r.ID)) }

func TestLook(t *testing.T) {
	for _, fate := range fates {
		t.Run(fate.name, func(t *testing.T) {
			bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
				r := ask(t, s, "", colour)
				fate.do(s, r)
				want := fate.want
				if s.Version() == opencodesim.VersionOld && fate.old != "" {
					want = fate.old
				}
				if got := look(t, s, r); got.Kind != want {
					t.Errorf("found %q, want %q", got.Kind, want)
				}
			})
		})
	}
}

func TestLook_TellsTheAnswersToTheLetter(t *testing.T) {
	for _, answers := range [][][]string{
		{{" Blue, \"dark\" "}, {"S", "L"}},
		{{"in my own words\nand <b>lines</b>"}, {}},
		{{}, {"L"}},
	} {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			r := ask(t, s, "", colour, sizes)
			s.AnswerAtTUI(string(r.ID), answers)
			want := event.Finding{Kind: event.FoundAnswered, Answers: answers}
			if got := look(t, s, r); !reflect.DeepEqual(got, want) {
				t.Errorf("found %+v, want %+v", got, want)
			}
		})
	}
}

// An answer is taken in a moment after it was given.
func TestLook_WhileAnAnswerIsTakenIn(t *testing.T) {
	for _, version := range []string{opencodesim.VersionOld, opencodesim.VersionNew} {
		synctest.Test(t, func(t *testing.T) {
			s := opencodesim.New(opencodesim.Options{Version: version, Lag: time.Second})
			r := ask(t, s, "", colour)
			answerRed(s, r)
			if got := look(t, s, r); got.Kind != event.FoundPassing {
				t.Errorf("%s: at once: found %q", version, got.Kind)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if got := look(t, s, r); got.Kind != event.FoundAnswered {
				t.Errorf("%s: later: found %q", version, got.Kind)
			}
		})
	}
}

// Prompts that wait behind a question are newer messages, and no newer turn.
func TestLook_PastQueuedPrompts(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		r := ask(t, s, "", colour)
		for range 5 {
			prompt(t, s, string(r.Session), "and then?")
		}
		if got := look(t, s, r); got.Kind != event.FoundOpen {
			t.Errorf("found %q", got.Kind)
		}
		answerRed(s, r)
		if got := look(t, s, r); got.Kind != event.FoundAnswered {
			t.Errorf("after the answer: found %q", got.Kind)
		}
	})
}

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
	list, err := v1.NewDriver(clientOf(s).Endpoint, "", 0).LastMessages(t.Context(), session.ID(sessionID))
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
		c := NewClient(call.Endpoint{Transport: pages{
			"/question": "[]", "/session/status": "{}",
			"/session/ses_1/message": `[{"info":{"id":"msg_1"},"parts":[` + test.parts + `]}]`,
		}}, "", 0)
		got, err := c.Look(t.Context(), question.Request{Session: "ses_1", Call: "call_1"})
		if err != nil || got.Kind != test.want {
			t.Errorf("%s: found %q, %v", test.name, got.Kind, err)
		}
	}
}

// resolve finds the request of a tool call; not found is the empty id.
func resolve(t *testing.T, c *Client, r question.Request) question.RequestID {
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

// The schema lets a request leave out its tool call. Then the session's only
// question is the one.
func TestResolve_ARequestThatNamesNoCall(t *testing.T) {
	const one, two = `{"id":"que_1","sessionID":"ses_1"}`, `{"id":"que_2","sessionID":"ses_1"}`
	const named = `{"id":"que_3","sessionID":"ses_1","tool":{"messageID":"msg_1","callID":"call_3"}}`
	for list, want := range map[string]question.RequestID{
		"[" + one + "]": "que_1", "[" + one + "," + two + "]": "", "[" + named + "]": "", "[" + one + "," + named + "]": "", "[]": "",
	} {
		c := NewClient(call.Endpoint{Transport: pages{"/question": list}}, "", 0)
		if got := resolve(t, c, question.Request{Session: "ses_1", Call: "call_1"}); got != want {
			t.Errorf("%s: found %q, want %q", list, got, want)
		}
	}
}

func TestResolve_Busy(t *testing.T) {
	c := NewClient(call.Endpoint{Transport: pages{
		"/session/status": `{"ses_1":{"type":"busy"},"ses_2":{"type":"retry","attempt":3},"ses_3":{"type":"idle"}}`,
	}}, "", 0)
	busy, err := c.Busy(t.Context())
	if err != nil || !busy["ses_1"] || !busy["ses_2"] || busy["ses_3"] || busy["ses_4"] {
		t.Errorf("%v, %v", busy, err)
	}
}
