package opencode2sim

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"hermes/internal/simulate/inprocess"
)

// ServeHTTP serves one request of OpenCode's API. A process that does not run cuts the
// connection; Transport refuses it.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.disk.mu.Lock()
	life, fault := s.life, s.fault
	s.disk.mu.Unlock()
	fail := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
	inprocess.Serve(w, r, life, fault, s.serve, fail)
}

func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) {
	if !s.authorised(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="Secure Area"`) // capture 01
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if status, code := s.unready(); status != 0 {
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		answer{Status: status, Body: data{"code": code}}.Write(w)
		return
	}
	s.routes.ServeHTTP(w, r)
}

// unready is how every route answers before and after the service does (section 1, [S]).
func (s *Simulator) unready() (status int, code string) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	switch {
	case s.bootFailed:
		return http.StatusInternalServerError, "service_failed"
	case s.closing:
		return http.StatusServiceUnavailable, "service_stopping"
	case time.Since(s.started) < s.opts.Boot:
		return http.StatusServiceUnavailable, "service_starting"
	}
	return 0, ""
}

// authorised holds for every route: Basic with the user "opencode" (section 1, capture 01).
func (s *Simulator) authorised(r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	return user == "opencode" && password == s.opts.Password
}

// answer is what a route says.
type answer = inprocess.Answer

// tagged is an error as OpenCode writes it (section 3.3).
func tagged(status int, tag, message string, more data) answer {
	body := data{"_tag": tag, "message": message}
	for key, value := range more {
		body[key] = value
	}
	return answer{Status: status, Body: body}
}

// invalid is a request that does not have the form that it should. The words, which
// name what is wrong, matter to nobody.
func invalid() answer {
	return tagged(http.StatusBadRequest, "InvalidRequestError", "Invalid request", nil)
}

func noSession(id string) answer {
	return tagged(http.StatusNotFound, "SessionNotFoundError", "Session not found: "+id, data{"sessionID": id})
}

func noForm(id string) answer {
	return tagged(http.StatusNotFound, "FormNotFoundError", "Form not found: "+id, data{"id": id})
}

func noPermission(id string) answer {
	return tagged(http.StatusNotFound, "PermissionNotFoundError", "Permission request not found: "+id, data{"requestID": id})
}

// request is one request under the disk's lock.
type request struct {
	*http.Request
	sim  *Simulator
	body data // decoded, of a route that takes one
}

func ok(body any) answer { return answer{Status: http.StatusOK, Body: body} }

func done() answer { return answer{Status: http.StatusNoContent} }

// route is what serves a request, under the disk's lock; it refuses one by a panic with the answer.
type route func(*request) answer

// payload is a route with a JSON body.
func (s *Simulator) payload(serve route) http.HandlerFunc {
	return s.plain(func(r *request) answer {
		if !inprocess.Read(r.Request, &r.body) {
			panic(invalid())
		}
		return serve(r)
	})
}

func (s *Simulator) plain(serve route) http.HandlerFunc {
	return inprocess.Locked(&s.disk.mu, func(r *http.Request) answer {
		if s.life == nil {
			panic(http.ErrAbortHandler)
		}
		return serve(&request{Request: r, sim: s})
	})
}

// text is a string of the body.
func (r *request) text(key string, required bool) string {
	value, given := r.body[key]
	text, ok := value.(string)
	if given && value != nil && !ok || required && !ok {
		panic(invalid())
	}
	return text
}

// prefixed refuses an id of another kind.
func prefixed(prefix, value string) {
	if !strings.HasPrefix(value, prefix) {
		panic(invalid())
	}
}

// ownID is the id that a client chose for what it makes; it may have none.
func (r *request) ownID(prefix string) string {
	id := r.text("id", false)
	if id != "" {
		prefixed(prefix, id)
	}
	return id
}

// session is the session that the path names.
func (r *request) session() *session {
	id := r.PathValue("session")
	prefixed("ses", id)
	if ses := r.sim.disk.sessions[id]; ses != nil {
		return ses
	}
	panic(noSession(id))
}

// directory is the one that a request is about (section 1): as it stands in
// location[directory], or on Preview in a header, else the server's own. One that
// is relative or does not exist is answered 500 without a body. It is booted.
func (r *request) directory() string {
	dir := r.URL.Query().Get("location[directory]")
	if dir == "" && r.sim.opts.Shape == Preview {
		dir = r.Header.Get("X-Opencode-Directory")
	}
	if dir == "" {
		dir = r.sim.opts.Home
	}
	if !strings.HasPrefix(dir, "/") || slices.Contains(r.sim.opts.Missing, dir) {
		panic(answer{Status: http.StatusInternalServerError})
	}
	r.sim.boot(dir)
	return dir
}

// listed is the answer to a list of a directory.
func (r *request) listed(dir string, list any) answer {
	return ok(data{"location": r.sim.opts.location(dir), "data": list})
}

func wrapped(v any) answer { return ok(data{"data": v}) }

// handler is the table of routes of the shape (sections 1 and 3.2 to 5).
func (s *Simulator) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /api/event", s.listen)
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

func (s *Simulator) formRoutes(m *http.ServeMux) {
	const form = "/api/session/{session}/form/{form}"
	m.HandleFunc("GET /api/session/{session}/form", s.plain(listForms))
	m.HandleFunc("POST /api/session/{session}/form", s.payload(createForm))
	m.HandleFunc("GET "+form, s.plain(getForm))
	m.HandleFunc("POST "+form+"/reply", s.payload(replyForm))
	if s.opts.Shape == Preview {
		m.HandleFunc("GET /api/form/request", s.plain(directoryForms))
		m.HandleFunc("GET "+form+"/state", s.plain(formState))
		m.HandleFunc("POST "+form+"/cancel", s.plain(cancelForm))
		return
	}
	m.HandleFunc("GET /api/form", s.plain(directoryForms))
	m.HandleFunc("DELETE "+form, s.plain(cancelForm))
}

func (s *Simulator) permissionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/permission/request", s.plain(directoryPermissions))
	m.HandleFunc("GET /api/session/{session}/permission", s.plain(listPermissions))
	m.HandleFunc("GET /api/session/{session}/permission/{request}", s.plain(getPermission))
	m.HandleFunc("POST /api/session/{session}/permission/{request}/reply", s.payload(replyPermission))
}

func (s *Simulator) sessionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/session", s.plain(listSessions))
	m.HandleFunc("POST /api/session", s.payload(createSession))
	m.HandleFunc("GET /api/session/active", s.plain(activeSessions))
	m.HandleFunc("GET /api/session/{session}", s.plain(getSession))
	m.HandleFunc("DELETE /api/session/{session}", s.plain(deleteSession))
	m.HandleFunc("POST /api/session/{session}/agent", s.payload(selectAgent))
	m.HandleFunc("POST /api/session/{session}/model", s.payload(selectModel))
	m.HandleFunc("POST /api/session/{session}/interrupt", s.plain(interruptSession))
	m.HandleFunc("GET /api/session/{session}/message", s.plain(listMessages))
	m.HandleFunc("GET /api/session/{session}/message/{message}", s.plain(getMessage))
	if s.opts.Shape == Release {
		m.HandleFunc("GET /api/session/{session}/diff", s.plain(sessionDiff))
	}
}

func (s *Simulator) promptRoutes(m *http.ServeMux) {
	m.HandleFunc("POST /api/session/{session}/prompt", s.payload(prompt))
	m.HandleFunc("POST /api/session/{session}/command", s.payload(runCommand))
	if s.opts.Shape == Preview {
		m.HandleFunc("GET /api/session/{session}/pending", s.plain(pendingInputs))
		return
	}
	m.HandleFunc("GET /api/session/{session}/inbox", s.plain(pendingInputs))
}

func (s *Simulator) directoryRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/agent", s.plain(listAgents))
	m.HandleFunc("GET /api/model", s.plain(listModels))
	m.HandleFunc("GET /api/command", s.plain(listCommands))
	m.HandleFunc("GET /api/vcs/diff", s.plain(vcsDiff))
}

// unknown is what a route that does not exist gives: 404 without a body (capture 01),
// or, with the options, a page or 405.
func (s *Simulator) unknown(m *http.ServeMux) http.HandlerFunc {
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

// health is Preview's (section 1, capture 01).
func health(r *request) answer {
	return ok(data{"healthy": true, "version": r.sim.opts.Version, "pid": r.sim.pid})
}

// info is Release's (section 10).
func info(r *request) answer {
	return ok(data{
		"version": r.sim.opts.Version, "pid": r.sim.pid, "urls": []string{r.sim.opts.URL},
		"paths": data{"tmp": "/tmp/opencode"},
	})
}
