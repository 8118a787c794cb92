package contract

import (
	"net/http"
	"strings"
)

// sessions: one is made with a title or gets one, is found from every
// directory (on 1.1.53 only of the same project), is listed and deleted.
func sessions(p *prober) {
	var made, got session
	p.Decode(p.post("/session", map[string]string{}), &made)
	if !strings.HasPrefix(made.ID, "ses_") || !strings.HasPrefix(made.Title, "New session - ") ||
		made.Directory != p.Dir || made.Version != p.Version {
		p.Errorf("made %+v", made)
	}
	p.WantStatus("GET from another project", p.send(http.MethodGet, "/session/"+made.ID, p.OtherDir, "", ""), pick(p, 404, 200))
	p.Decode(p.get("/session/"+made.ID), &got)
	if got != made {
		p.Errorf("got %+v, made %+v", got, made)
	}
	p.checkListed(made.ID)
	p.prompt(made.ID, "hello")
	p.awaitSaid(made.ID, "You said: hello")
	var last []message
	p.Decode(p.get("/session/"+made.ID+"/message?limit=1"), &last)
	if len(last) != 1 || last[0].Info.Role != "assistant" {
		p.Errorf("the last message is %+v", last)
	}
	p.awaitIdle(made.ID)
	p.wantTrue("delete", p.send(http.MethodDelete, "/session/"+made.ID, p.Dir, "", ""))
}

func (p *prober) checkListed(id string) {
	p.Helper()
	if a := p.get("/session?roots=true"); a.Status != 200 || !strings.Contains(a.Body, id) {
		p.Errorf("GET /session does not list %s: %d", id, a.Status)
	}
	a := p.send(http.MethodGet, "/experimental/session?roots=true&limit=100", "", "", "")
	if got := a.IsJSON() && strings.Contains(a.Body, id); got != p.modern() {
		p.Errorf("GET /experimental/session lists it: %v (%d %s)", got, a.Status, a.Kind)
	}
	if a := p.get("/project"); a.Status != 200 || !strings.Contains(a.Body, `"worktree":"`+p.Dir+`"`) {
		p.Errorf("GET /project: %d %s", a.Status, a.Body)
	}
	if a := p.get("/path"); a.Status != 200 || !strings.Contains(a.Body, `"directory":"`+p.Dir+`"`) {
		p.Errorf("GET /path: %d %s", a.Status, a.Body)
	}
}

// unknownSession: 1.1.53 takes a prompt to a session that does not exist.
func unknownSession(p *prober) {
	const id = "ses_000000000000AAAAAAAAAAAAAA"
	a := p.get("/session/" + id)
	p.WantStatus("GET", a, http.StatusNotFound)
	if !strings.Contains(a.Body, `"name":"NotFoundError"`) || !a.IsJSON() {
		p.Errorf("GET of an unknown session: %s %s", a.Kind, a.Body)
	}
	p.WantStatus("prompt_async", p.promptAs(id, "hello", nil), pick(p, 204, 404))
	p.wantTrue("abort", p.post("/session/"+id+"/abort", nil))
	p.WantStatus("a prompt without parts", p.post("/session/"+p.newSession(p.Name())+"/prompt_async", map[string]string{}), 400)
}
