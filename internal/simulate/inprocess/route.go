package inprocess

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Answer is what a route says; without a body it has only a status. A route that
// panics with an Answer refuses the request with it.
type Answer struct {
	Status int
	Body   any
}

// Locked serves a route under a lock and writes its answer after that. The body of the
// request was read before.
func Locked(lock sync.Locker, route func(*http.Request) Answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		UnderLock(lock, r, route).Write(w)
	}
}

// UnderLock is what a route answers, encoded: what it is made of may change when the lock is free.
func UnderLock(lock sync.Locker, r *http.Request, route func(*http.Request) Answer) (a Answer) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	lock.Lock()
	defer lock.Unlock()
	defer func() {
		if a.Body != nil {
			a.Body = json.RawMessage(JSON(a.Body))
		}
	}()
	defer func() {
		switch v := recover().(type) {
		case nil:
		case Answer:
			a = v
		default:
			panic(v)
		}
	}()
	return route(r)
}

// Write sends the answer.
func (a Answer) Write(w http.ResponseWriter) {
	if a.Body == nil {
		w.WriteHeader(a.Status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.Status)
	w.Write(JSON(a.Body))
}

// Read decodes a JSON body and reports whether it is one and says so.
func Read(r *http.Request, into any) bool {
	return r.Header.Get("Content-Type") == "application/json" && decodes(r.Body, into)
}

// decodes reports whether all of a body is JSON of this form.
func decodes(body io.Reader, into any) bool {
	raw, err := io.ReadAll(body)
	return err == nil && json.Unmarshal(raw, into) == nil
}

// JSON is a value as JavaScript writes it: no HTML escapes, no line end. It
// panics on what is no JSON: stand-ins write only what they made.
func JSON(v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("simulator: " + err.Error())
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

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

// Serve serves a request of a process whose life is a channel that is closed when it
// ends, nil when it does not run: that cuts the connection. The function that may be there
// says what goes wrong; fail writes a 500.
func Serve(w http.ResponseWriter, r *http.Request, life <-chan struct{}, fault func(*http.Request) Fault, server, fail http.HandlerFunc) {
	if life == nil {
		panic(http.ErrAbortHandler)
	}
	f := NoFault
	if fault != nil {
		f = fault(r)
	}
	serve := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-life:
			panic(http.ErrAbortHandler)
		default:
			server(w, r)
		}
	}
	if !f.serve(w, r, life, serve, fail) {
		serve(w, r)
	}
}

// serve answers a request as the fault says and reports whether it did; without
// a fault the request is still to be served. The server serves what is to take
// effect, fail writes its 500. Life ends with the simulated process.
func (f Fault) serve(w http.ResponseWriter, r *http.Request, life <-chan struct{}, server, fail http.HandlerFunc) bool {
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
