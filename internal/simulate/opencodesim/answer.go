package opencodesim

import (
	"fmt"
	"io"
	"net/http"
)

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(encode(v))
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	w.WriteHeader(status)
	io.WriteString(w, text)
}

// namedError is the error shape of newer versions, and of 1.1.53 for what is
// not a schema error.
type namedError struct {
	Name string            `json:"name"`
	Data map[string]string `json:"data"`
}

func (is behaviour) writeUnknownError(w http.ResponseWriter) {
	data := map[string]string{"message": "Error: Unable to connect. Is the computer able to access the url?"}
	if is.modern {
		data = map[string]string{"message": "Unexpected server error. Check server logs for details.", "ref": "err_00000000"}
	}
	writeJSON(w, http.StatusInternalServerError, namedError{"UnknownError", data})
}

// badRequest is a refused value on newer versions; kind is Params or Payload.
func badRequest(w http.ResponseWriter, kind, message string) {
	writeJSON(w, http.StatusBadRequest, namedError{"BadRequest", map[string]string{"message": message, "kind": kind}})
}

// zodIssue is one reason in the error shape of 1.1.53.
type zodIssue struct {
	Expected string `json:"expected"`
	Code     string `json:"code"`
	Path     []any  `json:"path"`
	Message  string `json:"message"`
}

func invalidType(want, got string, path ...any) zodIssue {
	return zodIssue{want, "invalid_type", path, fmt.Sprintf("Invalid input: expected %s, received %s", want, got)}
}

// writeZod is a refused value on 1.1.53.
func writeZod(w http.ResponseWriter, body any, issue zodIssue) {
	writeJSON(w, http.StatusBadRequest, map[string]any{"data": body, "error": []zodIssue{issue}, "success": false})
}

type requestNotFound struct {
	Tag       string `json:"_tag"`
	RequestID string `json:"requestID"`
	Message   string `json:"message"`
}

// notPending answers a reply to a request that the instance does not list:
// 404 on newer versions, the lie `200 true` on 1.1.53.
func (is behaviour) notPending(w http.ResponseWriter, kind, id string) {
	if !is.modern {
		writeJSON(w, http.StatusOK, true)
		return
	}
	writeJSON(w, http.StatusNotFound, requestNotFound{
		kind + "NotFoundError", id, fmt.Sprintf("%s request not found: %s", kind, id),
	})
}

func (is behaviour) sessionNotFound(w http.ResponseWriter, id string) {
	message := "Session not found: " + id
	if !is.modern {
		message = "Resource not found: session " + id
	}
	writeJSON(w, http.StatusNotFound, namedError{"NotFoundError", map[string]string{"message": message}})
}
