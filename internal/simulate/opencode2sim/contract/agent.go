package contract

import (
	"net/http"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
	"hermes/internal/simulate/probe"
)

type form struct {
	ID        string
	SessionID string
	Title     string
	Metadata  struct {
		Kind string
		Tool struct{ CallID, ID string }
	}
	Fields []struct {
		Title, Description, Type string
		Custom                   *bool
		Options                  []struct{ Value, Description string }
	}
}

// call is the id of the tool call that a form is of.
func (f form) call() string { return f.Metadata.Tool.CallID + f.Metadata.Tool.ID }

type permit struct {
	ID, SessionID, Action string
	Resources, Save       []string
}

type info struct {
	ID, ParentID string
	Location     struct{ Directory string }
}

type message struct {
	Type, Text, Finish string
	Content            []struct {
		Type, Text, ID string
		State          struct {
			Status  string
			Content []struct{ Text string }
			Error   struct{ Message string }
		}
	}
}

func shell(command string) string { return `CALL shell {"command":"` + command + `"}` }

func (p *prober) newSession(dir string) string {
	p.Helper()
	var s info
	p.data(p.Post("/api/session", map[string]any{"location": map[string]any{"directory": dir}}), &s)
	return s.ID
}

func (p *prober) prompt(session, text string) {
	p.Helper()
	p.WantStatus("prompt", p.Post("/api/session/"+session+"/prompt", map[string]any{"text": text}), http.StatusOK)
}

func path(f form) string { return "/api/session/" + f.SessionID + "/form/" + f.ID }

func (p *prober) reply(f form, answer map[string]any) probe.Answer {
	p.Helper()
	return p.Post(path(f)+"/reply", map[string]any{"answer": answer})
}

func (p *prober) cancel(f form) probe.Answer {
	p.Helper()
	if p.Release {
		return p.Send(http.MethodDelete, path(f), "", "")
	}
	return p.Post(path(f)+"/cancel", nil)
}

// ask prompts a new session to ask, and waits for its form.
func (p *prober) ask(questions ...model.Question) form {
	p.Helper()
	ses := p.newSession(p.Dir)
	p.prompt(ses, model.Ask(questions...))
	return p.forms(ses, 1)[0]
}

// forms waits until a session asks with so many forms.
func (p *prober) forms(session string, n int) []form {
	p.Helper()
	var list []form
	p.Eventually("a form of "+session, func() bool {
		list = nil
		p.get("/api/session/"+session+"/form", &list)
		return len(list) == n
	})
	return list
}

func (p *prober) permits(session string, n int) []permit {
	p.Helper()
	var list []permit
	p.Eventually("a permission of "+session, func() bool {
		list = nil
		p.get("/api/session/"+session+"/permission", &list)
		return len(list) == n
	})
	return list
}

func (p *prober) decide(r permit, reply, words string) probe.Answer {
	p.Helper()
	body := map[string]any{pick(p, "reply", "decision"): reply}
	if words != "" {
		body["message"] = words
	}
	return p.Post("/api/session/"+r.SessionID+"/permission/"+r.ID+"/reply", body)
}

func (p *prober) active(session string) bool {
	p.Helper()
	var all map[string]struct{ Type string }
	p.get("/api/session/active", &all)
	return all[session].Type == "running"
}

func (p *prober) awaitIdle(session string) {
	p.Helper()
	p.Eventually(session+" is idle", func() bool { return !p.active(session) })
}

func (p *prober) messages(session string) []message {
	p.Helper()
	var list []message
	p.get("/api/session/"+session+"/message?order=asc", &list)
	return list
}

// awaitSaid waits until the agent's last words contain a text.
func (p *prober) awaitSaid(session, text string) {
	p.Helper()
	said := ""
	p.Eventually("the agent says "+text, func() bool {
		for _, m := range p.messages(session) {
			for _, c := range m.Content {
				if c.Type == "text" {
					said = c.Text
				}
			}
		}
		return strings.Contains(said, text)
	})
}

// outcome is the state of a tool call: its status and what the model was told.
func (p *prober) outcome(session, call string) (status, text string) {
	p.Helper()
	for _, m := range p.messages(session) {
		for _, c := range m.Content {
			if c.Type == "tool" && c.ID == call {
				for _, part := range c.State.Content {
					text += part.Text
				}
				return c.State.Status, text + c.State.Error.Message
			}
		}
	}
	return "", ""
}
