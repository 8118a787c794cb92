package contract

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
	"hermes/internal/simulate/probe"
)

type request struct {
	ID         string           `json:"id"`
	SessionID  string           `json:"sessionID"`
	Questions  []model.Question `json:"questions"`
	Permission string           `json:"permission"`
	Patterns   []string         `json:"patterns"`
	Always     []string         `json:"always"`
	Metadata   struct {
		Command  string `json:"command"`
		FilePath string `json:"filepath"`
		Diff     string `json:"diff"`
	} `json:"metadata"`
	Tool struct {
		MessageID string `json:"messageID"`
		CallID    string `json:"callID"`
	} `json:"tool"`
}

type session struct {
	ID        string `json:"id"`
	ParentID  string `json:"parentID"`
	Title     string `json:"title"`
	Directory string `json:"directory"`
	Version   string `json:"version"`
}

// message says how it came to be, too.
type message struct {
	Info struct {
		ID       string `json:"id"`
		Role     string `json:"role"`
		ParentID string `json:"parentID"`
		Agent    string `json:"agent"`
		ModelID  string `json:"modelID"`
		Model    struct {
			ID string `json:"modelID"`
		} `json:"model"`
		Time struct {
			Created   float64 `json:"created"`
			Completed float64 `json:"completed"`
		} `json:"time"`
		Tokens struct {
			Input  int `json:"input"`
			Output int `json:"output"`
		} `json:"tokens"`
		Error struct {
			Name string `json:"name"`
		} `json:"error"`
		Summary json.RawMessage `json:"summary"`
	} `json:"info"`
	Parts []part `json:"parts"`
}

type part struct {
	SessionID string `json:"sessionID"`
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"`
	Tool      string `json:"tool"`
	CallID    string `json:"callID"`
	State     struct {
		Status string `json:"status"`
		Input  struct {
			Command     string `json:"command"`
			Description string `json:"description"`
			FilePath    string `json:"filePath"`
			Content     string `json:"content"`
		} `json:"input"`
		Output   string `json:"output"`
		Title    string `json:"title"`
		Error    string `json:"error"`
		Metadata struct {
			Answers     [][]string `json:"answers"`
			Interrupted bool       `json:"interrupted"`
		} `json:"metadata"`
	} `json:"state"`
}

func answers(list ...[]string) map[string]any {
	if list == nil {
		list = [][]string{}
	}
	return map[string]any{"answers": list}
}

func (p *prober) newSession(title string) string {
	p.Helper()
	var s session
	p.Decode(p.post("/session", map[string]string{"title": title}), &s)
	return s.ID
}

func (p *prober) prompt(session, text string) {
	p.Helper()
	p.WantStatus("prompt_async", p.promptAs(session, text, nil), http.StatusNoContent)
}

func (p *prober) promptAs(session, text string, more map[string]any) probe.Answer {
	p.Helper()
	body := map[string]any{"parts": []map[string]string{{"type": "text", "text": text}}}
	for k, v := range more {
		body[k] = v
	}
	return p.post("/session/"+session+"/prompt_async", body)
}

// ask prompts a new session to ask and waits until the request is listed.
func (p *prober) ask(questions ...model.Question) request {
	p.Helper()
	ses := p.newSession(p.Name())
	p.prompt(ses, model.Ask(questions...))
	return p.pendingOf(ses)
}

// pendingOf waits for the question of a session and for its tool part to be
// there.
func (p *prober) pendingOf(session string) request {
	p.Helper()
	var r request
	p.Eventually("a question of "+session, func() (ok bool) {
		r, ok = p.listed("/question", session)
		return ok && p.part(r).State.Status == "running"
	})
	return r
}

func (p *prober) listed(path, session string) (request, bool) {
	p.Helper()
	var list []request
	p.Decode(p.get(path), &list)
	for _, r := range list {
		if r.SessionID == session {
			return r, true
		}
	}
	return request{}, false
}

// lists reports whether a directory's list has the request.
func (p *prober) lists(dir, id string) bool {
	p.Helper()
	a := p.send(http.MethodGet, "/question", dir, "", "")
	p.WantStatus("GET /question", a, http.StatusOK)
	return strings.Contains(a.Body, id)
}

func (p *prober) messages(session string) []message {
	p.Helper()
	var list []message
	p.Decode(p.get("/session/"+session+"/message"), &list)
	return list
}

// part is the tool part of a request, read from its message.
func (p *prober) part(r request) part {
	p.Helper()
	var m message
	p.Decode(p.get("/session/"+r.SessionID+"/message/"+r.Tool.MessageID), &m)
	for _, candidate := range m.Parts {
		if candidate.CallID == r.Tool.CallID {
			return candidate
		}
	}
	return part{}
}

// awaitPart waits until the tool part of a request has a status.
func (p *prober) awaitPart(r request, status string) part {
	p.Helper()
	var got part
	p.Eventually("the tool part is "+status, func() bool {
		got = p.part(r)
		return got.State.Status == status
	})
	return got
}

// awaitSaid waits until the agent's last words contain text.
func (p *prober) awaitSaid(session, text string) {
	p.Helper()
	p.Eventually("the agent says "+text, func() bool { return strings.Contains(p.said(session), text) })
}

func (p *prober) said(session string) string {
	p.Helper()
	var text string
	for _, m := range p.messages(session) {
		for _, part := range m.Parts {
			if m.Info.Role == "assistant" && part.Type == "text" {
				text = part.Text
			}
		}
	}
	return text
}

func (p *prober) busy(session string) bool {
	p.Helper()
	var all map[string]struct {
		Type string `json:"type"`
	}
	p.Decode(p.get("/session/status"), &all)
	return all[session].Type == "busy"
}

func (p *prober) awaitIdle(session string) {
	p.Helper()
	p.Eventually(session+" is idle", func() bool { return !p.busy(session) })
}

func (p *prober) wantAnswers(got part, want [][]string) {
	p.Helper()
	if !reflect.DeepEqual(got.State.Metadata.Answers, want) {
		p.Errorf("the tool part has the answers %q, want %q", got.State.Metadata.Answers, want)
	}
}

func (p *prober) reply(r request, list ...[]string) probe.Answer {
	p.Helper()
	return p.post("/question/"+r.ID+"/reply", answers(list...))
}
