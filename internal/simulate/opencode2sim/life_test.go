package opencode2sim_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/inprocess"
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

// Routes of 1.x are not there; a release that serves its web application answers them
// with a page. A known path with another method may be 405.
func TestUnknownRoutes(t *testing.T) {
	old := []string{"/global/health", "/question", "/event", "/doc", "/session"}
	play(t, opencode2sim.Options{}, func(c client) {
		for _, path := range old {
			if status, body := c.do("GET", path, nil); status != 404 || body != "" {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
	})
	playOne(t, opencode2sim.Options{Shape: opencode2sim.Release, Unsure: opencode2sim.Unsure{WebUI: true}}, func(c client) {
		for _, path := range append(old, "/api/health", "/") {
			if status, body := c.do("GET", path, nil); status != 200 || !strings.Contains(body, "<html>") {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
	})
	playOne(t, opencode2sim.Options{Unsure: opencode2sim.Unsure{MethodNotAllowed: true}}, func(c client) {
		c.want(405, "DELETE", "/api/session/ses_1/form/frm_1", nil)
		c.want(404, "DELETE", "/api/nowhere", nil)
	})
}

func TestHeartbeat(t *testing.T) {
	playOne(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		var beats []time.Duration
		start := time.Now()
		for len(beats) < 4 {
			line, err := stream.read.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if line == ": heartbeat\n" {
				beats = append(beats, time.Since(start))
			}
		}
		if want := []time.Duration{0, 15 * time.Second, 30 * time.Second, 45 * time.Second}; !slices.Equal(beats, want) {
			t.Errorf("heartbeats came after %v", beats)
		}
	})
}

// A clean stop tells nobody; the next process goes on with the turn, whose question failed.
func TestRestart(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		stream := c.listen()
		c.sim.Restart()
		for {
			f, ok := stream.next()
			if !ok {
				break
			}
			if f.Type != "server.connected" {
				t.Errorf("the stream told %s", f.Type)
			}
		}
		if got := c.reply(ses, form, map[string]any{"q0": "blue"}); got != 404 {
			t.Errorf("the form answers %d", got)
		}
		if told, _ := c.sim.Output(call); !strings.Contains(told, `"Tool execution interrupted"`) {
			t.Errorf("the model was told %s", told)
		}
		if got := c.said(ses); !strings.Contains(got, "Tool execution interrupted") || c.sim.Busy(ses) {
			t.Errorf("the agent said %q", got)
		}
	})
}

// said is the text of the newest message.
func (c client) said(session string) string {
	c.Helper()
	messages, _ := c.want(200, "GET", "/api/session/"+session+"/message?limit=1", nil).([]any)
	last, _ := messages[0].(map[string]any)
	content, _ := last["content"].([]any)
	if len(content) == 0 {
		return ""
	}
	part, _ := content[0].(map[string]any)
	text, _ := part["text"].(string)
	return text
}

// After a kill Preview forgets the turn until the next prompt; Release goes on, ten times.
func TestKill(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		_, call := c.sim.Ask(dir, ses, color())
		c.sim.Kill()
		if _, err := c.sim.Transport().RoundTrip(mustRequest(t)); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("a dead process answers %v", err)
		}
		c.sim.Start()
		_, told := c.sim.Output(call)
		if release := c.sim.Version() == opencode2sim.VersionRelease; told != release || c.sim.Busy(ses) {
			t.Errorf("after the start the call has an end: %v", told)
		}
		c.prompt(ses, "are you there?")
		if got, _ := c.sim.Output(call); !strings.Contains(got, "Tool execution interrupted: question") {
			t.Errorf("the model was told %s", got)
		}
		if got := c.said(ses); got != "You said: are you there?" {
			t.Errorf("the agent said %q", got)
		}
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

func TestKillTenTimes(t *testing.T) {
	playOne(t, opencode2sim.Options{Shape: opencode2sim.Release, Model: asker{}}, func(c client) {
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
	playOne(t, opencode2sim.Options{Shape: opencode2sim.Release, Unsure: opencode2sim.Unsure{NoResume: true}}, func(c client) {
		_, call := c.sim.Ask(dir, "", color())
		c.sim.Kill()
		c.sim.Start()
		if _, told := c.sim.Output(call); told {
			t.Error("the turn went on")
		}
	})
}

func mustRequest(t *testing.T) *http.Request {
	t.Helper()
	req, err := http.NewRequest("GET", "http://opencode/api/event", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("opencode", "secret")
	return req
}

// Two processes share sessions, and nothing else.
func TestBeside(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		other := client{t, c.sim.Beside(opencode2sim.Options{Home: dir})}
		defer other.sim.Stop()
		ses := c.newSession()
		stream := other.listen()
		form, call := c.sim.Ask(dir, ses, color())
		if got := other.reply(ses, form, map[string]any{}); got != 404 {
			t.Errorf("the other process answers %d", got)
		}
		other.want(204, "POST", "/api/session/"+ses+"/interrupt", nil)
		if !c.sim.Busy(ses) || other.sim.Busy(ses) {
			t.Error("the other process interrupted the turn")
		}
		c.reply(ses, form, map[string]any{"q0": "red"})
		if got := other.said(ses); !strings.Contains(got, `"red"`) {
			t.Errorf("the other process reads %q", got)
		}
		if _, ok := c.sim.Received(call); !ok {
			t.Error("the answer was not taken")
		}
		other.sim.NewSession(dir, "mark")
		if types, _ := stream.until("session.created"); len(types) != 2 {
			t.Errorf("the other process told of %q", types)
		}
	})
}

func TestLag(t *testing.T) {
	play(t, opencode2sim.Options{Lag: time.Second}, func(c client) {
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		c.reply(ses, form, map[string]any{"q0": "red"})
		if _, ended := c.sim.Output(call); ended {
			t.Error("the agent went on at once")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if _, ended := c.sim.Output(call); !ended || c.sim.Busy(ses) {
			t.Error("the agent did not go on")
		}
	})
}

func TestFaults(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		ses := c.newSession()
		form, call := c.sim.Ask(dir, ses, color())
		path := "/api/session/" + ses + "/form/" + form + "/reply"
		c.sim.SetFault(func(r *http.Request) inprocess.Fault {
			if r.Method == "POST" {
				return inprocess.FailAfterEffect
			}
			return inprocess.NoFault
		})
		req, err := http.NewRequest("POST", "http://opencode"+path, strings.NewReader(`{"answer":{"q0":"red"}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth("opencode", "secret")
		req.Header.Set("Content-Type", "application/json")
		if res, err := c.sim.Transport().RoundTrip(req); err == nil {
			res.Body.Close()
			t.Error("the connection was not cut")
		}
		if got, ok := c.sim.Received(call); !ok || got[0][0] != "red" {
			t.Error("the reply took no effect")
		}
		c.sim.SetFault(func(*http.Request) inprocess.Fault { return inprocess.ServerError })
		c.want(500, "GET", "/api/session/active", nil)
		c.sim.SetFault(nil)
		c.want(200, "GET", "/api/session/active", nil)
		stream := c.listen()
		stream.until("server.connected")
		c.sim.CutStreams()
		if _, ok := stream.next(); ok || !c.sim.Running() {
			t.Error("the stream was not cut")
		}
		c.listen().until("server.connected")
	})
}

// Another version takes over: the address and the password stay, and the forms are gone.
func TestUpdate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "service.json")
	play(t, opencode2sim.Options{Registration: file}, func(c client) {
		ses := c.newSession()
		form, _ := c.sim.Ask(dir, ses, color())
		before := registered(t, file)
		c.sim.Update("2.0.99")
		after := registered(t, file)
		if after.Version != "2.0.99" || after.ID == before.ID || after.URL != before.URL || after.Password != before.Password {
			t.Errorf("registered is %+v, before %+v", after, before)
		}
		if got := c.reply(ses, form, map[string]any{}); got != 404 {
			t.Errorf("the form answers %d", got)
		}
	})
}

// A directory that is unloaded ends what is open in it, with events on Release.
func TestEvict(t *testing.T) {
	play(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		form, _ := c.sim.Ask(dir, ses, color())
		c.sim.AskBash(dir, ses, "make test")
		other, _ := c.sim.Ask("/home/ada/b", "", color())
		c.sim.Evict(dir)
		types, how, reason := stream.terminal(ses)
		said := slices.ContainsFunc(types, func(kind string) bool { return strings.HasSuffix(kind, ".replied") })
		if how != "interrupted" || reason != "inactivity" || !slices.Contains(types, "form.cancelled") || said != c.release() {
			t.Errorf("the turn ended as %s (%s) after %q", how, reason, types)
		}
		if got := c.reply(ses, form, map[string]any{}); got != 404 {
			t.Errorf("the form answers %d", got)
		}
		if got := c.sim.Pending("/home/ada/b"); len(got) != 1 || got[0] != other {
			t.Errorf("elsewhere %q are open", got)
		}
	})
}

// Whoever reads too slowly loses the stream, and with it what was queued.
func TestSlowReader(t *testing.T) {
	playOne(t, opencode2sim.Options{}, func(c client) {
		stream := c.listen()
		ses := c.newSession()
		for range 4200 {
			c.sim.Rename(ses, "again")
		}
		if c.sim.Listeners() != 0 {
			t.Fatal("the stream is open")
		}
		n := 0
		for {
			if _, ok := stream.next(); !ok {
				break
			}
			n++
		}
		if n > 4200 {
			t.Errorf("%d events came", n)
		}
	})
}
