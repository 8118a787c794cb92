package opencode2sim_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/opencodesim/model"
)

func registered(t *testing.T, file string) (r opencode2sim.Registration) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRegistration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "opencode", "service.json")
	play(t, opencode2sim.Options{Registration: file, Password: "secret"}, func(c client) {
		first := registered(t, file)
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file is %v %v", info.Mode(), err)
		}
		if first.PID != c.sim.PID() || first.Version != c.sim.Version() || first.URL != c.sim.URL() || first.Password != "secret" {
			t.Errorf("registered is %+v", first)
		}
		c.sim.Kill()
		if got := registered(t, file); got != first {
			t.Errorf("after a kill the file says %+v", got)
		}
		c.sim.Start()
		second := registered(t, file)
		if second.ID == first.ID || second.PID == first.PID || second.URL != first.URL || second.Password != first.Password {
			t.Errorf("after a start the file says %+v, before %+v", second, first)
		}
		c.sim.Stop()
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("after a stop: %v", err)
		}
	})
}

// The service ends itself when its file is gone or another's, which it leaves alone.
func TestRegistrationIsNotTouched(t *testing.T) {
	for name, change := range map[string]func(file string) error{
		"removed":  os.Remove,
		"replaced": func(file string) error { return os.WriteFile(file, []byte(`{"id":"other"}`), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "service.json")
			playOne(t, opencode2sim.Options{Registration: file}, func(c client) {
				time.Sleep(time.Hour)
				if !c.sim.Running() || c.sim.Disowned() {
					t.Fatal("the service ended although nobody touched its file")
				}
				if err := change(file); err != nil {
					t.Fatal(err)
				}
				time.Sleep(6 * time.Second)
				if c.sim.Running() || !c.sim.Disowned() {
					t.Error("the service goes on")
				}
				if raw, _ := os.ReadFile(file); name == "replaced" && !strings.Contains(string(raw), "other") {
					t.Errorf("the other's file is now %s", raw)
				}
			})
		})
	}
}

func TestBoot(t *testing.T) {
	play(t, opencode2sim.Options{Boot: 2 * time.Second}, func(c client) {
		health := "/api/health"
		if c.sim.Version() == opencode2sim.VersionRelease {
			health = "/api/info"
		}
		want := func(status int, text string) {
			t.Helper()
			got, body := c.do("GET", health, nil)
			if got != status || !strings.Contains(body, text) {
				t.Errorf("%d %s, want %d %s", got, body, status, text)
			}
		}
		want(503, "service_starting")
		time.Sleep(2 * time.Second)
		want(200, c.sim.Version())
		c.sim.Closing()
		want(503, "service_stopping")
		c.sim.Restart()
		c.sim.FailBoot()
		want(500, "service_failed")
	})
}

// A release that serves its web application answers unknown routes with a page. A known path with another method may be 405.
func TestUnknownRoutes(t *testing.T) {
	playOne(t, opencode2sim.Options{Unsure: opencode2sim.Unsure{WebUI: true}}, func(c client) {
		for _, path := range []string{"/global/health", "/question", "/api/health", "/"} {
			if status, body := c.do("GET", path, nil); status != 200 || !strings.Contains(body, "<html>") {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
	})
	playOne(t, opencode2sim.Options{Unsure: opencode2sim.Unsure{MethodNotAllowed: true}}, func(c client) {
		c.want(405, "POST", "/api/session/ses_1/form/frm_1", nil)
		c.want(404, "DELETE", "/api/nowhere", nil)
	})
}

// asker asks again after a restart.
type asker struct{}

func (asker) Act(prompt string) []model.Action {
	if strings.Contains(prompt, "server restarted") {
		prompt = question
	}
	return model.Parse(prompt)
}
func (asker) Echo(results []string) string { return model.Echo(results...) }
func (asker) Title(string) string          { return model.Title }

// After a kill a turn of Release goes on, ten times.
func TestKillTenTimes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "service.json")
	playOne(t, opencode2sim.Options{Shape: opencode2sim.Release, Registration: file, Model: asker{}}, func(c client) {
		ses := c.newSession()
		c.sim.Ask(dir, ses, color())
		for n := range 12 {
			c.sim.Kill()
			c.sim.Start()
			if asks := len(c.sim.Pending(dir)) == 1; asks != (n < 10) {
				t.Errorf("after start %d the agent asks again: %v", n+1, asks)
			}
		}
	})
}

// A reload cancels and rejects what waits, and says so as of a person: the text of the calls alone tells. The turn goes on.
func TestReload(t *testing.T) {
	for _, first := range []bool{false, true} {
		playOne(t, opencode2sim.Options{Shape: opencode2sim.Release, Unsure: opencode2sim.Unsure{ShutdownFirst: first}}, func(c client) {
			stream := c.listen()
			ses := c.newSession()
			form, asked := c.sim.Ask(dir, ses, color())
			_, command := c.sim.AskBash(dir, ses, "make test")
			c.sim.Reload()
			var types []string
			for f, ok := stream.next(); ok; f, ok = stream.next() {
				if types = append(types, f.Type); strings.HasPrefix(f.Type, "session.execution.") && f.Type != "session.execution.started" {
					break
				}
			}
			how := strings.TrimPrefix(types[len(types)-1], "session.execution.")
			shutdown, rejected := slices.Index(types, "location.shutdown"), slices.Index(types, "permission.replied")
			if how != "succeeded" || !slices.Contains(types, "form.cancelled") || rejected < 0 || (shutdown < rejected) != first {
				t.Errorf("the turn ended as %s after %q", how, types)
			}
			for _, call := range []string{asked, command} {
				if text, _ := c.sim.Output(call); !strings.Contains(text, "Interaction cancelled because the location shut down") {
					t.Errorf("the model is told %s", text)
				}
			}
			if got := c.reply(ses, form, map[string]any{}); got != 404 || c.sim.Ran(command) {
				t.Errorf("the form answers %d", got)
			}
		})
	}
}

// A clean stop says the same in the calls that wait. The service goes on with its turns, and an `opencode serve` does not.
func TestStop_OfRelease(t *testing.T) {
	for name, file := range map[string]string{"service": filepath.Join(t.TempDir(), "service.json"), "serve": ""} {
		playOne(t, opencode2sim.Options{Shape: opencode2sim.Release, Registration: file, Unsure: opencode2sim.Unsure{StopTells: true}}, func(c client) {
			stream := c.listen()
			ses := c.newSession()
			_, call := c.sim.AskBash(dir, ses, "make test")
			c.sim.Stop()
			for f, ok := stream.next(); f.Type != "permission.replied"; f, ok = stream.next() {
				if !ok || f.Type == "session.execution.interrupted" {
					t.Fatalf("said was %s", f.Type)
				}
			}
			c.sim.Start()
			text, _ := c.sim.Output(call)
			_, list := c.do("GET", "/api/session/"+ses+"/message", nil)
			resumed := strings.Contains(list, `"finish":"stop"`)
			if !strings.Contains(text, "location shut down") || resumed != (name == "service") {
				t.Errorf("%s: the call ended with %s, and goes on: %v", name, text, resumed)
			}
		})
	}
}

// A settled form is known for ten minutes.
func TestSettledForm(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		form, _ := c.sim.Ask(dir, ses, color())
		for _, want := range []int{204, 409, 404} {
			if got := c.reply(ses, form, map[string]any{"q0": "blue"}); got != want {
				t.Errorf("the reply gave %d, want %d", got, want)
			}
			time.Sleep(10*time.Minute - time.Second)
		}
	})
}

// Release tells the model why a form was dismissed, and the turn goes on.
func TestFormDismissedWithWords(t *testing.T) {
	playOne(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		c.want(204, "DELETE", "/api/session/"+ses+"/form/"+form+"?message=not+now", nil)
		if _, how := stream.terminal(ses); how != "succeeded" {
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

// On Release the words of a reject are those of all other asks of the session; the model reads others.
func TestRejectWithWords(t *testing.T) {
	playOne(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		first, call := c.sim.AskBash(dir, ses, "make test")
		c.sim.AskBash(dir, ses, "make all")
		c.want(204, "POST", "/api/session/"+ses+"/permission/"+first+"/reply", map[string]any{"decision": "reject", "message": "use ninja"})
		if got := c.sim.Pending(dir); got != nil {
			t.Errorf("%q are open", got)
		}
		if told, _ := c.sim.Output(call); !strings.Contains(told, `"message":"Unable to execute command: make test"`) {
			t.Errorf("the model reads %s", told)
		}
		if _, how := stream.terminal(ses); how != "succeeded" {
			t.Errorf("the turn ended as %s", how)
		}
	})
}

// A file outside of the directory needs leave of its own.
func TestOutside(t *testing.T) {
	playOne(t, opencode2sim.Options{}, func(c client) {
		write, call := c.sim.AskTool(dir, "", "write", map[string]any{"path": "/srv/x.txt", "content": "y"})
		c.sim.DecideAtTUI(write, "once")
		if c.sim.Ran(call) {
			t.Error("a file outside is written with one permission")
		}
		c.sim.DecideAtTUI(c.sim.Pending(dir)[0], "once")
		if !c.sim.Ran(call) {
			t.Error("the file is not written")
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
		if _, how := stream.terminal(ses); how != "succeeded" || c.said(ses) != "Let me see. Done." {
			t.Errorf("the turn ended as %s with %q", how, c.said(ses))
		}
		c.sim.Speak(ses, "One question.")
		form, _ := c.sim.Ask(dir, ses, color())
		c.reply(ses, form, map[string]any{"q0": "red"})
		types, _ := stream.terminal(ses)
		if text, called := slices.Index(types, "session.text.ended"), slices.Index(types, "session.tool.called"); text < 0 || text > called {
			t.Errorf("the events came as %q", types)
		}
	})
}
