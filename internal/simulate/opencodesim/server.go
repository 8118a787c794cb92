package opencodesim

import (
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"hermes/internal/simulate/inprocess"
)

func (s *Simulator) routes() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /global/health", s.is.health)
	m.HandleFunc("GET /global/event", s.globalEvents)
	m.HandleFunc("GET /event", s.localEvents)
	m.HandleFunc("POST /instance/dispose", s.disposeRoute)
	m.HandleFunc("GET /path", s.pathRoute)
	m.HandleFunc("GET /project", s.projects)
	m.HandleFunc("GET /question", s.listQuestions)
	m.HandleFunc("POST /question/{id}/reply", s.replyQuestion)
	m.HandleFunc("POST /question/{id}/reject", s.rejectQuestion)
	m.HandleFunc("GET /permission", s.listPermissions)
	m.HandleFunc("POST /permission/{id}/reply", s.replyPermission)
	m.HandleFunc("POST /session/{session}/permissions/{id}", s.respondPermission)
	s.sessionRoutes(m)
	if s.is.modern {
		m.HandleFunc("GET /experimental/session", s.allSessions)
		s.v2Routes(m)
	}
	m.HandleFunc("/", s.is.unknownRoute)
	return m
}

func (s *Simulator) sessionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /session", s.listSessions)
	m.HandleFunc("POST /session", s.createSession)
	m.HandleFunc("GET /session/status", s.status)
	m.HandleFunc("GET /session/{session}", s.getSession)
	m.HandleFunc("PATCH /session/{session}", s.patchSession)
	m.HandleFunc("DELETE /session/{session}", s.deleteSession)
	m.HandleFunc("GET /session/{session}/children", s.childSessions)
	m.HandleFunc("GET /session/{session}/message", s.listMessages)
	m.HandleFunc("GET /session/{session}/message/{message}", s.getMessage)
	m.HandleFunc("POST /session/{session}/prompt_async", s.promptAsync)
	m.HandleFunc("POST /session/{session}/abort", s.abortSession)
	m.HandleFunc("POST /session/{session}/command", s.commandSession)
	m.HandleFunc("GET /session/{session}/todo", s.listTodos)
	m.HandleFunc("GET /agent", listAgents)
	m.HandleFunc("GET /command", listCommands)
	m.HandleFunc("GET /config/providers", listProviders)
}

// ServeHTTP serves one request of OpenCode's API. A stopped Simulator cuts the
// connection; Transport refuses it.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	life := s.alive()
	if life == nil {
		panic(http.ErrAbortHandler)
	}
	serve := func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, life) }
	fail := func(w http.ResponseWriter, _ *http.Request) { s.is.writeUnknownError(w) }
	if !s.faultFor(r).Serve(w, r, life, serve, fail) {
		serve(w, r)
	}
}

func (s *Simulator) alive() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.life
}

func (s *Simulator) serve(w http.ResponseWriter, r *http.Request, life <-chan struct{}) {
	select {
	case <-life:
		panic(http.ErrAbortHandler)
	default:
	}
	if !s.authorised(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="Secure Area"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if s.broken(r) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// broken reports whether the instance that the request is for was made too soon after a
// dispose; a request that comes so soon breaks it.
func (s *Simulator) broken(r *http.Request) bool {
	if s.opts.DisposeGap == 0 || strings.HasPrefix(r.URL.Path, "/global/") || r.URL.Path == "/instance/dispose" {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.instanceFor(r).broken
}

// authorised holds for every route when there is a password. Newer versions
// also take ?auth_token=<base64 of user:password>.
func (s *Simulator) authorised(r *http.Request) bool {
	if s.opts.Password == "" {
		return true
	}
	user, password, _ := r.BasicAuth()
	if token := r.URL.Query().Get("auth_token"); s.is.modern && token != "" {
		raw, _ := base64.StdEncoding.DecodeString(token)
		user, password, _ = strings.Cut(string(raw), ":")
	}
	got, want := user+":"+password, s.opts.Username+":"+s.opts.Password
	return subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}

// directory is the directory whose instance a request asks for: the query,
// else the header, else the server's own. OpenCode decodes percent signs in
// both once more than HTTP does.
func (s *Simulator) directory(r *http.Request) string {
	for _, dir := range []string{r.URL.Query().Get("directory"), r.Header.Get("X-Opencode-Directory")} {
		if dir == "" {
			continue
		}
		if decoded, err := url.PathUnescape(dir); err == nil {
			return decoded
		}
		return dir
	}
	return s.opts.Directory
}

func (is behaviour) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"healthy": true, "version": is.version})
}

func (s *Simulator) disposeRoute(w http.ResponseWriter, r *http.Request) {
	s.Dispose(s.directory(r))
	writeJSON(w, http.StatusOK, true)
}

// unknownRoute is what a route that does not exist gives: newer versions send
// the web application, 1.1.53 fails to fetch it.
func (is behaviour) unknownRoute(w http.ResponseWriter, _ *http.Request) {
	if is.modern {
		inprocess.WriteHTML(w)
		return
	}
	is.writeUnknownError(w)
}
