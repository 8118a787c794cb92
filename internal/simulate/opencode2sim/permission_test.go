package opencode2sim_test

import (
	"strings"
	"testing"

	"hermes/internal/simulate/opencode2sim"
)

func (c client) decide(session, permission string, body map[string]any) int {
	c.Helper()
	if c.sim.Version() == opencode2sim.VersionRelease && body["reply"] != nil {
		body["decision"] = body["reply"]
		delete(body, "reply")
	}
	status, _ := c.do("POST", "/api/session/"+session+"/permission/"+permission+"/reply", body)
	return status
}

func TestAlwaysIsForTheProject(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		first, second := c.newSession(), c.newSession()
		asked, _ := c.sim.AskBash(dir, first, "make test")
		same, call := c.sim.AskBash(dir, second, "make test")
		other, _ := c.sim.AskBash(dir, second, "make install")
		if got := c.decide(first, asked, map[string]any{"reply": "always"}); got != 204 {
			t.Fatalf("always gave %d", got)
		}
		if !c.sim.Ran(call) || c.decide(second, same, map[string]any{"reply": "once"}) != 404 {
			t.Error("the same command in another session was not let through")
		}
		if got := c.sim.Pending(dir); len(got) != 1 || got[0] != other {
			t.Errorf("%q are open", got)
		}
		if again, call := c.sim.AskBash(dir, "", "make test"); again != "" || !c.sim.Ran(call) {
			t.Error("it is asked again")
		}
		saved, _ := c.want(200, "GET", "/api/permission/saved?location%5Bdirectory%5D=%2Fhome%2Fada%2Fa", nil).([]any)
		rule, _ := saved[0].(map[string]any)
		id, _ := rule["id"].(string)
		if len(saved) != 1 || rule["resource"] != "make test" || !strings.HasPrefix(id, "psv_") {
			t.Fatalf("saved are %v", saved)
		}
		c.want(204, "DELETE", "/api/permission/saved/"+id, nil)
		if again, _ := c.sim.AskBash(dir, "", "make test"); again == "" {
			t.Error("the rule is still there")
		}
	})
}

func TestRejectWithoutWordsTakesAll(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		first, _ := c.sim.AskBash(dir, ses, "make test")
		second, _ := c.sim.AskEdit(dir, ses, "a.txt", "x", "y")
		elsewhere, _ := c.sim.AskBash(dir, "", "make all")
		c.decide(ses, first, map[string]any{"reply": "reject", "message": ""})
		types, how, reason := stream.terminal(ses)
		if how != "interrupted" || reason != "shutdown" || strings.Count(strings.Join(types, " "), "replied") != 2 {
			t.Errorf("the turn ended as %s (%s) after %q", how, reason, types)
		}
		if c.sim.Replies(second) != 1 || c.sim.Replies(elsewhere) != 0 {
			t.Error("not exactly the requests of the session are rejected")
		}
	})
}

// The words of a reject reach nobody; what the model reads instead differs.
func TestRejectWithWords(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		first, call := c.sim.AskBash(dir, ses, "make test")
		second, _ := c.sim.AskBash(dir, ses, "make all")
		c.decide(ses, first, map[string]any{"reply": "reject", "message": "use ninja"})
		if got := c.sim.Pending(dir); len(got) != 1 || got[0] != second {
			t.Errorf("%q are open", got)
		}
		told, _ := c.sim.Output(call)
		want := `{"error":{"type":"unknown","message":""},"content":[],"structured":{}}`
		if c.sim.Version() == opencode2sim.VersionRelease {
			want = strings.Replace(want, `"message":""`, `"message":"Unable to execute command: make test"`, 1)
		}
		if told != want {
			t.Errorf("the model reads %s", told)
		}
		c.decide(ses, second, map[string]any{"reply": "once"})
		if _, how, _ := stream.terminal(ses); how != "succeeded" {
			t.Errorf("the turn ended as %s", how)
		}
	})
}

func TestDecisionKeys(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		permission, _ := c.sim.AskBash(dir, ses, "make test")
		path := "/api/session/" + ses + "/permission/" + permission + "/reply"
		right, wrong := "reply", "decision"
		if c.sim.Version() == opencode2sim.VersionRelease {
			right, wrong = wrong, right
		}
		if status, text := c.do("POST", path, map[string]any{wrong: "once"}); status != 400 || !strings.Contains(text, `Missing key\n  at [\"`+right) {
			t.Errorf("the key %s gave %d %s", wrong, status, text)
		}
		c.want(204, "POST", path, map[string]any{wrong: "once", right: "once"})
		c.want(404, "POST", path, map[string]any{right: "once"})
	})
	o := opencode2sim.Options{Shape: opencode2sim.Release, Unsure: opencode2sim.Unsure{StrictDecision: true}}
	playOne(t, o, func(c client) {
		ses := c.newSession()
		permission, _ := c.sim.AskBash(dir, ses, "make test")
		path := "/api/session/" + ses + "/permission/" + permission + "/reply"
		c.want(400, "POST", path, map[string]any{"reply": "once", "decision": "once"})
		c.want(204, "POST", path, map[string]any{"decision": "once"})
	})
}

func TestPermissionOfTheShapes(t *testing.T) {
	o := opencode2sim.Options{Unsure: opencode2sim.Unsure{PermissionMessage: "May I?"}}
	play(t, o, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		_, call := c.sim.AskPermission(dir, ses, opencode2sim.Permission{
			Permission: "edit", Patterns: []string{"a.txt"}, Always: []string{"*"}, Metadata: map[string]any{"diff": "-x"},
		})
		release := c.sim.Version() == opencode2sim.VersionRelease
		kind, key := "permission.v2.asked", "callID"
		if release {
			kind, key = "permission.asked", "id"
		}
		_, asked := stream.until(kind)
		source, _ := asked.Data["source"].(map[string]any)
		if source[key] != call || asked.Data["action"] != "edit" {
			t.Errorf("asked is %v", asked.Data)
		}
		if (asked.Data["metadata"] != nil) != release || (asked.Data["message"] == "May I?") != release {
			t.Errorf("asked is %v", asked.Data)
		}
	})
}

// Files outside of the directory and .env files need leave of their own.
func TestDefaultRules(t *testing.T) {
	playOne(t, opencode2sim.Options{}, func(c client) {
		for path, want := range map[string]string{
			"a.txt": "", "/home/ada/a/b.txt": "", "x.env": "read", "x.env.local": "read", "x.env.example": "", "/etc/hosts": "external_directory",
		} {
			id, call := c.sim.AskTool(dir, "", "read", map[string]any{"path": path})
			if (id != "") != (want != "") || (want == "") != c.sim.Ran(call) {
				t.Errorf("%s: asked %q", path, id)
			}
		}
		write, call := c.sim.AskTool(dir, "", "write", map[string]any{"path": "/srv/x.txt", "content": "y"})
		c.sim.DecideAtTUI(write, "once")
		if c.sim.Ran(call) {
			t.Error("a file outside is written with one permission")
		}
		c.sim.DecideAtTUI(c.sim.Pending(dir)[3], "once")
		if !c.sim.Ran(call) || !c.sim.Exists("/srv/x.txt") {
			t.Error("the file is not written")
		}
	})
}
