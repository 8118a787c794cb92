package contract

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hermes/internal/simulate/opencodesim/model"
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
	asked := p.ask(model.TwoQuestions()[0])
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

// restart: a clean stop forgets what was open without a word. The next process of Preview goes on with the turn, whose
// question failed; of Release only the service does, and the question's call says why.
func restart(p *prober) {
	if p.Restart == nil {
		p.Skip("the target cannot be restarted")
	}
	f := p.ask(model.TwoQuestions()[0])
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
	if !p.Release {
		p.awaitSaid(f.SessionID, "Tool execution interrupted")
	} else if status, text := p.outcome(f.SessionID, f.call()); status != "error" || text != "Interaction cancelled because the location shut down" {
		p.Errorf("the call is %s: %s", status, text)
	}
	p.awaitIdle(f.SessionID)
}

// kill: Preview leaves the call running until the next prompt.
func kill(p *prober) {
	if p.Kill == nil {
		p.Skip("the target cannot be killed")
	}
	f := p.ask(model.TwoQuestions()[0])
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

// prompts: the same id is the same prompt, once.
func prompts(p *prober) {
	ses, other := p.newSession(p.Dir), p.newSession(p.Dir)
	id := "msg_" + strings.ReplaceAll(time.Now().UTC().Format("150405.000000000"), ".", "") + "contract"
	body := map[string]any{"id": id, "text": "hello"}
	for range 2 {
		var admitted struct{ ID, SessionID, Delivery string }
		p.data(p.Post("/api/session/"+ses+"/prompt", body), &admitted)
		if admitted.ID != id || admitted.SessionID != ses || admitted.Delivery != "steer" {
			p.Errorf("admitted is %+v", admitted)
		}
	}
	p.wantTag("another text", p.Post("/api/session/"+ses+"/prompt", map[string]any{"id": id, "text": "bye"}), http.StatusConflict, "ConflictError")
	p.wantTag("another session", p.Post("/api/session/"+other+"/prompt", body), http.StatusConflict, "ConflictError")
	p.wantTag("no text", p.Post("/api/session/"+ses+"/prompt", map[string]any{}), http.StatusBadRequest, "InvalidRequestError")
	p.wantTag("no message's id", p.Post("/api/session/"+ses+"/prompt", map[string]any{"id": "m1", "text": "x"}), http.StatusBadRequest, "InvalidRequestError")
	p.awaitSaid(ses, "You said: hello")
	p.awaitIdle(ses)
	users := 0
	for _, m := range p.messages(ses) {
		if m.Type == "user" {
			users++
		}
	}
	if users != 1 {
		p.Errorf("the session has %d prompts", users)
	}
}

// noReply: the prompt waits for the next.
func noReply(p *prober) {
	ses := p.newSession(p.Dir)
	p.WantStatus("prompt", p.Post("/api/session/"+ses+"/prompt", map[string]any{"text": "context", "resume": false}), http.StatusOK)
	if got := p.messages(ses); len(got) != 0 || p.active(ses) {
		p.Errorf("messages are %+v", got)
	}
	p.prompt(ses, "go")
	p.awaitSaid(ses, "You said: go")
	if got := p.messages(ses); len(got) < 2 || got[0].Text != "context" || got[1].Text != "go" {
		p.Errorf("messages are %+v", got)
	}
}

// unknownAgent: the name is taken, and fails the turn.
func unknownAgent(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Dir)
	p.WantStatus("agent", p.Post("/api/session/"+ses+"/agent", map[string]any{"agent": "nobody"}), http.StatusNoContent)
	p.prompt(ses, "hello")
	if how, _ := s.awaitEnd(p, ses, 1); how != "failed" {
		p.Errorf("the turn ended as %s", how)
	}
}

// sessions: a client's id is taken once; lists are of all directories, newest first.
func sessions(p *prober) {
	first := p.newSession(p.Dir)
	var again info
	p.data(p.Post("/api/session", map[string]any{"id": first, "location": map[string]any{"directory": p.OtherDir}}), &again)
	if again.ID != first || again.Location.Directory != p.Dir {
		p.Errorf("the session is %+v", again)
	}
	second := p.newSession(p.OtherDir)
	a := p.Send(http.MethodGet, "/api/session?limit=1&parentID=null", "", "")
	var page struct {
		Data   []info
		Cursor struct{ Previous, Next *string }
	}
	if json.Unmarshal([]byte(a.Body), &page) != nil || len(page.Data) != 1 || page.Data[0].ID != second || page.Cursor.Next == nil {
		p.Fatalf("the list is %d %s", a.Status, a.Body)
	}
	var next []info
	p.get("/api/session?limit=1&cursor="+url.QueryEscape(*page.Cursor.Next), &next)
	if len(next) != 1 || next[0].ID == second {
		p.Errorf("the next page is %+v", next)
	}
	p.wantTag("a bad cursor", p.Send(http.MethodGet, "/api/session?cursor=bad", "", ""), http.StatusBadRequest, "InvalidCursorError")
	p.wantTag("no limit", p.Send(http.MethodGet, "/api/session?limit=0", "", ""), http.StatusBadRequest, "InvalidRequestError")
	p.wantTag("unknown", p.Send(http.MethodGet, "/api/session/ses_000000000000AAAAAAAAAAAAAA", "", ""), http.StatusNotFound, "SessionNotFoundError")
}

// messages: newest first; the last of a turn that went well says so.
func messages(p *prober) {
	ses := p.newSession(p.Dir)
	p.prompt(ses, "hello")
	p.awaitSaid(ses, "You said: hello")
	p.awaitIdle(ses)
	var newest []message
	p.get("/api/session/"+ses+"/message?limit=1", &newest)
	if len(newest) != 1 || newest[0].Type != "assistant" || newest[0].Finish != "stop" {
		p.Errorf("the newest is %+v", newest)
	}
}
