package contract

import (
	"net/http"
	"strings"
)

func health(p *prober) {
	a := p.Send(http.MethodGet, pick(p, "/api/health", "/api/info"), "", "")
	if a.Status != http.StatusOK || !a.IsJSON() || !strings.Contains(a.Body, `"version":"2.`) || !strings.Contains(a.Body, `"pid":`) {
		p.Errorf("%d %s %s", a.Status, a.Kind, a.Body)
	}
}

// password: Basic with the user "opencode" guards every route, those that do not exist too.
func password(p *prober) {
	for _, path := range []string{"/api/health", "/api/info", "/api/event", "/api/session/active", "/openapi.json", "/nowhere"} {
		for user, secret := range map[string]string{"": "", "admin": p.Password, "opencode": p.Password + "x"} {
			req := p.Request(http.MethodGet, path, "", "")
			if user != "" {
				req.SetBasicAuth(user, secret)
			}
			a := p.Do(req)
			p.WantStatus("GET "+path+" as "+user, a, http.StatusUnauthorized)
			if !strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Basic") {
				p.Errorf("GET %s: WWW-Authenticate %q", path, a.Header.Get("WWW-Authenticate"))
			}
		}
	}
	req := p.Request(http.MethodGet, "/api/session/active", "", "")
	req.Header.Set("Authorization", "Bearer "+p.Password)
	p.WantStatus("a bearer token", p.Do(req), http.StatusUnauthorized)
}

// oldRoutes: nothing of 1.x answers with JSON.
func oldRoutes(p *prober) {
	for _, path := range []string{"/global/health", "/question", "/permission", "/session", "/event"} {
		if a := p.Send(http.MethodGet, path, "", ""); a.IsJSON() || !p.Release && a.Status != http.StatusNotFound {
			p.Errorf("GET %s: %d %s %s", path, a.Status, a.Kind, a.Body)
		}
	}
}

// stream: it carries the events of all directories; nothing is replayed.
func stream(p *prober) {
	early := p.listen()
	asked := p.ask(twoQuestions()[0])
	created := early.awaitType(p, asked.SessionID, "form.created")
	if created.ID == "" || created.Location == nil || created.Location.Directory != p.Dir || created.Data.Form.ID != asked.ID {
		p.Errorf("form.created is %+v", created)
	}
	if started := early.awaitType(p, asked.SessionID, "session.execution.started"); started.Location != nil {
		p.Errorf("the start of a turn has the location %v", started.Location)
	}
	late := p.listen()
	other := p.newSession(p.OtherDir)
	late.awaitType(p, other, "session.created")
	frames, _, _ := late.State()
	for _, f := range frames {
		if f.Data.Form.ID == asked.ID {
			p.Error("the form is replayed")
		}
	}
	p.WantStatus("reply", p.reply(asked, map[string]any{"q0": "SQLite"}), http.StatusNoContent)
	p.awaitIdle(asked.SessionID)
}

// restart: a clean stop forgets what was open without a word, and the next process goes on
// with the turn, whose question failed.
func restart(p *prober) {
	if p.Restart == nil {
		p.Skip("the target cannot be restarted")
	}
	f := p.ask(twoQuestions()[0])
	s := p.listen()
	p.Restart()
	s.AwaitEnd(p.Probe)
	frames, _, _ := s.State()
	for _, e := range frames {
		if e.Type == "form.cancelled" {
			p.Error("form.cancelled came")
		}
	}
	p.wantTag("reply", p.reply(f, map[string]any{"q0": "SQLite"}), http.StatusNotFound, "FormNotFoundError")
	p.awaitSaid(f.SessionID, "Tool execution interrupted")
	p.awaitIdle(f.SessionID)
}

// kill: Preview leaves the call running until the next prompt.
func kill(p *prober) {
	if p.Kill == nil {
		p.Skip("the target cannot be killed")
	}
	f := p.ask(twoQuestions()[0])
	p.Kill()
	p.wantTag("reply", p.reply(f, map[string]any{"q0": "SQLite"}), http.StatusNotFound, "FormNotFoundError")
	if status, _ := p.outcome(f.SessionID, f.call()); !p.Release && (status != "running" || p.active(f.SessionID)) {
		p.Errorf("after the kill the call is %s", status)
	}
	p.prompt(f.SessionID, "are you there?")
	p.awaitSaid(f.SessionID, "You said: are you there?")
	if status, text := p.outcome(f.SessionID, f.call()); status != "error" || !strings.HasPrefix(text, "Tool execution interrupted") {
		p.Errorf("the call is %s: %s", status, text)
	}
}
