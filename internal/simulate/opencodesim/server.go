package opencodesim

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"hermes/internal/simulate/inprocess"
)

func (s *Simulator) routes() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /global/event", s.events)
	m.HandleFunc("POST /session/{session}/command", s.commandSession) // which waits
	m.HandleFunc("/", s.is.unknownRoute)
	for pattern, route := range s.table() {
		m.HandleFunc(pattern, inprocess.Locked(&s.mu, route))
	}
	return m
}

func (s *Simulator) table() map[string]func(*http.Request) answer {
	table := map[string]func(*http.Request) answer{
		"GET /global/health":                       s.is.health,
		"POST /instance/dispose":                   s.disposeRoute,
		"GET /path":                                s.pathRoute,
		"GET /project":                             s.projects,
		"GET /question":                            s.listQuestions,
		"POST /question/{id}/reply":                s.replyQuestion,
		"POST /question/{id}/reject":               s.rejectQuestion,
		"GET /permission":                          s.listPermissions,
		"POST /permission/{id}/reply":              s.replyPermission,
		"GET /session":                             s.listSessions,
		"POST /session":                            s.createSession,
		"GET /session/status":                      s.status,
		"GET /session/{session}":                   s.getSession,
		"DELETE /session/{session}":                s.deleteSession,
		"GET /session/{session}/children":          s.childSessions,
		"GET /session/{session}/message":           s.listMessages,
		"GET /session/{session}/message/{message}": s.getMessage,
		"POST /session/{session}/prompt_async":     s.promptAsync,
		"POST /session/{session}/abort":            s.abortSession,
		"GET /session/{session}/todo":              s.listTodos,
		"GET /agent":                               listAgents,
		"GET /command":                             listCommands,
		"GET /config/providers":                    listProviders,
		"GET /config":                              s.config,
	}
	if s.is.modern {
		table["GET /experimental/session"] = s.allSessions
	}
	return table
}

// ServeHTTP serves one request of OpenCode's API. A stopped Simulator cuts the
// connection; Transport refuses it.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	life, fault := s.life, s.fault
	s.mu.Unlock()
	inprocess.Serve(w, r, life, fault, s.serve, func(w http.ResponseWriter, _ *http.Request) { s.is.unknownError().Write(w) })
}

func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) {
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

// authorised holds for every route when there is a password.
func (s *Simulator) authorised(r *http.Request) bool {
	if s.opts.Password == "" {
		return true
	}
	user, password, _ := r.BasicAuth()
	return user == "opencode" && password == s.opts.Password
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

func (is behaviour) health(*http.Request) answer {
	return ok(map[string]any{"healthy": true, "version": is.version})
}

func (s *Simulator) disposeRoute(r *http.Request) answer {
	s.dispose(s.instance(s.directory(r)))
	return ok(true)
}

// unknownRoute is what a route that does not exist gives: newer versions send
// the web application, 1.1.53 fails to fetch it.
func (is behaviour) unknownRoute(w http.ResponseWriter, _ *http.Request) {
	if is.modern {
		inprocess.WriteHTML(w)
		return
	}
	is.unknownError().Write(w)
}

// Fault is a way in which one HTTP request can go wrong.
type Fault = inprocess.Fault

// The faults, as package inprocess has them.
const (
	NoFault          = inprocess.NoFault
	FailBeforeEffect = inprocess.FailBeforeEffect
	FailAfterEffect  = inprocess.FailAfterEffect
	Hang             = inprocess.Hang
	HangAfterEffect  = inprocess.HangAfterEffect
	ServerError      = inprocess.ServerError
	Garbage          = inprocess.Garbage
	HTMLPage         = inprocess.HTMLPage
)

// SetFault installs the function that is asked for every request, before its
// authorisation is looked at; nil removes it. It may be called at any time and
// must be safe for concurrent use.
func (s *Simulator) SetFault(f func(*http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// InProcess serves requests as the client sends them that OpenCode gives to its plugins.
// Without Options.Apart that reaches what ServeHTTP reaches.
func (s *Simulator) InProcess() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), inProcess{}, true)))
	})
}

// inProcess marks the context of a request that InProcess got.
type inProcess struct{}

// instanceFor returns the instance that a request reaches.
func (s *Simulator) instanceFor(r *http.Request) *instance {
	dir := s.directory(r)
	if !s.opts.Apart || r.Context().Value(inProcess{}) == nil {
		return s.instance(dir)
	}
	key := s.is.directoryKey(dir)
	if s.apart[key] == nil {
		s.apart[key] = &instance{dir: key, busy: map[string]bool{}}
	}
	return s.apart[key]
}

// answer is what a route says. A route is served under the lock, and refuses a request by
// a panic with the answer.
type answer = inprocess.Answer

func ok(body any) answer { return answer{Status: http.StatusOK, Body: body} }

func done() answer { return answer{Status: http.StatusNoContent} }

// namedError is the error shape of newer versions, and of 1.1.53 for what is
// not a schema error.
type namedError struct {
	Name string            `json:"name"`
	Data map[string]string `json:"data"`
}

func (is behaviour) unknownError() answer {
	data := map[string]string{"message": "Error: Unable to connect. Is the computer able to access the url?"}
	if is.modern {
		data = map[string]string{"message": "Unexpected server error. Check server logs for details.", "ref": "err_00000000"}
	}
	return answer{Status: http.StatusInternalServerError, Body: namedError{"UnknownError", data}}
}

// invalid answers a body that is not as it should be. The words, which differ, matter to nobody.
func invalid() answer {
	return answer{Status: http.StatusBadRequest, Body: namedError{"BadRequest", map[string]string{"message": "Invalid body", "kind": "Payload"}}}
}

// read decodes a JSON body.
func read(r *http.Request, into any) {
	if !inprocess.Read(r, into) {
		panic(invalid())
	}
}

// answers reads {"answers": string[][]}.
func answers(r *http.Request) [][]string {
	var body struct{ Answers [][]string }
	if read(r, &body); body.Answers == nil {
		panic(invalid())
	}
	return body.Answers
}

// notPending answers a reply to a request that the instance does not list:
// 404 on newer versions, the lie `200 true` on 1.1.53.
func (is behaviour) notPending(kind, id string) answer {
	if !is.modern {
		return ok(true)
	}
	return answer{Status: http.StatusNotFound, Body: map[string]string{
		"_tag": kind + "NotFoundError", "requestID": id, "message": fmt.Sprintf("%s request not found: %s", kind, id),
	}}
}

func (is behaviour) sessionNotFound(id string) answer {
	message := "Session not found: " + id
	if !is.modern {
		message = "Resource not found: session " + id
	}
	return notFound(message)
}

func notFound(message string) answer {
	return answer{Status: http.StatusNotFound, Body: namedError{"NotFoundError", map[string]string{"message": message}}}
}
