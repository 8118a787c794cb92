package contract

import (
	"encoding/json"
	"slices"
	"strings"
)

// v2Ask is a permission request of the new runner.
type v2Ask struct {
	ID        string   `json:"id"`
	SessionID string   `json:"sessionID"`
	Action    string   `json:"action"`
	Resources []string `json:"resources"`
	Save      []string `json:"save"`
	Source    struct {
		Type      string `json:"type"`
		MessageID string `json:"messageID"`
		CallID    string `json:"callID"`
	} `json:"source"`
}

// permissionV2: the new runner asks for a command as a whole and tells no more; its
// requests have routes and events of their own.
func permissionV2(p *probe) {
	if !p.modern() {
		return
	}
	s := p.listen("/global/event", p.Dir)
	ses := p.newV2Session()
	r := p.askV2Permissions(ses, runs("date && date"), 1)[0]
	if r.Action != "bash" || !slices.Equal(r.Resources, []string{"date && date"}) || !slices.Equal(r.Save, r.Resources) || r.Source.CallID == "" {
		p.Errorf("asked %+v", r)
	}
	s.await(p, "permission.v2.asked", func(f frame) bool {
		return f.Type == "permission.v2.asked" && f.Props.ID == r.ID && strings.Contains(f.Raw, `"action":"bash"`)
	})
	p.checkV2Apart(ses, r)
	a := p.send("GET", ses+"/message/"+r.Source.MessageID, "", "", "")
	if a.status != 200 || !strings.Contains(a.body, `"id":"`+r.Source.CallID+`"`) || !strings.Contains(a.body, `"command":"date `) {
		p.Errorf("the call is not in its message: %d %s", a.status, a.body)
	}
	if a := p.send("GET", "/api/session/active", "", "", ""); !strings.Contains(a.body, `"`+r.SessionID+`":{"type":"running"}`) {
		p.Errorf("GET /api/session/active: %d %s", a.status, a.body)
	}
	if p.busy(r.SessionID) {
		p.Error("GET /session/status lists a preview session")
	}
	p.wantStatus("once", p.decideV2(ses, r, "once"), 204)
	s.await(p, "permission.v2.replied", func(f frame) bool {
		return f.Type == "permission.v2.replied" && f.Props.RequestID == r.ID && f.Props.Reply == "once"
	})
	p.wantStatus("a second reply", p.decideV2(ses, r, "once"), 404)
	p.rejectV2(s)
	p.alwaysV2()
}

func (p *probe) newV2Session() string {
	p.Helper()
	var made struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	p.decode(p.post("/api/session", map[string]any{"location": map[string]string{"directory": p.Dir}}), &made)
	return "/api/session/" + made.Data.ID
}

func (p *probe) askV2Permissions(ses, prompt string, n int) []v2Ask {
	p.Helper()
	p.wantStatus("prompt", p.post(ses+"/prompt", map[string]any{"prompt": map[string]string{"text": prompt}}), 200)
	var list []v2Ask
	p.eventually("preview permission requests", func() bool {
		list = p.v2Asks(ses)
		return len(list) == n
	})
	return list
}

func (p *probe) v2Asks(ses string) []v2Ask {
	p.Helper()
	var list struct {
		Data []v2Ask `json:"data"`
	}
	p.decode(p.send("GET", ses+"/permission", "", "", ""), &list)
	return list.Data
}

func (p *probe) decideV2(ses string, r v2Ask, reply string) answer {
	p.Helper()
	return p.post(ses+"/permission/"+r.ID+"/reply", map[string]string{"reply": reply})
}

func (p *probe) checkV2Apart(ses string, r v2Ask) {
	p.Helper()
	a := p.send("GET", "/api/permission/request?location[directory]="+p.Dir, "", "", "")
	if !strings.Contains(a.body, r.ID) || !strings.Contains(a.body, `"location":{`) {
		p.Errorf("GET /api/permission/request: %d %s", a.status, a.body)
	}
	if a := p.get("/permission"); strings.Contains(a.body, r.ID) {
		p.Error("GET /permission lists a preview request")
	}
	p.wantStatus("a reply on the older route", p.decide(request{ID: r.ID}, "once"), 404)
	p.wantStatus("an unknown word", p.decideV2(ses, r, "maybe"), 400)
}

// rejectV2: the session's other asks are gone without a permission event.
func (p *probe) rejectV2(s *stream) {
	p.Helper()
	ses := p.newV2Session()
	list := p.askV2Permissions(ses, runs("date -u", "uptime"), 2)
	p.wantStatus("reject", p.decideV2(ses, list[0], "reject"), 204)
	p.eventually("no preview request", func() bool { return len(p.v2Asks(ses)) == 0 })
	p.wantStatus("a late once", p.decideV2(ses, list[1], "once"), 404)
	frames, _, _ := s.state()
	if has(frames, "permission.v2.replied", list[1].ID) {
		p.Error("the other request has an event")
	}
}

// alwaysV2: what is granted always is kept for the project.
func (p *probe) alwaysV2() {
	p.Helper()
	ses := p.newV2Session()
	r := p.askV2Permissions(ses, runs("date -R"), 1)[0]
	p.wantStatus("always", p.decideV2(ses, r, "always"), 204)
	p.eventually("a saved grant", func() bool {
		a := p.send("GET", "/api/permission/saved?location[directory]="+p.Dir, "", "", "")
		return a.status == 200 && json.Valid([]byte(a.body)) && strings.Contains(a.body, `"resource":"date -R"`)
	})
}
