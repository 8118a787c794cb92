package opencodesim_test

import (
	"strings"
	"testing"

	"hermes/internal/simulate/opencodesim"
)

// TestAskBash holds what the contract cannot see: that the agent can be driven from
// Go, in parallel, and what became of its calls.
func TestAskBash(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		c := dial(t, s)
		ses := s.NewSession(proj, "")
		rm, rmCall := s.AskBash(proj, ses, "rm -rf build")
		_, editCall := s.AskEdit(proj, ses, proj+"/a.txt", "one\n", "two\n")
		if got := s.Pending(proj); len(got) != 2 {
			t.Fatalf("pending: %q", got)
		}
		_, text := c.do("GET", "/session/"+ses+"/message", nil)
		if !strings.Contains(text, `"command":"rm -rf build"`) {
			t.Errorf("the command is not in the call's input: %s", text)
		}
		if _, text = c.do("GET", "/permission", nil); !strings.Contains(text, `-one\n+two`) {
			t.Errorf("the ask has no diff: %s", text)
		}
		c.do("POST", "/permission/"+rm+"/reply", map[string]string{"reply": "once"})
		if !s.Ran(rmCall) || s.Ran(editCall) || !s.Busy(ses) {
			t.Errorf("ran: %v %v, busy: %v", s.Ran(rmCall), s.Ran(editCall), s.Busy(ses))
		}
	})
}

// TestFurtherPermissions: the next permission of a call is asked when the one before
// is granted, and what an always covers is not asked at all.
func TestFurtherPermissions(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		first, call := s.AskBash(proj, "", "touch /srv/x")
		s.DecideAtTUI(first, "always")
		second := s.Pending(proj)
		if len(second) != 1 || second[0] == first || s.Ran(call) {
			t.Fatalf("then pending: %q, ran: %v", second, s.Ran(call))
		}
		s.DecideAtTUI(second[0], "always")
		if !s.Ran(call) || !s.Exists("/srv/x") {
			t.Error("the command was not carried out")
		}
		if id, call := s.AskBash(proj, "", "touch /srv/y"); id != "" || !s.Ran(call) {
			t.Errorf("asked again: %q", id)
		}
		s.Restart()
		if id, _ := s.AskBash(proj, "", "touch /srv/z"); id == "" {
			t.Error("a grant survived the restart")
		}
	})
}
