package link

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// refusal is the error of a request that is answered with a status and a sentence.
type refusal struct {
	status   int
	sentence string
}

func (r refusal) Error() string { return r.sentence }

// onLink finds the link that the path names. One that another token opened is as good as unknown.
func (h *Hub) onLink(serve func(http.ResponseWriter, *http.Request, *Link)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		l := h.links[r.PathValue("id")]
		h.mu.Unlock()
		if l == nil || l.hello.Token != tokenOf(r) {
			refuseUnknown(w)
			return
		}
		serve(w, r, l)
	}
}

func refuseUnknown(w http.ResponseWriter) {
	refuse(w, http.StatusGone, "hermes does not know this link any more; open it again")
}

// readBody reads all of a request's body, or answers why not.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return raw, true
	case errors.As(err, &tooLarge):
		refuseTooLarge(w)
	default:
		refuse(w, http.StatusBadRequest, "the body could not be read to its end")
	}
	return nil, false
}

// readJSON decodes a request's body into v, or answers why not.
func readJSON(w http.ResponseWriter, r *http.Request, v any) bool {
	raw, ok := readBody(w, r)
	if !ok {
		return false
	}
	if err := decode(raw, v); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return false
	}
	return true
}

// decode takes one JSON value. Its error does not repeat what was in it.
func decode(raw []byte, v any) error {
	if json.Unmarshal(raw, v) != nil {
		return errors.New("the body is not JSON of the expected form")
	}
	return nil
}

func isObject(raw []byte) bool {
	return json.Valid(raw) && bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{"))
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	// The only failure is a connection that has gone, and the plugin asks again.
	_ = json.NewEncoder(w).Encode(v)
}

// refuse answers with a status and one sentence.
func refuse(w http.ResponseWriter, status int, sentence string) {
	writeRefusal(w, status, map[string]string{"error": sentence})
}

func writeRefusal(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
