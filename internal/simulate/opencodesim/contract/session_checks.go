package contract

import (
	"net/http"
	"strings"
)

// sessions: one is made with a title or gets one, is found from every
// directory (on 1.1.53 only of the same project), is renamed, listed and
// deleted.
func sessions(p *prober) {
	var made, got session
	p.decode(p.post("/session", map[string]string{}), &made)
	if !strings.HasPrefix(made.ID, "ses_") || !strings.HasPrefix(made.Title, "New session - ") ||
		made.Directory != p.Dir || made.Version != p.Version {
		p.Errorf("made %+v", made)
	}
	p.WantStatus("GET from another project", p.send(http.MethodGet, "/session/"+made.ID, p.OtherDir, "", ""), pick(p, 404, 200))
	p.decode(p.get("/session/"+made.ID), &got)
	if got != made {
		p.Errorf("got %+v, made %+v", got, made)
	}
	p.decode(p.send(http.MethodPatch, "/session/"+made.ID, p.Dir, "application/json", `{"title":"Renamed"}`), &got)
	if got.Title != "Renamed" {
		p.Errorf("renamed to %q", got.Title)
	}
	p.checkListed(made.ID)
	p.prompt(made.ID, "hello")
	p.awaitSaid(made.ID, "You said: hello")
	var last []message
	p.decode(p.get("/session/"+made.ID+"/message?limit=1"), &last)
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

// v2: the sessions of the new runner have routes and events of their own;
// neither side knows the other's questions. On 1.1.53 there is no such route.
func v2(p *prober) {
	a := p.post("/api/session", map[string]any{"location": map[string]string{"directory": p.Dir}})
	if !p.modern() {
		if a.Status == 200 && a.IsJSON() {
			p.Errorf("there are preview routes: %s", a.Body)
		}
		return
	}
	var made struct {
		Data struct {
			ID       string `json:"id"`
			Location struct {
				Directory string `json:"directory"`
			} `json:"location"`
		} `json:"data"`
	}
	p.decode(a, &made)
	if made.Data.Location.Directory != p.Dir {
		p.Errorf("the session's location is %q", made.Data.Location.Directory)
	}
	s := p.listen("/global/event", p.Dir)
	ses := "/api/session/" + made.Data.ID
	r := p.askV2(ses)
	asked := s.await(p, "question.v2.asked", func(f frame) bool { return f.Type == "question.v2.asked" })
	if asked.Props.ID != r.ID || asked.Directory != p.Dir {
		p.Errorf("question.v2.asked %s", asked.Raw)
	}
	p.checkApart(r)
	p.WantStatus("reply", p.post(ses+"/question/"+r.ID+"/reply", answers([]string{"SQLite"}, []string{"A"})), 204)
	replied := s.await(p, "question.v2.replied", func(f frame) bool { return f.Type == "question.v2.replied" })
	if replied.Props.RequestID != r.ID || replied.Props.Answers[0][0] != "SQLite" {
		p.Errorf("question.v2.replied %s", replied.Raw)
	}
	p.WantStatus("a second reply", p.post(ses+"/question/"+r.ID+"/reply", answers([]string{"A"})), 404)
	p.rejectAndInterrupt(s, ses)
}

type v2List struct {
	Data []request `json:"data"`
}

// askV2 prompts a preview session to ask and waits for its question.
func (p *prober) askV2(ses string) request {
	p.Helper()
	p.WantStatus("prompt", p.post(ses+"/prompt", map[string]any{"prompt": map[string]string{"text": script(twoQuestions())}}), 200)
	var list v2List
	p.Eventually("a preview question", func() bool {
		p.decode(p.send(http.MethodGet, ses+"/question", "", "", ""), &list)
		return len(list.Data) == 1
	})
	return list.Data[0]
}

// checkApart: a preview question is listed on its own routes only.
func (p *prober) checkApart(r request) {
	p.Helper()
	a := p.send(http.MethodGet, "/api/question/request?location[directory]="+p.Dir, "", "", "")
	if !strings.Contains(a.Body, r.ID) || !strings.Contains(a.Body, `"location":{`) {
		p.Errorf("GET /api/question/request: %d %s", a.Status, a.Body)
	}
	if p.lists(p.Dir, r.ID) {
		p.Error("GET /question lists a preview question")
	}
	p.WantStatus("a reply on the older route", p.reply(r, []string{"SQLite"}), 404)
	older := p.ask(twoQuestions()...)
	p.WantStatus("a preview reply to an older question",
		p.post("/api/session/"+older.SessionID+"/question/"+older.ID+"/reply", answers([]string{"A"})), 404)
	p.wantTrue("reply", p.reply(older, []string{"SQLite"}))
}

// rejectAndInterrupt: a reject has its event; an interrupt drops the question
// without one.
func (p *prober) rejectAndInterrupt(s *stream, ses string) {
	p.Helper()
	p.awaitNone(ses)
	r := p.askV2(ses)
	p.WantStatus("reject", p.post(ses+"/question/"+r.ID+"/reject", nil), 204)
	s.await(p, "question.v2.rejected", func(f frame) bool { return f.Type == "question.v2.rejected" && f.Props.RequestID == r.ID })
	p.awaitNone(ses)
	r = p.askV2(ses)
	p.WantStatus("interrupt", p.post(ses+"/interrupt", nil), 204)
	p.awaitNone(ses)
	frames, _, _ := s.State()
	if has(frames, "question.v2.rejected", r.ID) || has(frames, "question.v2.replied", r.ID) {
		p.Error("an interrupted question must end without an event")
	}
}

func (p *prober) awaitNone(ses string) {
	p.Helper()
	var list v2List
	p.Eventually("no preview question", func() bool {
		p.decode(p.send(http.MethodGet, ses+"/question", "", "", ""), &list)
		return len(list.Data) == 0
	})
}
