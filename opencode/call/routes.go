package call

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// Routes remembers of which calls a process has the other route, so that each is tried once.
// The zero value remembers none. It is safe for concurrent use; nil remembers nothing.
type Routes struct {
	mu    sync.Mutex
	other map[string]bool // by the calls' Op
}

func (r *Routes) prefersOther(op string) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.other[op]
}

func (r *Routes) prefer(op string, other bool) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.other == nil {
		r.other = map[string]bool{}
	}
	r.other[op] = other
}

// notFoundTag is how OpenCode 2 calls what is not there, behind what it is: FormNotFoundError.
// It says so only where it has the route.
const notFoundTag = "NotFoundError"

// wrongShapeTag is how OpenCode 2 calls a body or a query that it does not know.
const wrongShapeTag = "InvalidRequestError"

// lacksRoute reports whether an error says that the server does not have the route, or not with
// such a body. A preview of 2.0 answers 404 with an empty body to a route that it does not have
// (measured); the release has a web page there, with status 200 (by its source).
func lacksRoute(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case http.StatusNotFound:
		return len(e.Tag) <= len(notFoundTag) || !strings.HasSuffix(e.Tag, notFoundTag)
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	case http.StatusBadRequest:
		return e.Tag == wrongShapeTag
	}
	return e.Reason == NotOpenCode && e.Status < 300
}

// answered reports whether the call was answered by what has the route.
func answered(err error) bool {
	var e *Error
	return err == nil || errors.As(err, &e) && e.Tag != ""
}

// errorTag is what an error is called. It gets into logs, so that nothing else is taken.
var errorTag = regexp.MustCompile(`^[A-Za-z]{1,64}$`)

// tagOf is how OpenCode 2 calls the error in an answer; empty: it does not say.
func tagOf(body []byte) string {
	var named struct {
		Tag string `json:"_tag"`
	}
	if json.Unmarshal(body, &named) != nil || !errorTag.MatchString(named.Tag) {
		return ""
	}
	return named.Tag
}

// InvalidAnswerTag is what OpenCode 2 calls answers to a form that it does not take. The form waits on (measured on the
// preview of 2.0).
const InvalidAnswerTag = "FormInvalidAnswerError"

// maxSaid bounds what is kept of the words of an error, in bytes.
const maxSaid = 1000

// refusalIn is what OpenCode 2 says of answers to a form that it does not take.
func refusalIn(body []byte) string {
	var said struct {
		Message string `json:"message"`
	}
	if tagOf(body) != InvalidAnswerTag || json.Unmarshal(body, &said) != nil {
		return ""
	}
	return said.Message[:min(len(said.Message), maxSaid)]
}
