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
		checks := voiceChecks(c, transport)
		if len(checks) != 1 || checks[0].Name != "voice" {
			t.Fatalf("%d checks", len(checks))
		}
		got := checks[0].Run(t.Context())[0]
		if got.Status != test.status || !strings.Contains(got.Detail, test.want) || strings.Contains(got.Detail, "canary") {
			t.Errorf("%d: %+v, want %s %q", test.code, got, test.status, test.want)
		}
	}
	if checks := voiceChecks(config.Config{}, nil); len(checks) != 0 {
		t.Errorf("%d checks without a server", len(checks))
	}
}
