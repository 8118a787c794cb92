package rig

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"time"
)

const (
	AskDeploy = `{"title":"Release 1.4","questions":[{"question_id":"go","question":"Deploy to production?","header":"Deploy",
		"options":[{"id":"yes","label":"Yes, deploy"},{"id":"no","label":"No"},{"id":"cancel","label":"Stop the release"}]}]}`
	AnsweredYes = `{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["yes"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`
	Aborted     = `{"status":"aborted","answers":[],"aborted_by":{"kind":"api"}}`
	StillOpen   = `{"status":"pending","answers":[],"deadline":"2000-01-01T00:30:…"}`
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
