package contract

import (
	"net/http"
	"strconv"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

func task(agent, prompt string) string {
	return `CALL subagent {"agent":"` + agent + `","description":"sub task","prompt":` + strconv.Quote(prompt) + `}`
}

// startSubagent lets a new session start a subagent that asks, and gives both.
func (p *prober) startSubagent(s *events) (parent string, f form) {
	p.Helper()
	parent = p.newSession(p.Dir)
	p.prompt(parent, task(p.Agent, model.Ask(model.TwoQuestions()[0])))
	created := s.await(p, "a form of the subagent", func(f frame) bool {
		if f.Type != "form.created" {
			return false
		}
		var child info
		p.get("/api/session/"+f.session(), &child)
		return child.ParentID == parent
	})
	return parent, created.Data.Form
}

// subagent: its questions are those of its own session.
func subagent(p *prober) {
	s := p.listen()
	parent, f := p.startSubagent(s)
	p.forms(parent, 0)
	if !p.active(parent) || !p.active(f.SessionID) {
		p.Error("parent and child must be at work")
	}
	p.WantStatus("reply", p.reply(f, map[string]any{"q0": "SQLite"}), http.StatusNoContent)
	if how, _ := s.awaitEnd(p, parent, 1); how != "succeeded" {
		p.Errorf("the parent ended as %s", how)
	}
	p.awaitSaid(parent, "SQLite")
}

// subagentDismissed: the child's turn ends, the parent's goes on.
func subagentDismissed(p *prober) {
	s := p.listen()
	parent, f := p.startSubagent(s)
	p.WantStatus("dismiss", p.cancel(f), http.StatusNoContent)
	if how, reason := s.awaitEnd(p, f.SessionID, 1); how != "interrupted" || reason != "shutdown" {
		p.Errorf("the child ended as %s (%s)", how, reason)
	}
	if how, _ := s.awaitEnd(p, parent, 1); how != "succeeded" {
		p.Errorf("the parent ended as %s", how)
	}
	p.awaitSaid(parent, "Subagent cancelled")
}

func (p *prober) askShell(command string) permit {
	p.Helper()
	ses := p.newSession(p.Dir)
	p.prompt(ses, shell(command))
	return p.permits(ses, 1)[0]
}

// permission: the whole command is asked for, on Release its parts, and always would allow what begins as they do; it is decided once, and then unknown.
func permission(p *prober) {
	s := p.listen()
	r := p.askShell("echo one")
	if !strings.HasPrefix(r.ID, "per_") || r.Action != "shell" || strings.Join(r.Resources, "|") != "echo one" || strings.Join(r.Save, "|") != pick(p, "echo one", "echo *") {
		p.Errorf("asked is %+v", r)
	}
	asked := s.awaitType(p, r.SessionID, pick(p, "permission.v2.asked", "permission.asked"))
	if asked.Location == nil || asked.Data.ID != r.ID || pick(p, asked.Data.Source.CallID, asked.Data.Source.ID) == "" {
		p.Errorf("the event is %+v", asked)
	}
	path := "/api/session/" + r.SessionID + "/permission/" + r.ID
	p.wantTag("the other key", p.Post(path+"/reply", map[string]any{pick(p, "decision", "reply"): "once"}), http.StatusBadRequest, "InvalidRequestError")
	p.wantTag("another word", p.decide(r, "yes", ""), http.StatusBadRequest, "InvalidRequestError")
	p.WantStatus("once", p.decide(r, "once", ""), http.StatusNoContent)
	p.wantTag("again", p.decide(r, "once", ""), http.StatusNotFound, "PermissionNotFoundError")
	p.wantTag("get", p.Send(http.MethodGet, path, "", ""), http.StatusNotFound, "PermissionNotFoundError")
	replied := s.awaitType(p, r.SessionID, pick(p, "permission.v2.replied", "permission.replied"))
	if replied.Data.RequestID != r.ID || replied.Data.Reply != "once" {
		p.Errorf("the event is %+v", replied)
	}
	p.awaitSaid(r.SessionID, "one")
}

// permissionRejected: without words the turn ends, and all else that the session asks is
// rejected too.
func permissionRejected(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Dir)
	p.prompt(ses, shell("echo one")+"\n"+shell("echo two"))
	r := p.permits(ses, 2)[0]
	p.WantStatus("reject", p.decide(r, "reject", ""), http.StatusNoContent)
	if how, reason := s.awaitEnd(p, ses, 1); how != "interrupted" || reason != "shutdown" {
		p.Errorf("the turn ended as %s (%s)", how, reason)
	}
	frames, _, _ := s.State()
	if got := strings.Count(kinds(frames, ses), pick(p, "permission.v2.replied", "permission.replied")); got != 2 {
		p.Errorf("%d were rejected", got)
	}
}

// permissionWords: with words the model goes on; it does not get them.
func permissionWords(p *prober) {
	r := p.askShell("echo one")
	p.WantStatus("reject", p.decide(r, "reject", "use printf"), http.StatusNoContent)
	p.awaitSaid(r.SessionID, `"error"`)
	for _, m := range p.messages(r.SessionID) {
		for _, c := range m.Content {
			if strings.Contains(c.Text+c.State.Error.Message, "use printf") {
				p.Errorf("the words arrive: %+v", c)
			}
		}
	}
}

// permissionAlways is for the project: what it covers elsewhere is answered with it, and not asked again.
func permissionAlways(p *prober) {
	const command = "date"
	first, same := p.askShell(command), p.askShell(command)
	p.WantStatus("always", p.decide(first, "always", ""), http.StatusNoContent)
	p.permits(same.SessionID, 0)
	p.awaitSaid(same.SessionID, "TOOLRESULT")
	again := p.newSession(p.Dir)
	p.prompt(again, shell(command))
	p.awaitSaid(again, "TOOLRESULT")
}

// permissionInterrupted: it is gone, and no event says so.
func permissionInterrupted(p *prober) {
	s := p.listen()
	r := p.askShell("echo one")
	p.Post("/api/session/"+r.SessionID+"/interrupt", nil)
	s.awaitEnd(p, r.SessionID, 1)
	p.wantTag("once", p.decide(r, "once", ""), http.StatusNotFound, "PermissionNotFoundError")
	frames, _, _ := s.State()
	if strings.Contains(kinds(frames, r.SessionID), "replied") {
		p.Errorf("events are %s", kinds(frames, r.SessionID))
	}
}
