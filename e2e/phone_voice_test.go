//go:build e2e

package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// scribe is a server that takes the bytes of a sound file for what is said in it.
func scribe(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, _, err := r.FormFile("file")
		if err != nil || r.URL.Path != "/v1/audio/transcriptions" || r.FormValue("model") != "whisper-1" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		said, _ := io.ReadAll(file)
		_ = json.NewEncoder(w).Encode(map[string]string{"text": string(said)}) // what does not arrive is asked for again
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/v1"
}
