package opencode2sim_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/internal/simulate/opencode2sim"
)

const dir = "/home/ada/a"

func color() opencode2sim.Question {
	return opencode2sim.Question{
		Question: "Which color?", Header: "Color",
		Options: []opencode2sim.Option{{Label: "red", Description: "warm"}, {Label: "blue", Description: "cold"}},
	}
}

// cancel dismisses a form in the way of the shape.
func (c client) cancel(session, form string) int {
	c.Helper()
	path := "/api/session/" + session + "/form/" + form
	if c.sim.Version() == opencode2sim.VersionRelease {
		status, _ := c.do("DELETE", path, nil)
		return status
	}
	status, _ := c.do("POST", path+"/cancel", nil)
	return status
}

func (c client) reply(session, form string, answer map[string]any) int {
	c.Helper()
	status, _ := c.do("POST", "/api/session/"+session+"/form/"+form+"/reply", map[string]any{"answer": answer})
	return status
}

// terminal reads the stream until the session's turn ends, and gives how and why.
func (e *events) terminal(session string) (types []string, how, reason string) {
	e.c.Helper()
	for {
		f, ok := e.next()
		if !ok {
			e.c.Fatalf("the stream was cut; seen: %q", types)
		}
		if f.session() != session {
			continue
		}
		types = append(types, f.Type)
		if kind, is := strings.CutPrefix(f.Type, "session.execution."); is && kind != "started" {
			reason, _ := f.Data["reason"].(string)
			return types, kind, reason
		}
	}
}

func (f frame) session() string {
	body := f.Data
	if form, ok := body["form"].(map[string]any); ok {
		body = form
	}
	id, _ := body["sessionID"].(string)
	return id
}

func TestFormIsSettledOnce(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		var all []int
		var mu sync.Mutex
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				status := c.reply(ses, form, map[string]any{"q0": "blue"})
				mu.Lock()
				defer mu.Unlock()
				all = append(all, status)
			})
		}
		group.Wait()
		slices.Sort(all)
		if !slices.Equal(all, []int{204, 409, 409, 409, 409, 409}) {
			t.Errorf("six replies at once gave %v", all)
		}
		if c.sim.Replies(form) != 1 || c.sim.Attempts(form) != 6 {
			t.Errorf("%d replies took effect, of %d", c.sim.Replies(form), c.sim.Attempts(form))
		}
		if got, ok := c.sim.Received(call); !ok || len(got) != 1 || !slices.Equal(got[0], []string{"blue"}) {
			t.Errorf("the agent received %q, %v", got, ok)
		}
		time.Sleep(10*time.Minute - time.Second)
		if got := c.reply(ses, form, map[string]any{}); got != 409 {
			t.Errorf("before ten minutes have passed: %d", got)
		}
		time.Sleep(time.Second)
		if got := c.reply(ses, form, map[string]any{}); got != 404 {
			t.Errorf("after ten minutes: %d", got)
		}
	})
}

func TestFormDismissed(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		if got := c.cancel(ses, form); got != 204 {
			t.Fatalf("the dismissal gave %d", got)
		}
		types, how, reason := stream.terminal(ses)
		want := "form.cancelled session.tool.failed session.step.failed session.usage.updated session.execution.interrupted"
		if got := strings.Join(types[len(types)-5:], " "); got != want || how != "interrupted" || reason != "shutdown" {
			t.Errorf("the turn ended as %s (%s): %s", how, reason, got)
		}
		told, _ := c.sim.Output(call)
		want = `{"error":{"type":"aborted","message":"Tool execution interrupted"},"content":[],"structured":{}}`
		if c.sim.Version() == opencode2sim.VersionRelease {
			want = strings.Replace(want, "Tool execution interrupted", "The user dismissed this question", 1)
		}
		if told != want {
			t.Errorf("the model will read %s", told)
		}
		if _, ok := c.sim.Received(call); ok {
			t.Error("the agent received an answer")
		}
	})
}

// The newest upstream tells the model why a form was dismissed, and the turn goes on.
func TestFormDismissedWithWords(t *testing.T) {
	o := opencode2sim.Options{Shape: opencode2sim.Release, Unsure: opencode2sim.Unsure{CancelMessage: true}}
	playOne(t, o, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		c.want(204, "DELETE", "/api/session/"+ses+"/form/"+form+"?message=not+now", nil)
		if _, how, _ := stream.terminal(ses); how != "succeeded" {
			t.Errorf("the turn ended as %s", how)
		}
		if told, _ := c.sim.Output(call); !strings.Contains(told, "not now") {
			t.Errorf("the model reads %s", told)
		}
		got, _ := c.want(200, "GET", "/api/session/"+ses+"/form/"+form, nil).(map[string]any)
		if state, _ := got["state"].(map[string]any); state["status"] != "cancelled" || state["message"] != "not now" {
			t.Errorf("the form says %v", got)
		}
	})
}

func TestOneOfTwoFormsDismissed(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		first, _ := c.sim.Ask(dir, ses, color())
		second, call := c.sim.Ask(dir, ses, color())
		c.cancel(ses, first)
		if got := c.onlyForm(ses); got != second || !c.sim.Busy(ses) {
			t.Fatalf("%s is open", got)
		}
		c.reply(ses, second, map[string]any{"q0": "red"})
		if _, how, reason := stream.terminal(ses); how != "interrupted" || reason != "shutdown" {
			t.Errorf("the turn ended as %s (%s)", how, reason)
		}
		if _, ok := c.sim.Received(call); !ok {
			t.Error("the second answer was not taken")
		}
	})
}

func TestInterruptAndDelete(t *testing.T) {
	for _, after := range []struct {
		method, path string
		form         int
	}{{"POST", "/interrupt", 409}, {"DELETE", "", 404}} {
		play(t, opencode2sim.Options{}, func(c client) {
			stream := c.listen()
			ses := c.newSession()
			form, _ := c.sim.Ask(dir, ses, color())
			permission, _ := c.sim.AskBash(dir, ses, "make test")
			status, _ := c.do(after.method, "/api/session/"+ses+after.path, nil)
			if status >= 300 {
				t.Fatalf("%s gave %d", after.method, status)
			}
			types, how, reason := stream.terminal(ses)
			if how != "interrupted" || reason != "user" || !slices.Contains(types, "form.cancelled") {
				t.Errorf("the turn ended as %s (%s) after %q", how, reason, types)
			}
			for _, kind := range types {
				if strings.HasPrefix(kind, "permission") && strings.HasSuffix(kind, "replied") {
					t.Error("an event tells that the permission is gone")
				}
			}
			if got := c.reply(ses, form, map[string]any{}); got != after.form {
				t.Errorf("the form answers %d, want %d", got, after.form)
			}
			if status, _ := c.do("GET", "/api/session/"+ses+"/permission/"+permission, nil); status != 404 {
				t.Errorf("the permission answers %d", status)
			}
			if got := c.sim.Pending(dir); got != nil {
				t.Errorf("%q are open", got)
			}
		})
	}
}

// An MCP server's form is no session's: its first event has no directory, and its routes
// need one.
func TestElicitation(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		form, reply := c.sim.Elicit(dir, "shop", *wish(nil))
		_, created := stream.until("form.created")
		if created.Location != nil || created.session() != "global" {
			t.Errorf("the event is of %v, %s", created.Location, created.session())
		}
		path := "/api/session/global/form/" + form + "/reply"
		answer := map[string]any{"answer": map[string]any{"size": "S", "n": 2}}
		c.want(404, "POST", path, answer)
		c.want(404, "POST", path+"?location%5Bdirectory%5D=%2Fhome%2Fada%2Fa%2F", answer)
		c.want(204, "POST", path+"?location%5Bdirectory%5D=%2Fhome%2Fada%2Fa", answer)
		if _, replied := stream.until("form.replied"); replied.Location == nil {
			t.Error("form.replied has no location")
		}
		if got, _ := json.Marshal(<-reply); string(got) != `{"action":"accept","content":{"n":2,"size":"S"}}` {
			t.Errorf("the server got %s", got)
		}
	})
}

// What captures 03 and 12 do not show of the rules for typed values.
func TestTypedFields(t *testing.T) {
	fields := []map[string]any{
		{"key": "code", "type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-z]+$"},
		{"key": "site", "type": "string", "format": "uri"},
		{"key": "day", "type": "string", "format": "date"},
		{"key": "at", "type": "string", "format": "date-time"},
		{"key": "w", "type": "number", "minimum": 1.5, "maximum": 1.5},
		{"key": "tags", "type": "multiselect", "minItems": 1, "maxItems": 2, "custom": true, "options": []any{}},
		{"key": "no", "type": "boolean", "when": []any{map[string]any{"key": "code", "op": "neq", "value": "ab"}}},
	}
	playOne(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		made, _ := c.want(200, "POST", "/api/session/"+ses+"/form", map[string]any{"title": "All", "fields": fields}).(map[string]any)
		form, _ := made["id"].(string)
		for _, wrong := range []map[string]any{
			{"code": "a"},
			{"code": "abcd"},
			{"code": "A1"},
			{"site": "no"},
			{"day": "1.2.2026"},
			{"at": "2026-01-01"},
			{"w": -1},
			{"w": 2},
			{"w": "1"},
			{"tags": []string{}},
			{"tags": []string{"a", "b", "c"}},
			{"code": "ab", "no": true},
		} {
			status, text := c.do("POST", "/api/session/"+ses+"/form/"+form+"/reply", map[string]any{"answer": wrong})
			if status != 400 || !strings.Contains(text, "FormInvalidAnswerError") {
				t.Errorf("%v: %d %s", wrong, status, text)
			}
		}
		good := map[string]any{
			"code": "abc", "site": "https://a.org/", "day": "2026-01-02", "at": "2026-01-02T03:04:05Z", "w": 1.5,
			"tags": []string{"x", "y"}, "no": false,
		}
		if got := c.reply(ses, form, good); got != 204 {
			t.Errorf("%v: %d", good, got)
		}
	})
}

// On Release the form is dismissed with DELETE, listed at another place and carries its state.
func TestFormRoutesOfTheShapes(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		path := "/api/session/" + ses + "/form/" + form
		here, there := "/api/form/request", "/api/form"
		gone := [][2]string{{"DELETE", path}}
		if c.sim.Version() == opencode2sim.VersionRelease {
			here, there = there, here
			gone = [][2]string{{"POST", path + "/cancel"}, {"GET", path + "/state"}}
		}
		if got, _ := c.want(200, "GET", here+"?location%5Bdirectory%5D=%2Fhome%2Fada%2Fa", nil).([]any); len(got) != 1 {
			t.Errorf("%s lists %v", here, got)
		}
		c.want(404, "GET", there, nil)
		for _, route := range gone {
			c.want(404, route[0], route[1], nil)
		}
		one, _ := c.want(200, "GET", path, nil).(map[string]any)
		metadata, _ := one["metadata"].(map[string]any)
		tool, _ := metadata["tool"].(map[string]any)
		id, state := tool["callID"], one["state"]
		if c.sim.Version() == opencode2sim.VersionRelease {
			id = tool["id"]
		}
		if id != call || (state != nil) != (c.sim.Version() == opencode2sim.VersionRelease) {
			t.Errorf("the form is %v", one)
		}
	})
}

func TestWhoHasNoQuestionTool(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		child := c.sim.Task(dir, ses, "general", question)
		types, how, _ := stream.terminal(child)
		if how != "succeeded" || slices.Contains(types, "form.created") || !slices.Contains(types, "session.tool.failed") {
			t.Errorf("the subagent ended as %s after %q", how, types)
		}
	})
}
