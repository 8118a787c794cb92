package opencode_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode"
	"hermes/opencode/call"
)

// elicited is the only form that waits at a stand-in of OpenCode 2, and what its server gets.
func elicited(t *testing.T, pattern string) (*opencode.Client, question.Request, <-chan map[string]any) {
	t.Helper()
	s := opencode2sim.New(opencode2sim.Options{})
	t.Cleanup(s.Stop)
	c := opencode.NewClient(call.Endpoint{Transport: s.Transport(), Base: "http://opencode", Directory: proj, Username: "opencode", Password: "secret"}, "2.0.0", 0)
	_, reply := s.Elicit(proj, "shop", opencode2sim.Elicited{Fields: []map[string]any{{"key": "code", "type": "string", "required": true, "pattern": pattern}}})
	list, err := c.Questions(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d wait, %v", len(list), err)
	}
	return c, list[0], reply
}

// What the server does not take is told apart from every other failure, with its words, which no log gets. The form waits on.
func TestReply_RefusedForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r, _ := elicited(t, "^[0-9]+$")
		err := c.Reply(t.Context(), r, question.Answers{{"é"}})
		var refused *question.RefusedAnswers
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, "pattern: code") {
			t.Errorf("it says %v", err)
		}
		if f, err := c.Look(t.Context(), r); f.Kind != event.FoundOpen || err != nil {
			t.Errorf("it is %+v, %v", f, err)
		}
		if err := c.Reply(t.Context(), r, question.Answers{{"7"}}); err != nil {
			t.Error(err)
		}
	})
}

// A form that somebody else has cancelled was declined: it is of no turn that could have been stopped.
func TestLook_CancelledForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r, reply := elicited(t, "")
		if err := c.Reject(t.Context(), r, ""); err != nil {
			t.Fatal(err)
		}
		if got := <-reply; got["action"] != "cancel" {
			t.Errorf("the server got %v", got)
		}
		if f, err := c.Look(t.Context(), r); f.Kind != event.FoundDismissed || err != nil {
			t.Errorf("it is %+v, %v", f, err)
		}
		r.ID = "frm_unknown"
		if f, err := c.Look(t.Context(), r); f.Kind != event.FoundGone || err != nil {
			t.Errorf("what is gone is %+v, %v", f, err)
		}
	})
}
