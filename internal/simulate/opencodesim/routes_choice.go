package opencodesim

import (
	"net/http"
	"strings"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencodesim/model"
)

// The one provider, and its models: those of an OpenCode with model.Config.
const (
	provider  = "scripted"
	theModel  = "scripted"
	theSecond = "second"
)

type agentInfo struct {
	Name   string `json:"name"`
	Mode   string `json:"mode"`
	Hidden bool   `json:"hidden,omitempty"`
}

func agents() []agentInfo {
	return []agentInfo{
		{"build", "primary", false},
		{"plan", "primary", false},
		{"general", "subagent", false},
		{"explore", "subagent", false},
		{"compaction", "primary", true},
		{"title", "primary", true},
		{"summary", "primary", true},
		{model.Agent, "subagent", false},
	}
}

func listAgents(*http.Request) answer { return ok(agents()) }

func listProviders(*http.Request) answer {
	models := map[string]any{}
	for _, id := range []string{theModel, theSecond} {
		models[id] = map[string]string{"id": id, "providerID": provider, "name": id}
	}
	return ok(map[string]any{
		"providers": []map[string]any{{"id": provider, "name": "Scripted", "source": "config", "models": models}},
		"default":   map[string]string{provider: theModel},
	})
}

func (s *Simulator) config(*http.Request) answer {
	return ok(map[string]any{"plugin": append([]string{}, s.opts.Plugins...)})
}

// knowsAgent reports whether there is the agent that a prompt names. If not, the prompt
// is not even stored; newer versions say so in an event.
func (s *Simulator) knowsAgent(inst *instance, p Prompt) bool {
	for _, a := range agents() {
		if p.Agent == "" || p.Agent == a.Name {
			return true
		}
	}
	s.bus.publishFailure(inst, p.Session, `Agent not found: "`+p.Agent+`".`)
	return false
}

// knowsModel reports whether there is the session's model. If not, its prompts are
// stored and do nothing; newer versions say so in an event.
func (s *Simulator) knowsModel(ses *session, inst *instance) bool {
	m := ses.model
	if m.ProviderID == provider && (m.ModelID == theModel || m.ModelID == theSecond) {
		return true
	}
	s.bus.setStatus(inst, ses, "busy")
	s.bus.publishFailure(inst, ses.info.ID, "Model not found: "+m.ProviderID+"/"+m.ModelID+".")
	s.bus.setIdle(inst, ses)
	return false
}

func (b *eventBus) publishFailure(inst *instance, id, why string) {
	if b.is.modern {
		b.publish(inst.dir, "session.error", map[string]any{
			"sessionID": id, "error": sessionFail{"UnknownError", map[string]string{"message": why}},
		})
	}
}

type commandInfo struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Source      string   `json:"source"`
	Template    string   `json:"template"`
	Hints       []string `json:"hints"`
}

func commands() []commandInfo {
	hints := []string{"$ARGUMENTS"}
	return []commandInfo{
		{"init", "create/update AGENTS.md", "command", "Create AGENTS.md. $ARGUMENTS", hints},
		{"review", "review changes", "command", "Review the changes. $ARGUMENTS", hints},
		{model.Command, model.CommandDescription, "command", "$ARGUMENTS", hints},
	}
}

func listCommands(*http.Request) answer { return ok(commands()) }

// commandSession runs a command. As in OpenCode the answer comes at the end of the
// turn, and who does not wait for it changes nothing.
func (s *Simulator) commandSession(w http.ResponseWriter, r *http.Request) {
	ended := make(chan *message, 1)
	refused := inprocess.UnderLock(&s.mu, r, func(r *http.Request) answer {
		var o map[string]any
		read(r, &o)
		if !s.startCommand(s.session(r), s.instanceFor(r), o, ended) {
			return s.is.unknownError()
		}
		return answer{}
	})
	if refused.Status != 0 {
		refused.Write(w)
		return
	}
	select {
	case m := <-ended:
		s.mu.Lock()
		defer s.mu.Unlock()
		ok(m.json()).Write(w)
	case <-r.Context().Done():
	}
}

// startCommand prompts the session with a command's text. It reports false for a
// command that there is not.
func (s *Simulator) startCommand(ses *session, inst *instance, o map[string]any, ended chan *message) bool {
	text := func(key string) string { v, _ := o[key].(string); return v }
	for _, c := range commands() {
		if c.Name != text("command") {
			continue
		}
		p := promptFrom(o, []any{map[string]any{"type": "text", "text": strings.ReplaceAll(c.Template, "$ARGUMENTS", text("arguments"))}})
		p.Session, p.Directory, p.Command = ses.info.ID, inst.dir, c.Name
		p.model.ProviderID, p.model.ModelID, _ = strings.Cut(text("model"), "/")
		p.Model = text("model")
		ses.ended = append(ses.ended, ended)
		s.takePrompt(ses, p)
		if ses.turn == nil {
			ses.tell()
		}
		return true
	}
	return false
}

// tell ends the commands that wait for the session's turn.
func (ses *session) tell() {
	for _, ended := range ses.ended {
		ended <- ses.messages[len(ses.messages)-1]
	}
	ses.ended = nil
}
