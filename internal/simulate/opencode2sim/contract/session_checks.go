package contract

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// prompts: the same id is the same prompt, once.
func prompts(p *prober) {
	ses, other := p.newSession(p.Dir), p.newSession(p.Dir)
	id := "msg_" + strings.ReplaceAll(time.Now().UTC().Format("150405.000000000"), ".", "") + "contract"
	body := map[string]any{"id": id, "text": "hello"}
	for range 2 {
		var admitted struct{ ID, SessionID, Delivery string }
		p.data(p.post("/api/session/"+ses+"/prompt", body), &admitted)
		if admitted.ID != id || admitted.SessionID != ses || admitted.Delivery != "steer" {
			p.Errorf("admitted is %+v", admitted)
		}
	}
	p.wantTag("another text", p.post("/api/session/"+ses+"/prompt", map[string]any{"id": id, "text": "bye"}), http.StatusConflict, "ConflictError")
	p.wantTag("another session", p.post("/api/session/"+other+"/prompt", body), http.StatusConflict, "ConflictError")
	p.wantTag("no text", p.post("/api/session/"+ses+"/prompt", map[string]any{}), http.StatusBadRequest, "InvalidRequestError")
	p.wantTag("no message's id", p.post("/api/session/"+ses+"/prompt", map[string]any{"id": "m1", "text": "x"}), http.StatusBadRequest, "InvalidRequestError")
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
	p.WantStatus("prompt", p.post("/api/session/"+ses+"/prompt", map[string]any{"text": "context", "resume": false}), http.StatusOK)
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
	p.WantStatus("agent", p.post("/api/session/"+ses+"/agent", map[string]any{"agent": "nobody"}), http.StatusNoContent)
	p.prompt(ses, "hello")
	if how, _ := s.awaitEnd(p, ses, 1); how != "failed" {
		p.Errorf("the turn ended as %s", how)
	}
}

// sessions: a client's id is taken once; lists are of all directories, newest first.
func sessions(p *prober) {
	first := p.newSession(p.Dir)
	var again info
	p.data(p.post("/api/session", map[string]any{"id": first, "location": map[string]any{"directory": p.OtherDir}}), &again)
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
