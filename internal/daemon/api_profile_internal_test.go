package daemon

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A stop ends a profile of the processor, which is given as far as it is.
func TestProfile_EndsWithTheDaemon(t *testing.T) {
	req, w, ending := httptest.NewRequest(http.MethodGet, "/v1/profile/cpu", nil), httptest.NewRecorder(), make(chan struct{})
	req.RemoteAddr = "127.0.0.1:5000"
	req.SetPathValue("name", "cpu")
	close(ending)
	began := time.Now()
	profileAPI{ending}.getProfile(w, req)
	if took := time.Since(began); w.Code != http.StatusOK || w.Body.Len() == 0 || took > cpuProfileFor/2 {
		t.Errorf("%d with %d bytes, %v after the stop began", w.Code, w.Body.Len(), took)
	}
}
