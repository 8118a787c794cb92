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
	"hermes/opencode/release"
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

// Under /api a request that is listed waits; the two families of routes do not
// know each other's requests.
func TestLookV2_V2RequestsAreListedBesideTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		first, second := ask(t, s, "", colour), askV2(t, s, sizes)
		if first.Protocol != session.V1 || second.Protocol != session.Preview {
			t.Errorf("they are listed as %q and %q", first.Protocol, second.Protocol)
		}
		for _, r := range []question.Request{first, second} {
			if got := look(t, s, r); got.Kind != event.FoundOpen {
				t.Errorf("%s: found %q", r.Protocol, got.Kind)
			}
		}
		without := NewClient(*clientOf(s).Endpoint, release.Oldest, 0)
		if list, err := without.Questions(t.Context()); err != nil || len(list) != 1 {
			t.Errorf("without those routes: %d requests, %v", len(list), err)
		}
	})
}

// 1.16 has the routes, and so has a nightly build. A server that only seems to
// have them says nothing about them.
func TestLookV2_QuestionsWithoutV2Routes(t *testing.T) {
	c := NewClient(call.Endpoint{Transport: pages{"/question": `[{"id":"que_1"}]`}, Directory: proj}, release.Newest, 0)
	if list, err := c.Questions(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d requests, %v", len(list), err)
	}
}

// The form of a message under /api is that of its OpenAPI document in 1.18.33.
func TestLookV2(t *testing.T) {
	const head = `{"data":{"id":"msg_1","type":"assistant","content":[{"type":"text","text":"x"},{"type":"tool","id":"call_1","name":"question","state":`
	r := question.Request{ID: "que_1", Protocol: session.Preview, Session: "ses_1", Message: "msg_1", Call: "call_1"}
	for _, fate := range []struct {
		name, message, active string
		want                  event.Finding
	}{
		{"answered", head + `{"status":"completed","structured":{"answers":[["S","L"]]}}}]}}`, `{}`, event.Finding{
			Kind: event.FoundAnswered, Answers: question.Answers{{"S", "L"}},
		}},
		{
			"dismissed", head + `{"status":"error","error":{"type":"unknown","message":"The user dismissed this question"}}}]}}`, `{}`,
			event.Finding{Kind: event.FoundDismissed},
		},
		{
			"interrupted", head + `{"status":"error","error":{"type":"unknown","message":"Tool execution interrupted"}}}]}}`, `{}`,
			event.Finding{Kind: event.FoundStopped},
		},
		{"being taken in", head + `{"status":"running"}}]}}`, `{"ses_1":{}}`, event.Finding{Kind: event.FoundPassing}},
		{"forgotten", head + `{"status":"running"}}]}}`, `{"ses_2":{}}`, event.Finding{Kind: event.FoundForgotten}},
		{"not in its message", `{"data":{"id":"msg_1","content":[]}}`, `{}`, event.Finding{Kind: event.FoundForgotten}},
	} {
		t.Run(fate.name, func(t *testing.T) {
			c := NewClient(call.Endpoint{Directory: proj, Transport: pages{
				"/api/question/request": `{"data":[]}`, "/session/status": `{}`,
				"/api/session/ses_1/message/msg_1": fate.message, "/api/session/active": `{"data":` + fate.active + `}`,
			}}, release.Newest, 0)
			got, err := c.Look(t.Context(), r)
			if err != nil || !reflect.DeepEqual(got, fate.want) {
				t.Errorf("found %v, %v; want %v", got, err, fate.want)
			}
		})
	}
}

// A session that is gone is gone under both families of routes.
func TestLookV2_AtADeletedSession(t *testing.T) {
	c := NewClient(call.Endpoint{Transport: pages{"/api/question/request": `{"data":[]}`, "/session/status": `{}`}}, release.Newest, 0)
	got, err := c.Look(t.Context(), question.Request{ID: "que_1", Protocol: session.Preview, Session: "ses_1", Message: "msg_1"})
	if err != nil || got.Kind != event.FoundDeleted {
		t.Errorf("found %q, %v", got.Kind, err)
	}
}

// The schema lets a request name no tool call: then no message tells of it.
func TestLookV2_ForgottenWithoutACall(t *testing.T) {
	c := NewClient(call.Endpoint{Directory: proj, Transport: pages{
		"/api/question/request": `{"data":[]}`, "/session/status": `{}`, "/api/session/active": `{"data":{}}`,
	}}, release.Newest, 0)
	got, err := c.Look(t.Context(), question.Request{ID: "que_1", Protocol: session.Preview, Session: "ses_1"})
	if err != nil || got.Kind != event.FoundForgotten {
		t.Errorf("found %q, %v", got.Kind, err)
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
	busy, err := c.Sessions.Busy(t.Context())
	if err != nil || !busy["ses_1"] || !busy["ses_2"] || busy["ses_3"] || busy["ses_4"] {
		t.Errorf("%v, %v", busy, err)
	}
}
