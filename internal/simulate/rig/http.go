package rig

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/testenv"
)

// Questions is what GET /v1/questions gives.
func (r *Rig) Questions() []api.Question {
	r.T.Helper()
	code, body := r.Request("GET", "/v1/questions", "")
	var list struct{ Questions []api.Question }
	if err := json.Unmarshal([]byte(body), &list); err != nil || code != http.StatusOK || list.Questions == nil {
		r.T.Fatalf("the list is %d %s", code, body)
	}
	return list.Questions
}

// OpenQuestion is the only open question.
func (r *Rig) OpenQuestion() api.Question {
	r.T.Helper()
	list := r.Questions()
	if len(list) != 1 {
		r.T.Fatalf("%d questions are open", len(list))
	}
	return list[0]
}

// CallQuestion is GET or POST of one question; a body means POST.
func (r *Rig) CallQuestion(id question.ID, body string) (int, api.Question) {
	r.T.Helper()
	method := "GET"
	if body != "" {
		method = "POST"
	}
	code, text := r.Request(method, "/v1/questions/"+string(id), body)
	var q api.Question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		r.T.Errorf("%s is no JSON: %v", text, err)
	}
	return code, q
}

// ClosedQuestion is DatabaseQuestion without an answer in words.
func ClosedQuestion() opencode.Question {
	q := DatabaseQuestion()
	q.Custom = new(false)
	return q
}

// WantReady fails the test unless /readyz gives all of these reasons, or says that
// it is ready if there is none. It needs no token.
func (r *Rig) WantReady(reasons ...string) {
	r.T.Helper()
	code, text := r.Request("GET", "/readyz", "", "Authorization", "")
	want := http.StatusOK
	if len(reasons) > 0 {
		want = http.StatusServiceUnavailable
	}
	for _, reason := range reasons {
		if !strings.Contains(text, reason) {
			r.T.Errorf("/readyz lacks %q: %s", reason, text)
		}
	}
	if code != want {
		r.T.Errorf("/readyz is %d %s", code, text)
	}
}

const (
	AskDeploy = `{"title":"Release 1.4","questions":[{"question_id":"go","question":"Deploy to production?","header":"Deploy",
		"options":[{"id":"yes","label":"Yes, deploy"},{"id":"no","label":"No"},{"id":"cancel","label":"Stop the release"}]}]}`
	AnsweredYes = `{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["yes"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`
)

// Submit asks through the API, and waits until the phone shows it.
func (r *Rig) Submit(body string) (path string) {
	r.T.Helper()
	code, text := r.Request("POST", "/v1/ask", body)
	var got struct{ ID string }
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != http.StatusAccepted || !strings.HasPrefix(got.ID, "ask_") {
		r.T.Fatalf("asked: %d %s", code, text)
	}
	r.Wait(2 * time.Second)
	return "/v1/ask/" + got.ID
}

// WantResponse fails the test unless this is what the API says.
func (r *Rig) WantResponse(method, path string, status int, want string) {
	r.T.Helper()
	code, text := r.Request(method, path, "")
	if text = regexp.MustCompile(`:[0-9.]+Z"`).ReplaceAllString(text, `:…"`); code != status || strings.TrimSpace(text) != want {
		r.T.Errorf("%s %s: got %d %s, want %d %s", method, path, code, text, status, want)
	}
}

// Background runs in the background until the returned function waits for it.
func (r *Rig) Background(f func()) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return func() { <-done }
}

const (
	AskRegions = `{"questions":[{"question_id":"where","question":"Which regions?","allow_multiple":true,` +
		`"options":[{"id":"eu","label":"Europe"},{"id":"us","label":"America"},{"id":"ap","label":"Asia"}]}]}`
	AskSeveral = `{"title":"Release 1.4","questions":[` +
		`{"question_id":"go","header":"Deploy","question":"Deploy to production?","options":[{"id":"yes","label":"Yes, deploy"},{"id":"skip","label":"Not now"}]},` +
		`{"question_id":"notes","header":"Notes","question":"What shall the notes say?","allow_text":true}]}`
)

// AskDeployLine is AskDeploy on one line.
func AskDeployLine() string { return strings.ReplaceAll(AskDeploy, "\n\t\t", "") }

const (
	AskLeave = `{"title":"Claude Code: shop-api","directory":"/home/ada/src/shop-api","permission":{"kind":"bash",` +
		`"command":"rm -rf /srv # \u202ekcab\u200b","patterns":["rm -rf /srv # \u202ekcab\u200b"],"details":{"description":"clean up"}}}`
)

// Metrics is GET /metrics.
func (r *Rig) Metrics() string {
	r.T.Helper()
	code, text := r.Request("GET", "/metrics", "")
	if code != http.StatusOK {
		r.T.Errorf("GET /metrics gives %d %s", code, text)
	}
	if code, _ := r.Request("GET", "/metrics", "", "Authorization", ""); code != http.StatusUnauthorized {
		r.T.Errorf("GET /metrics without the token gives %d", code)
	}
	return text
}

// Samples is GET /metrics as values by series, spelled as there: with the labels in their order.
func (r *Rig) Samples() map[string]float64 {
	r.T.Helper()
	list := map[string]float64{}
	for line := range strings.Lines(r.Metrics()) {
		line = strings.TrimSuffix(line, "\n")
		i := strings.LastIndexByte(line, ' ')
		if strings.HasPrefix(line, "#") || i < 0 {
			continue
		}
		value, err := strconv.ParseFloat(line[i+1:], 64)
		if err != nil {
			r.T.Fatalf("%q is no sample", line)
		}
		list[line[:i]] = value
	}
	return list
}

var addressForm = regexp.MustCompile(`http://\S+/\?token=\S+`)

// PrintedAddress waits for the address of the page in the output of hermes try.
func PrintedAddress(t *testing.T, out *testenv.LockedBuffer, ended <-chan error) string {
	t.Helper()
	late := time.After(3 * time.Minute)
	for {
		if address := addressForm.FindString(out.String()); address != "" {
			return address
		}
		select {
		case err := <-ended:
			t.Fatalf("hermes try ended: %v\n%s", err, out.String())
		case <-late:
			t.Fatalf("hermes try prints no address:\n%s", out.String())
		case <-time.After(10 * time.Millisecond): // a process on the other side: there is nothing to wait on
		}
	}
}
