package contract

import (
	"encoding/json"
	"slices"
	"strings"

	"hermes/internal/simulate/probe"
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
func permissionV2(p *prober) {
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
	if a.Status != 200 || !strings.Contains(a.Body, `"id":"`+r.Source.CallID+`"`) || !strings.Contains(a.Body, `"command":"date `) {
		p.Errorf("the call is not in its message: %d %s", a.Status, a.Body)
	}
	if a := p.send("GET", "/api/session/active", "", "", ""); !strings.Contains(a.Body, `"`+r.SessionID+`":{"type":"running"}`) {
		p.Errorf("GET /api/session/active: %d %s", a.Status, a.Body)
	}
	if p.busy(r.SessionID) {
		p.Error("GET /session/status lists a preview session")
	}
	p.WantStatus("once", p.decideV2(ses, r, "once"), 204)
	s.await(p, "permission.v2.replied", func(f frame) bool {
		return f.Type == "permission.v2.replied" && f.Props.RequestID == r.ID && f.Props.Reply == "once"
	})
	p.WantStatus("a second reply", p.decideV2(ses, r, "once"), 404)
	p.rejectV2(s)
	p.alwaysV2()
}

func (p *prober) newV2Session() string {
	p.Helper()
	var made struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	p.decode(p.post("/api/session", map[string]any{"location": map[string]string{"directory": p.Dir}}), &made)
	return "/api/session/" + made.Data.ID
}

func (p *prober) askV2Permissions(ses, prompt string, n int) []v2Ask {
	p.Helper()
	p.WantStatus("prompt", p.post(ses+"/prompt", map[string]any{"prompt": map[string]string{"text": prompt}}), 200)
	var list []v2Ask
	p.Eventually("preview permission requests", func() bool {
		list = p.v2Asks(ses)
		return len(list) == n
	})
	return list
}

func (p *prober) v2Asks(ses string) []v2Ask {
	p.Helper()
	var list struct {
		Data []v2Ask `json:"data"`
	}
	p.decode(p.send("GET", ses+"/permission", "", "", ""), &list)
	return list.Data
}

func (p *prober) decideV2(ses string, r v2Ask, reply string) probe.Answer {
	p.Helper()
	return p.post(ses+"/permission/"+r.ID+"/reply", map[string]string{"reply": reply})
}

func (p *prober) checkV2Apart(ses string, r v2Ask) {
	p.Helper()
	a := p.send("GET", "/api/permission/request?location[directory]="+p.Dir, "", "", "")
	if !strings.Contains(a.Body, r.ID) || !strings.Contains(a.Body, `"location":{`) {
		p.Errorf("GET /api/permission/request: %d %s", a.Status, a.Body)
	}
	if a := p.get("/permission"); strings.Contains(a.Body, r.ID) {
		p.Error("GET /permission lists a preview request")
	}
	p.WantStatus("a reply on the older route", p.decide(request{ID: r.ID}, "once"), 404)
	p.WantStatus("an unknown word", p.decideV2(ses, r, "maybe"), 400)
}

// rejectV2: the session's other asks are gone without a permission event.
func (p *prober) rejectV2(s *stream) {
	p.Helper()
	ses := p.newV2Session()
	list := p.askV2Permissions(ses, runs("date -u", "uptime"), 2)
	p.WantStatus("reject", p.decideV2(ses, list[0], "reject"), 204)
	p.Eventually("no preview request", func() bool { return len(p.v2Asks(ses)) == 0 })
	p.WantStatus("a late once", p.decideV2(ses, list[1], "once"), 404)
	frames, _, _ := s.State()
	if has(frames, "permission.v2.replied", list[1].ID) {
		p.Error("the other request has an event")
	}
}

// alwaysV2: what is granted always is kept for the project.
func (p *prober) alwaysV2() {
	p.Helper()
	ses := p.newV2Session()
	r := p.askV2Permissions(ses, runs("date -R"), 1)[0]
	p.WantStatus("always", p.decideV2(ses, r, "always"), 204)
	p.Eventually("a saved grant", func() bool {
		a := p.send("GET", "/api/permission/saved?location[directory]="+p.Dir, "", "", "")
		return a.Status == 200 && json.Valid([]byte(a.Body)) && strings.Contains(a.Body, `"resource":"date -R"`)
	})
}
