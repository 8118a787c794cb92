package opencodesim

import (
	"net/http"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

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

func listCommands(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, commands())
}

// commandSession runs a command. As in OpenCode the answer comes at the end of the
// turn, and who does not wait for it changes nothing.
func (s *Simulator) commandSession(w http.ResponseWriter, r *http.Request) {
	o, ok := s.is.object(w, r)
	if !ok {
		return
	}
	ended := make(chan *message, 1)
	found := false
	s.withSession(w, r, func(ses *session) {
		if found = s.startCommand(ses, s.instanceFor(r), o, ended); !found {
			s.is.writeUnknownError(w)
		}
	})
	if !found {
		return
	}
	select {
	case m := <-ended:
		s.mu.Lock()
		defer s.mu.Unlock()
		writeJSON(w, http.StatusOK, m.json())
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
