package opencode2sim

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"time"

	"hermes/internal/simulate/inprocess"
)

// web is the HTTP server of a process.
type web struct {
	*process
	routes http.Handler
}

// ServeHTTP serves one request of OpenCode's API. A process that does not run cuts the
// connection; Transport refuses it.
func (s *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.disk.mu.Lock()
	life, fault := s.life, s.fault
	s.disk.mu.Unlock()
	if life == nil {
		panic(http.ErrAbortHandler)
	}
	f := inprocess.NoFault
	if fault != nil {
		f = fault(r)
	}
	serve := func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, life) }
	fail := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
	if !f.Serve(w, r, life, serve, fail) {
		serve(w, r)
	}
}

func (s *web) serve(w http.ResponseWriter, r *http.Request, life <-chan struct{}) {
	select {
	case <-life:
		panic(http.ErrAbortHandler)
	default:
	}
	if !s.authorised(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="Secure Area"`) // capture 01
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if status, code := s.unready(); status != 0 {
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		writeJSON(w, status, data{"code": code})
		return
	}
	s.routes.ServeHTTP(w, r)
}

// unready is how every route answers before and after the service does (section 1, [S]).
func (s *web) unready() (status int, code string) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	switch {
	case s.failed:
		return http.StatusInternalServerError, "service_failed"
	case s.closing:
		return http.StatusServiceUnavailable, "service_stopping"
	case time.Since(s.started) < s.opts.Boot:
		return http.StatusServiceUnavailable, "service_starting"
	}
	return 0, ""
}

// authorised holds for every route (section 1, capture 01): Basic with the user
// "opencode", or ?auth_token=base64(opencode:password).
func (s *web) authorised(r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	if token := r.URL.Query().Get("auth_token"); token != "" {
		raw, _ := base64.StdEncoding.DecodeString(token)
		user, password, _ = strings.Cut(string(raw), ":")
	}
	return user == "opencode" && password == s.opts.Password
}

// fail is an answer that is an error.
type fail struct {
	status int
	body   data
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(inprocess.JSON(v))
}

// tagged is an error as OpenCode writes it (section 3.3).
func tagged(status int, tag, message string, more data) *fail {
	body := data{"_tag": tag, "message": message}
	for key, value := range more {
		body[key] = value
	}
	return &fail{status, body}
}

// invalid is a request that does not have the form that it should; kind is Params,
// Query or Payload.
func invalid(kind, message string) *fail {
	return tagged(http.StatusBadRequest, "InvalidRequestError", message, data{"kind": kind})
}

func noSession(id string) *fail {
	return tagged(http.StatusNotFound, "SessionNotFoundError", "Session not found: "+id, data{"sessionID": id})
}

func noForm(id string) *fail {
	return tagged(http.StatusNotFound, "FormNotFoundError", "Form not found: "+id, data{"id": id})
}

func noPermission(id string) *fail {
	return tagged(http.StatusNotFound, "PermissionNotFoundError", "Permission request not found: "+id, data{"requestID": id})
}

// request is one request under the disk's lock.
type request struct {
	*http.Request
	sim  *process
	body any // decoded, of a route that takes one
}

// answer is what a route says; without a body it has only a status.
type answer struct {
	status int
	body   any
}

func ok(body any) (answer, *fail) { return answer{http.StatusOK, body}, nil }

func done() (answer, *fail) { return answer{status: http.StatusNoContent}, nil }

func no(f *fail) (answer, *fail) { return answer{}, f }

// route is what serves a request; it is called under the disk's lock.
type route func(*request) (answer, *fail)

// payload is a route with a JSON body, whose type errors call by this name. Of the names
// only Form.Reply was captured.
func (s *web) payload(name string, serve route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		req := &request{Request: r, sim: s.process}
		if text, f := req.read(name); text != "" {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusUnsupportedMediaType)
			io.WriteString(w, text)
			return
		} else if f != nil {
			writeJSON(w, f.status, f.body)
			return
		}
		s.answer(w, req, serve)
	}
}

func (s *web) plain(serve route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.answer(w, &request{Request: r, sim: s.process}, serve) }
}

func (s *web) answer(w http.ResponseWriter, req *request, serve route) {
	a, f := func() (answer, *fail) {
		s.disk.mu.Lock()
		defer s.disk.mu.Unlock()
		if s.life == nil {
			panic(http.ErrAbortHandler)
		}
		return serve(req)
	}()
	switch {
	case f != nil && f.body == nil:
		w.WriteHeader(f.status)
	case f != nil:
		writeJSON(w, f.status, f.body)
	case a.body == nil:
		w.WriteHeader(a.status)
	default:
		writeJSON(w, a.status, a.body)
	}
}
