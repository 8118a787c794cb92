package opencode2sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"hermes/internal/simulate/inprocess"
)

// read decodes the body. An unsupported content type is a text for 415; what is no
// object is refused (section 3.3, capture 03).
func (r *request) read(name string) (text string, f *fail) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case len(raw) == 0:
		return "", invalid("Payload", "Expected "+name+", got undefined")
	case kind != "application/json":
		return "Unsupported content-type: " + kind, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if d.Decode(&r.body) != nil || d.More() {
		return "", invalid("Payload", "Invalid JSON: SyntaxError: JSON Parse error: Expected '}'")
	}
	if _, ok := r.body.(data); !ok {
		return "", invalid("Payload", "Expected "+name+", got "+show(r.body))
	}
	return "", nil
}

func (r *request) object() data {
	o, _ := r.body.(data)
	return o
}

// text is a string of the body.
func (r *request) text(key string, required bool) (string, *fail) {
	value, given := r.object()[key]
	text, ok := value.(string)
	switch {
	case !given && required:
		return "", missing(key)
	case !given, !required && value == nil:
		return "", nil
	case !ok:
		return "", expected("string", value, key)
	}
	return text, nil
}

func missing(path ...any) *fail { return invalid("Payload", "Missing key\n  at "+at(path)) }

func expected(want string, got any, path ...any) *fail {
	return invalid("Payload", fmt.Sprintf("Expected %s, got %s\n  at %s", want, show(got), at(path)))
}

func at(path []any) string {
	var b strings.Builder
	for _, p := range path {
		fmt.Fprintf(&b, "[%s]", inprocess.JSON(p))
	}
	return b.String()
}

func show(v any) string { return string(inprocess.JSON(v)) }

// prefixed refuses an id of another kind.
func prefixed(kind, prefix, value string, path ...any) *fail {
	if strings.HasPrefix(value, prefix) {
		return nil
	}
	return invalid(kind, fmt.Sprintf("Expected a string starting with %q, got %q\n  at %s", prefix, value, at(path)))
}

// session is the session that the path names.
func (r *request) session() (*session, *fail) {
	id := r.PathValue("session")
	if f := prefixed("Params", "ses", id, "sessionID"); f != nil {
		return nil, f
	}
	if ses := r.sim.disk.sessions[id]; ses != nil {
		return ses, nil
	}
	return nil, noSession(id)
}

// directory is the one that a request is about (section 1): as it stands in
// location[directory], or on Preview in a header, else the server's own. One that
// is relative or does not exist is answered 500 without a body. It is booted.
func (r *request) directory() (string, *fail) {
	dir := r.URL.Query().Get("location[directory]")
	if dir == "" && r.sim.opts.Shape == Preview {
		dir = r.Header.Get("X-Opencode-Directory")
	}
	if dir == "" {
		dir = r.sim.opts.Home
	}
	if !strings.HasPrefix(dir, "/") || slices.Contains(r.sim.opts.Missing, dir) {
		return "", &fail{status: http.StatusInternalServerError}
	}
	r.sim.runner.boot(dir)
	return dir, nil
}

// listed is the answer to a list of a directory.
func (r *request) listed(dir string, list any) (answer, *fail) {
	return ok(data{"location": r.sim.opts.location(dir), "data": list})
}

func wrapped(v any) (answer, *fail) { return ok(data{"data": v}) }
