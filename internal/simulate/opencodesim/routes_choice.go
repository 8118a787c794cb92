package opencodesim

import (
	"net/http"

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

func listAgents(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, agents())
}

func listProviders(w http.ResponseWriter, _ *http.Request) {
	models := map[string]any{}
	for _, id := range []string{theModel, theSecond} {
		models[id] = map[string]string{"id": id, "providerID": provider, "name": id}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"providers": []map[string]any{{"id": provider, "name": "Scripted", "source": "config", "models": models}},
		"default":   map[string]string{provider: theModel},
	})
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
