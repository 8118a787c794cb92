package opencode2sim

import (
	"net/http"

	"hermes/internal/simulate/inprocess"
)

// handler is the table of routes of the shape (sections 1 and 3.2 to 5).
func (s *web) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /api/event", s.listen)
	m.HandleFunc("GET /api/experimental/session/{session}/log", s.follow)
	m.HandleFunc("GET /openapi.json", s.plain(openAPI))
	m.HandleFunc("GET /api/server", s.plain(server))
	m.HandleFunc("POST /api/service/stop", s.payload("ServiceStopRequest", stopService))
	s.sessionRoutes(m)
	s.promptRoutes(m)
	s.formRoutes(m)
	s.permissionRoutes(m)
	s.directoryRoutes(m)
	if s.opts.Shape == Preview {
		m.HandleFunc("GET /api/health", s.plain(health))
	} else {
		m.HandleFunc("GET /api/info", s.plain(info))
	}
	m.HandleFunc("/", s.unknown(m))
	return m
}

func (s *web) formRoutes(m *http.ServeMux) {
	const form = "/api/session/{session}/form/{form}"
	m.HandleFunc("GET /api/session/{session}/form", s.plain(listForms))
	m.HandleFunc("POST /api/session/{session}/form", s.payload("Form.CreatePayload", createForm))
	m.HandleFunc("GET "+form, s.plain(getForm))
	m.HandleFunc("POST "+form+"/reply", s.payload("Form.Reply", replyForm))
	if s.opts.Shape == Preview {
		m.HandleFunc("GET /api/form/request", s.plain(directoryForms))
		m.HandleFunc("GET "+form+"/state", s.plain(formState))
		m.HandleFunc("POST "+form+"/cancel", s.plain(cancelForm))
		m.HandleFunc("GET /api/question/request", s.plain(noQuestions))
		return
	}
	m.HandleFunc("GET /api/form", s.plain(directoryForms))
	m.HandleFunc("DELETE "+form, s.plain(cancelForm))
}

func (s *web) permissionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/permission/request", s.plain(directoryPermissions))
	m.HandleFunc("GET /api/permission/saved", s.plain(savedPermissions))
	m.HandleFunc("DELETE /api/permission/saved/{id}", s.plain(deleteSaved))
	m.HandleFunc("GET /api/session/{session}/permission", s.plain(listPermissions))
	m.HandleFunc("GET /api/session/{session}/permission/{request}", s.plain(getPermission))
	m.HandleFunc("POST /api/session/{session}/permission/{request}/reply", s.payload("PermissionV2.ReplyPayload", replyPermission))
}

func (s *web) sessionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/session", s.plain(listSessions))
	m.HandleFunc("POST /api/session", s.payload("Session.CreatePayload", createSession))
	m.HandleFunc("GET /api/session/active", s.plain(activeSessions))
	m.HandleFunc("GET /api/session/{session}", s.plain(getSession))
	m.HandleFunc("DELETE /api/session/{session}", s.plain(deleteSession))
	m.HandleFunc("POST /api/session/{session}/fork", s.payload("Session.ForkPayload", forkSession))
	m.HandleFunc("POST /api/session/{session}/agent", s.payload("Session.AgentPayload", selectAgent))
	m.HandleFunc("POST /api/session/{session}/model", s.payload("Session.ModelPayload", selectModel))
	m.HandleFunc("POST /api/session/{session}/interrupt", s.plain(interruptSession))
	m.HandleFunc("GET /api/session/{session}/message", s.plain(listMessages))
	m.HandleFunc("GET /api/session/{session}/message/{message}", s.plain(getMessage))
	m.HandleFunc("GET /api/session/{session}/context", s.plain(contextMessages))
	if s.opts.Shape == Preview {
		m.HandleFunc("POST /api/session/{session}/rename", s.payload("Session.RenamePayload", renameSession))
	} else {
		m.HandleFunc("PATCH /api/session/{session}", s.payload("Session.UpdatePayload", renameSession))
		m.HandleFunc("GET /api/session/{session}/diff", s.plain(sessionDiff))
		m.HandleFunc("POST /api/session/{session}/view", s.payload("Session.ViewPayload", viewSession))
	}
	if s.opts.Shape == Preview || !s.opts.Unsure.ReleaseWait {
		m.HandleFunc("POST /api/session/{session}/wait", s.wait)
	}
	if s.opts.Shape == Release {
		m.HandleFunc("POST /api/experimental/session/{session}/wait", s.wait)
	}
}

func (s *web) promptRoutes(m *http.ServeMux) {
	m.HandleFunc("POST /api/session/{session}/prompt", s.payload("Session.PromptPayload", prompt))
	m.HandleFunc("POST /api/session/{session}/synthetic", s.payload("Session.SyntheticPayload", synthetic))
	m.HandleFunc("POST /api/session/{session}/command", s.payload("Session.CommandPayload", runCommand))
	m.HandleFunc("POST /api/session/{session}/shell", s.payload("Session.ShellPayload", runShell))
	if s.opts.Shape == Preview {
		m.HandleFunc("GET /api/session/{session}/pending", s.plain(pendingInputs))
		return
	}
	m.HandleFunc("GET /api/session/{session}/inbox", s.plain(pendingInputs))
	m.HandleFunc("DELETE /api/session/{session}/inbox/{input}", s.plain(deleteInput))
	m.HandleFunc("PATCH /api/session/{session}/inbox/{input}", s.payload("Session.InboxPayload", changeInput))
}

func (s *web) directoryRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/location", s.plain(location))
	m.HandleFunc("GET /api/agent", s.plain(listAgents))
	m.HandleFunc("GET /api/model", s.plain(listModels))
	m.HandleFunc("GET /api/provider", s.plain(listProviders))
	m.HandleFunc("GET /api/command", s.plain(listCommands))
	m.HandleFunc("GET /api/mcp", s.plain(listServers))
	m.HandleFunc("GET /api/vcs/status", s.plain(vcsStatus))
	m.HandleFunc("GET /api/vcs/diff", s.plain(vcsDiff))
}

// unknown is what a route that does not exist gives: 404 without a body (capture 01),
// or, with the options, a page or 405.
func (s *web) unknown(m *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.opts.Unsure.MethodNotAllowed && otherMethod(m, r):
			w.WriteHeader(http.StatusMethodNotAllowed)
		case s.opts.Unsure.WebUI && r.Method == http.MethodGet:
			inprocess.WriteHTML(w)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}
}

// otherMethod tells whether the path is known with another method.
func otherMethod(m *http.ServeMux, r *http.Request) bool {
	for _, method := range []string{"GET", "POST", "DELETE", "PATCH"} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := m.Handler(other); pattern != "/" {
			return true
		}
	}
	return false
}
