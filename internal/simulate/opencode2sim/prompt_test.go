package opencode2sim_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencode2sim"
)

func (c client) release() bool { return c.sim.Version() == opencode2sim.VersionRelease }

func TestPromptIsAdmittedOnce(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses, other := c.newSession(), c.newSession()
		path := "/api/session/" + ses + "/prompt"
		body := map[string]any{"id": "msg_mine0001", "text": "hello"}
		first, _ := c.want(200, "POST", path, body).(map[string]any)
		payload, seq := "data", true
		if c.release() {
			payload, seq = "payload", false
		}
		if _, ok := first[payload].(map[string]any); !ok || (first["admittedSeq"] != nil) != seq {
			t.Errorf("admitted is %v", first)
		}
		c.want(200, "POST", path, body)
		c.want(409, "POST", path, map[string]any{"id": "msg_mine0001", "text": "bye"})
		c.want(409, "POST", "/api/session/"+other+"/prompt", body)
		if got := c.sim.Prompts(); len(got) != 1 || got[0].Text != "hello" || !got[0].Own || got[0].Model != "scripted/scripted" {
			t.Errorf("prompts are %+v", got)
		}
	})
}

// What comes while a step runs waits: what steers goes in with the next step, what is
// queued after that; it is all one busy period.
func TestSteerAndQueue(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		c.prompt(ses, "WAIT 3s\nfirst")
		path := "/api/session/" + ses + "/prompt"
		c.want(200, "POST", path, map[string]any{"text": "queued", "delivery": "queue"})
		c.prompt(ses, "steered")
		waiting := "/pending"
		if c.release() {
			waiting = "/inbox"
		}
		if got, _ := c.want(200, "GET", "/api/session/"+ses+waiting, nil).([]any); len(got) != 2 {
			t.Errorf("%v wait", got)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		types, how, _ := stream.terminal(ses)
		if how != "succeeded" || strings.Count(strings.Join(types, " "), "session.step.started") != 3 {
			t.Errorf("the turn ended as %s after %q", how, types)
		}
		if got := c.texts(ses); !slices.Equal(got, []string{"WAIT 3s\nfirst", "steered", "queued"}) {
			t.Errorf("the model read %q", got)
		}
	})
}

// texts are what the user wrote, oldest first.
func (c client) texts(session string) []string {
	c.Helper()
	messages, _ := c.want(200, "GET", "/api/session/"+session+"/message?order=asc", nil).([]any)
	var texts []string
	for _, m := range messages {
		if m, _ := m.(map[string]any); m["type"] != "assistant" {
			text, _ := m["text"].(string)
			texts = append(texts, text)
		}
	}
	return texts
}

func TestInbox(t *testing.T) {
	playOne(t, opencode2sim.Options{Shape: opencode2sim.Release}, func(c client) {
		ses := c.newSession()
		var ids []string
		for _, text := range []string{"one", "two"} {
			got, _ := c.want(200, "POST", "/api/session/"+ses+"/prompt", map[string]any{"text": text, "resume": false}).(map[string]any)
			id, _ := got["id"].(string)
			ids = append(ids, id)
		}
		path := "/api/session/" + ses + "/inbox/"
		c.want(204, "PATCH", path+ids[0], map[string]any{"delivery": "queue"})
		c.want(204, "DELETE", path+ids[1], nil)
		c.want(404, "DELETE", path+ids[1], nil)
		c.prompt(ses, "go")
		if got := c.texts(ses); !slices.Equal(got, []string{"go", "one"}) {
			t.Errorf("the model read %q", got)
		}
	})
}

func TestCommandsOfTheShapes(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		path, body, status := "/api/session/"+ses+"/command", map[string]any{"command": "say", "arguments": "hello"}, 200
		if c.release() {
			body, status = map[string]any{"name": "say", "text": "hello"}, 204
		}
		c.want(status, "POST", path, body)
		c.want(400, "POST", path, map[string]any{"say": "hello"})
		if got := c.sim.Prompts(); len(got) != 1 || got[0].Text != "hello" || got[0].Command != "say" {
			t.Errorf("prompts are %+v", got)
		}
	})
}

func TestRenameAndTitle(t *testing.T) {
	for _, early := range []bool{false, true} {
		play(t, opencode2sim.Options{Unsure: opencode2sim.Unsure{EarlyTitle: early}}, func(c client) {
			stream := c.listen()
			ses := c.newSession()
			c.prompt(ses, "hello")
			types, _, _ := stream.terminal(ses)
			if slices.Contains(types, "session.renamed") != early {
				t.Errorf("before the end of the turn came %q", types)
			}
			if !early {
				stream.until("session.renamed")
			}
			path, method := "/api/session/"+ses+"/rename", "POST"
			if c.release() {
				path, method = "/api/session/"+ses, "PATCH"
			}
			c.want(204, method, path, map[string]any{"title": "mine"})
			c.prompt(ses, "again")
			if got := c.sim.Sessions(); len(got) != 1 || got[0].Title != "mine" {
				t.Errorf("sessions are %+v", got)
			}
		})
	}
}

// A provider that fails is asked again 2 and 4 seconds later; the session stays at work.
func TestRetry(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		c.prompt(ses, "FAIL 500 2\nhello")
		time.Sleep(6*time.Second - time.Millisecond)
		if !c.sim.Busy(ses) {
			t.Error("the turn ended")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		types, how, _ := stream.terminal(ses)
		all := strings.Join(types, " ")
		if how != "succeeded" || strings.Count(all, "session.retry.scheduled") != 2 || strings.Count(all, "session.step.started") != 1 {
			t.Errorf("the turn ended as %s after %q", how, types)
		}
		c.prompt(ses, "FAIL 400")
		if _, how, _ := stream.terminal(ses); how != "failed" {
			t.Errorf("a refused turn ended as %s", how)
		}
		c.want(204, "POST", "/api/session/"+ses+"/model", map[string]any{"model": map[string]any{"providerID": "x", "id": "y"}})
		c.prompt(ses, "hello")
		if types, how, _ := stream.terminal(ses); how != "failed" || slices.Contains(types, "session.step.started") {
			t.Errorf("a turn without a model ended as %s after %q", how, types)
		}
	})
}

// A background subagent asks after its parent's turn has ended, and wakes it at its end.
func TestBackground(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		c.prompt(ses, `CALL subagent {"agent":"asker","description":"sub","background":true,"prompt":"`+strings.ReplaceAll(question, `"`, `\"`)+`"}`)
		if _, how, _ := stream.terminal(ses); how != "succeeded" {
			t.Fatalf("the parent ended as %s", how)
		}
		form := c.sim.Pending(dir)[0]
		active, _ := c.want(200, "GET", "/api/session/active", nil).(map[string]any)
		if len(active) != 1 || active[ses] != nil {
			t.Errorf("at work are %v", active)
		}
		c.sim.AnswerAtTUI(form, [][]string{{"red"}})
		if _, how, _ := stream.terminal(ses); how != "succeeded" || !strings.Contains(c.said(ses), "<subagent id=") {
			t.Errorf("the parent ended as %s and said %q", how, c.said(ses))
		}
	})
}

// A clean stop does not wake the parent of a subagent in the background.
func TestBackgroundAndRestart(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		c.prompt(ses, `CALL subagent {"agent":"asker","description":"sub","background":true,"prompt":"`+strings.ReplaceAll(question, `"`, `\"`)+`"}`)
		before := len(c.texts(ses))
		c.sim.Restart()
		if c.sim.Busy(ses) || len(c.texts(ses)) != before {
			t.Errorf("the parent was told %q", c.texts(ses))
		}
	})
}

func TestSubagentAndItsParent(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		child := c.sim.Task(dir, ses, "asker", question)
		form := c.onlyForm(child)
		info, _ := c.want(200, "GET", "/api/session/"+child, nil).(map[string]any)
		if info["parentID"] != ses || c.reply(ses, form, map[string]any{}) != 404 {
			t.Errorf("the child is %v", info)
		}
		c.cancel(child, form)
		if _, how, reason := stream.terminal(child); how != "interrupted" || reason != "shutdown" {
			t.Errorf("the child ended as %s (%s)", how, reason)
		}
		if types, how, _ := stream.terminal(ses); how != "succeeded" || !slices.Contains(types, "session.tool.failed") {
			t.Errorf("the parent ended as %s after %q", how, types)
		}
	})
}

func TestSpeak(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		c.sim.Speak(ses, "Let me ")
		c.sim.Speak(ses, "see.")
		if got := c.said(ses); got != "Let me see." || !c.sim.Busy(ses) {
			t.Errorf("the agent says %q", got)
		}
		c.sim.Say(ses, " Done.")
		if _, how, _ := stream.terminal(ses); how != "succeeded" || c.said(ses) != "Let me see. Done." {
			t.Errorf("the turn ended as %s with %q", how, c.said(ses))
		}
		c.sim.Speak(ses, "One question.")
		form, _ := c.sim.Ask(dir, ses, color())
		c.reply(ses, form, map[string]any{"q0": "red"})
		types, _, _ := stream.terminal(ses)
		if text, called := slices.Index(types, "session.text.ended"), slices.Index(types, "session.tool.called"); text < 0 || text > called {
			t.Errorf("the events came as %q", types)
		}
	})
}

func TestWait(t *testing.T) {
	for _, o := range []opencode2sim.Options{
		{}, {Shape: opencode2sim.Release}, {Shape: opencode2sim.Release, Unsure: opencode2sim.Unsure{ReleaseWait: true}},
	} {
		playOne(t, o, func(c client) {
			ses := c.newSession()
			c.prompt(ses, "WAIT 3s\nhello")
			path := "/api/session/" + ses + "/wait"
			if o.Unsure.ReleaseWait {
				c.want(404, "POST", path, nil)
				path = "/api/experimental/session/" + ses + "/wait"
			}
			start := time.Now()
			c.want(204, "POST", path, nil)
			if took := time.Since(start); took != 3*time.Second {
				t.Errorf("it was idle after %v", took)
			}
		})
	}
}

// A release tells since when a session is idle, and who has seen that.
func TestView(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		c.prompt(ses, "hello")
		at := func() map[string]any {
			info, _ := c.want(200, "GET", "/api/session/"+ses, nil).(map[string]any)
			at, _ := info["time"].(map[string]any)
			return at
		}
		idle := at()["idle"]
		if (idle != nil) != c.release() {
			t.Fatalf("the times are %v", at())
		}
		if !c.release() {
			c.want(404, "POST", "/api/session/"+ses+"/view", map[string]any{"idle": 1})
			return
		}
		c.want(400, "POST", "/api/session/"+ses+"/view", map[string]any{})
		c.want(204, "POST", "/api/session/"+ses+"/view", map[string]any{"idle": idle})
		if at()["viewed"] != idle {
			t.Errorf("the times are %v", at())
		}
	})
}
