package opencode_test

import (
	"reflect"
	"testing"
	"testing/synctest"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/release"
)

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
		without := opencode.NewClient(*clientOf(s).Endpoint, release.Oldest, 0)
		if list, err := without.Questions(t.Context()); err != nil || len(list) != 1 {
			t.Errorf("without those routes: %d requests, %v", len(list), err)
		}
	})
}

// 1.16 has the routes, and so has a nightly build. A server that only seems to
// have them says nothing about them.
func TestLookV2_QuestionsWithoutV2Routes(t *testing.T) {
	c := opencode.NewClient(call.Endpoint{Transport: pages{"/question": `[{"id":"que_1"}]`}, Directory: proj}, release.Newest, 0)
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
			c := opencode.NewClient(call.Endpoint{Directory: proj, Transport: pages{
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
	c := opencode.NewClient(call.Endpoint{Transport: pages{"/api/question/request": `{"data":[]}`, "/session/status": `{}`}}, release.Newest, 0)
	got, err := c.Look(t.Context(), question.Request{ID: "que_1", Protocol: session.Preview, Session: "ses_1", Message: "msg_1"})
	if err != nil || got.Kind != event.FoundDeleted {
		t.Errorf("found %q, %v", got.Kind, err)
	}
}

// The schema lets a request name no tool call: then no message tells of it.
func TestLookV2_ForgottenWithoutACall(t *testing.T) {
	c := opencode.NewClient(call.Endpoint{Directory: proj, Transport: pages{
		"/api/question/request": `{"data":[]}`, "/session/status": `{}`, "/api/session/active": `{"data":{}}`,
	}}, release.Newest, 0)
	got, err := c.Look(t.Context(), question.Request{ID: "que_1", Protocol: session.Preview, Session: "ses_1"})
	if err != nil || got.Kind != event.FoundForgotten {
		t.Errorf("found %q, %v", got.Kind, err)
	}
}
