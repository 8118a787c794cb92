package contract

import (
	"net/http"
	"slices"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// v2Ask is a question or a permission request of the new runner.
type v2Ask struct {
	ID        string   `json:"id"`
	SessionID string   `json:"sessionID"`
	Action    string   `json:"action"`
	Resources []string `json:"resources"`
	Save      []string `json:"save"`
	Source    struct {
		MessageID string `json:"messageID"`
		CallID    string `json:"callID"`
	} `json:"source"`
}

// v2: the sessions of the new runner have routes and events of their own;
// neither side knows the other's questions. On 1.1.53 there is no such route.
func v2(p *prober) {
	if !p.modern() {
		if a := p.post("/api/session", map[string]any{}); a.Status == 200 && a.IsJSON() {
			p.Errorf("there are preview routes: %s", a.Body)
		}
		return
	}
	s := p.listen()
	ses := p.newV2Session()
	r := p.askV2(ses, "question", model.Ask(model.TwoQuestions()...), 1)[0]
	asked := s.await(p, "question.v2.asked", func(f frame) bool { return f.Type == "question.v2.asked" })
	if asked.Props.ID != r.ID || asked.Directory != p.Dir {
		p.Errorf("question.v2.asked %s", asked.Raw)
	}
	if p.lists(p.Dir, r.ID) {
		p.Error("GET /question lists a preview question")
	}
	p.WantStatus("a reply on the older route", p.reply(request{ID: r.ID}, []string{"SQLite"}), 404)
	older := p.ask(model.TwoQuestions()...)
	p.WantStatus("a preview reply to an older question",
		p.post("/api/session/"+older.SessionID+"/question/"+older.ID+"/reply", answers([]string{"A"})), 404)
	p.wantTrue("reply", p.reply(older, []string{"SQLite"}))
	p.WantStatus("reply", p.post(ses+"/question/"+r.ID+"/reply", answers([]string{"SQLite"}, []string{"A"})), 204)
	replied := s.await(p, "question.v2.replied", func(f frame) bool { return f.Type == "question.v2.replied" })
	if replied.Props.RequestID != r.ID || replied.Props.Answers[0][0] != "SQLite" {
		p.Errorf("question.v2.replied %s", replied.Raw)
	}
	p.WantStatus("a second reply", p.post(ses+"/question/"+r.ID+"/reply", answers([]string{"A"})), 404)
	p.awaitV2(r.SessionID, "question", 0)
	r = p.askV2(ses, "question", model.Ask(model.TwoQuestions()...), 1)[0]
	p.WantStatus("reject", p.post(ses+"/question/"+r.ID+"/reject", nil), 204)
	s.await(p, "question.v2.rejected", func(f frame) bool { return f.Type == "question.v2.rejected" && f.Props.RequestID == r.ID })
}

// permissionV2: the new runner asks for a command as a whole and tells no more. When one
// ask is rejected, the session's others are gone without a permission event.
func permissionV2(p *prober) {
	if !p.modern() {
		return
	}
	s := p.listen()
	ses := p.newV2Session()
	r := p.askV2(ses, "permission", runs("date && date"), 1)[0]
	if r.Action != "bash" || !slices.Equal(r.Resources, []string{"date && date"}) || !slices.Equal(r.Save, r.Resources) || r.Source.CallID == "" {
		p.Errorf("asked %+v", r)
	}
	s.await(p, "permission.v2.asked", func(f frame) bool {
		return f.Type == "permission.v2.asked" && f.Props.ID == r.ID && strings.Contains(f.Raw, `"action":"bash"`)
	})
	if a := p.get("/permission"); strings.Contains(a.Body, r.ID) {
		p.Error("GET /permission lists a preview request")
	}
	p.WantStatus("a reply on the older route", p.decide(request{ID: r.ID}, "once"), 404)
	a := p.send(http.MethodGet, ses+"/message/"+r.Source.MessageID, "", "", "")
	if a.Status != 200 || !strings.Contains(a.Body, `"id":"`+r.Source.CallID+`"`) || !strings.Contains(a.Body, `"command":"date `) {
		p.Errorf("the call is not in its message: %d %s", a.Status, a.Body)
	}
	if a := p.send(http.MethodGet, "/api/session/active", "", "", ""); !strings.Contains(a.Body, `"`+r.SessionID+`":{"type":"running"}`) {
		p.Errorf("GET /api/session/active: %d %s", a.Status, a.Body)
	}
	if p.busy(r.SessionID) {
		p.Error("GET /session/status lists a preview session")
	}
	decide := func(what string, r v2Ask, reply string, status int) {
		p.Helper()
		p.WantStatus(what, p.post("/api/session/"+r.SessionID+"/permission/"+r.ID+"/reply", map[string]string{"reply": reply}), status)
	}
	decide("an unknown word", r, "maybe", 400)
	decide("once", r, "once", 204)
	s.await(p, "permission.v2.replied", func(f frame) bool {
		return f.Type == "permission.v2.replied" && f.Props.RequestID == r.ID && f.Props.Reply == "once"
	})
	decide("a second reply", r, "once", 404)
	list := p.askV2(p.newV2Session(), "permission", runs("date -u", "uptime"), 2)
	decide("reject", list[0], "reject", 204)
	p.awaitV2(list[0].SessionID, "permission", 0)
	decide("a late once", list[1], "once", 404)
	if frames, _, _ := s.State(); has(frames, "permission.v2.replied", list[1].ID) {
		p.Error("the other request has an event")
	}
}

// newV2Session gives the path of a new session.
func (p *prober) newV2Session() string {
	p.Helper()
	var made struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	p.Decode(p.post("/api/session", map[string]any{"location": map[string]string{"directory": p.Dir}}), &made)
	return "/api/session/" + made.Data.ID
}

// askV2 prompts a session, and waits until it asks with so many questions or permissions.
func (p *prober) askV2(ses, kind, prompt string, n int) []v2Ask {
	p.Helper()
	p.WantStatus("prompt", p.post(ses+"/prompt", map[string]any{"prompt": map[string]string{"text": prompt}}), 200)
	return p.awaitV2(strings.TrimPrefix(ses, "/api/session/"), kind, n)
}

func (p *prober) awaitV2(session, kind string, n int) []v2Ask {
	p.Helper()
	var own []v2Ask
	p.Eventually("preview requests of "+session, func() bool {
		var list struct{ Data []v2Ask }
		p.Decode(p.send(http.MethodGet, "/api/"+kind+"/request?location[directory]="+p.Dir, "", "", ""), &list)
		own = slices.DeleteFunc(list.Data, func(r v2Ask) bool { return r.SessionID != session })
		return len(own) == n
	})
	return own
}
