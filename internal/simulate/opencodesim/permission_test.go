package opencodesim_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencodesim"
)

func TestPermission(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		c := dial(t, s)
		want := opencodesim.Permission{Permission: "bash", Patterns: []string{"rm -r x"}, Always: []string{"rm *"}}
		id, call := s.AskPermission(proj, "", want)
		if _, text := c.do("GET", "/permission", nil); !strings.Contains(text, id) {
			t.Errorf("not listed: %s", text)
		}
		if status, _ := c.do("POST", "/permission/"+id+"/reply", map[string]string{"reply": "maybe"}); status != 400 {
			t.Errorf("reply maybe: %d", status)
		}
		c.do("POST", "/permission/"+id+"/reply", map[string]string{"reply": "reject", "message": "use trash"})
		if text, _ := s.Output(call); !strings.Contains(text, "feedback: use trash") {
			t.Errorf("the agent read %q", text)
		}
	})
}

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

// TestPartLag: at first the call's input cannot be read.
func TestPartLag(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v, PartLag: 10 * time.Millisecond})
		c := dial(t, s)
		ses := s.NewSession(proj, "")
		id, call := s.AskBash(proj, ses, "rm -rf build")
		read := func() string {
			_, text := c.do("GET", "/session/"+ses+"/message", nil)
			_, answer, _ := strings.Cut(text, `"role":"assistant"`)
			return answer
		}
		if text := read(); strings.Contains(text, "rm -rf build") || strings.Contains(text, call) != (v == opencodesim.VersionNew) {
			t.Errorf("too early: %s", text)
		}
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		if text := read(); !strings.Contains(text, "rm -rf build") {
			t.Errorf("not there: %s", text)
		}
		early, earlyCall := s.AskBash(proj, ses, "make")
		s.DecideAtTUI(early, "once") // before its part can be read
		s.DecideAtTUI(id, "once")
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
		if !s.Ran(earlyCall) || s.Busy(ses) || strings.Contains(read(), `"status":"running"`) {
			t.Errorf("an early grant: %s", read())
		}
	})
}

// A patch asks once for all of its files; what is moved is named by its old path, and by its new one in the metadata alone.
func TestAskTool_Patch(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		c := dial(t, s)
		id, call := s.AskTool(proj, "", "apply_patch", map[string]any{"patchText": "*** Begin Patch\n" +
			"*** Update File: notes.txt\n*** Move to: .git/hooks/pre-commit\n@@\n-hello\n+hallo\n*** Add File: new.txt\n+new\n*** Delete File: old.txt\n*** End Patch"})
		_, text := c.do("GET", "/permission", nil)
		for _, part := range []string{
			`"patterns":["notes.txt","new.txt","old.txt"]`, `"filepath":"notes.txt, new.txt, old.txt"`, `-hello\n+hallo`,
			`"movePath":"` + proj + `/.git/hooks/pre-commit"`, `"relativePath":".git/hooks/pre-commit"`, `"type":"move"`, `"type":"add"`, `"type":"delete"`,
		} {
			if !strings.Contains(text, part) {
				t.Errorf("the ask has no %s: %s", part, text)
			}
		}
		c.do("POST", "/permission/"+id+"/reply", map[string]string{"reply": "once"})
		if !s.Ran(call) || !s.Exists(proj+"/.git/hooks/pre-commit") || !s.Exists(proj+"/new.txt") || s.Exists(proj+"/notes.txt") {
			t.Error("the patch was not carried out")
		}
	})
}
