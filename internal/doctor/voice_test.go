package doctor

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
)

func TestDoctor_TranscriptionServer(t *testing.T) {
	for _, test := range []struct {
		code   int
		status grade
		want   string
	}{
		{200, gradeOK, "https://stt.test/v1 answers"},
		{404, gradeOK, "https://stt.test/v1 answers"},
		{401, gradeWarn, "refuses the key"},
		{400, gradeWarn, "HTTP 400"},
	} {
		c := config.Config{STTURL: "https://stt.test/v1", STTKey: "stt-canary", STTModel: "whisper-1"}
		transport := rig.RoundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: test.code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("stt-canary"))}, nil
		})
		got := checkVoice(t.Context(), c, transport)
		if got.Status != test.status || !strings.Contains(got.Detail, test.want) || strings.Contains(got.Detail, "canary") {
			t.Errorf("%d: %+v, want %s %q", test.code, got, test.status, test.want)
		}
	}
	if got := checkVoice(t.Context(), config.Config{}, nil); got.Status != "" {
		t.Errorf("without a server it says %+v", got)
	}
}
