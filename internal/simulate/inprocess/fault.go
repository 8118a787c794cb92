package inprocess

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
	ServerError            // 500 as the server gives it, nothing happened
	Garbage                // 200 application/json that is no JSON, nothing happened
	HTMLPage               // 200 text/html, as from a route that does not exist; nothing happened
)

// Serve answers a request as the fault says and reports whether it did; without
// a fault the request is still to be served. The server serves what is to take
// effect, fail writes its 500. Life ends with the simulated process.
func (f Fault) Serve(w http.ResponseWriter, r *http.Request, life <-chan struct{}, server, fail http.HandlerFunc) bool {
	switch f {
	case NoFault:
		return false
	case FailBeforeEffect:
		panic(http.ErrAbortHandler)
	case FailAfterEffect:
		server(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case Hang:
		hang(r, life)
	case HangAfterEffect:
		server(httptest.NewRecorder(), r)
		hang(r, life)
	case ServerError:
		fail(w, r)
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `[{"id":"que_`)
	case HTMLPage:
		WriteHTML(w)
	}
	return true
}

// WriteHTML answers 200 with a page, as OpenCode's web application is served.
func WriteHTML(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html;charset=UTF-8")
	io.WriteString(w, "<!doctype html><html><head><title>OpenCode</title></head><body></body></html>")
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
