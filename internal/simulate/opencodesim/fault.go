package opencodesim

import (
	"io"
	"net/http"
	"net/http/httptest"
)

// Fault is a way in which one HTTP request can go wrong.
type Fault int

// The faults. The word "effect" means what the request would have changed.
const (
	NoFault          Fault = iota
	FailBeforeEffect       // the connection is cut, nothing happened
	FailAfterEffect        // it happened, then the connection is cut without an answer
	Hang                   // nothing happens and no answer comes until the client gives up
	HangAfterEffect        // it happened, but no answer comes until the client gives up
	ServerError            // 500 with OpenCode's UnknownError, nothing happened
	Garbage                // 200 application/json that is no JSON, nothing happened
	HTMLPage               // 200 text/html, as from a route that does not exist; nothing happened
)

// SetFault installs the function that is asked for every request, before its
// authorisation is looked at; nil removes it. It may be called at any time and
// must be safe for concurrent use.
func (s *Simulator) SetFault(f func(*http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

func (s *Simulator) faultFor(r *http.Request) Fault {
	s.mu.Lock()
	f := s.fault
	s.mu.Unlock()
	if f == nil {
		return NoFault
	}
	return f(r)
}

// serveFault answers r as f says and reports whether it did; without a fault
// the request is still to be served. life ends with the simulated process.
func (s *Simulator) serveFault(w http.ResponseWriter, r *http.Request, f Fault, life <-chan struct{}) bool {
	switch f {
	case NoFault:
		return false
	case FailBeforeEffect:
		panic(http.ErrAbortHandler)
	case FailAfterEffect:
		s.serve(httptest.NewRecorder(), r, life)
		panic(http.ErrAbortHandler)
	case Hang:
		hang(r, life)
	case HangAfterEffect:
		s.serve(httptest.NewRecorder(), r, life)
		hang(r, life)
	case ServerError:
		s.is.writeUnknownError(w)
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `[{"id":"que_`)
	case HTMLPage:
		writeHTML(w, http.StatusOK)
	}
	return true
}

// hang returns never: it cuts the connection when the client or the simulated
// process is gone.
func hang(r *http.Request, life <-chan struct{}) {
	select {
	case <-r.Context().Done():
	case <-life:
	}
	panic(http.ErrAbortHandler)
}
