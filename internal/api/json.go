package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// MaxAnswer bounds the body of an answer.
const MaxAnswer = 1 << 20

// Decode reads one JSON value, and fails for fields that it does not know and for a second
// value. A body that http.MaxBytesReader cut off is an *http.MaxBytesError.
func Decode(body io.Reader, into any) error {
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	_, err := decoder.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return errors.Join(err, errors.New("there is more than one value"))
}

// Refuse answers with {"error":"a sentence"}.
func Refuse(w http.ResponseWriter, status int, sentence string) {
	Reply(w, status, map[string]string{"error": sentence})
}

// Reply answers with a JSON value, which nobody may keep.
func Reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the caller is gone if this fails
}
