package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

// Call sends a JSON request to the server with directory Dir and returns the
// status and the body. A nil body sends none.
func (in *Instance) Call(method, path string, body any) (status int, answer []byte) {
	in.t.Helper()
	ctx, cancel := context.WithTimeout(in.t.Context(), patience)
	defer cancel()
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	req, err := http.NewRequestWithContext(ctx, method, in.URL+path+sep+"directory="+url.QueryEscape(in.Dir), encode(body))
	if err != nil {
		in.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := in.HTTP.Do(req)
	if err != nil {
		in.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	if err != nil {
		in.t.Fatal(err)
	}
	return resp.StatusCode, answer
}

func encode(body any) io.Reader {
	if body == nil {
		return nil
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic("lab: " + err.Error())
	}
	return bytes.NewReader(raw)
}

// NewSession makes a session over HTTP and returns its id.
func (in *Instance) NewSession(title string) string {
	in.t.Helper()
	status, raw := in.Call(http.MethodPost, "/session", map[string]string{"title": title})
	var session struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(raw, &session); err != nil || status != http.StatusOK {
		in.t.Fatalf("POST /session: %d %s", status, raw)
	}
	return session.ID
}

// Prompt sends a prompt in the script language of package model to a session
// over HTTP, or, in a TUI, types it and presses Enter; there the session is
// the one on the screen and the argument is ignored.
func (in *Instance) Prompt(session, text string) {
	in.t.Helper()
	if in.Mode == TUI {
		in.Type(text)
		in.awaitTyped(text)
		in.enter(text)
		return
	}
	status, raw := in.Call(http.MethodPost, "/session/"+session+"/prompt_async", map[string]any{
		"parts": []map[string]string{{"type": "text", "text": text}},
	})
	if status != http.StatusNoContent {
		in.t.Fatalf("prompt_async: %d %s", status, raw)
	}
}

// enter presses Enter until the model gets the text: a key that comes while the
// screen is being drawn may be lost (measured on 1.1.53).
func (in *Instance) enter(text string) {
	in.t.Helper()
	before, pressed := len(in.Model.Requests()), time.Time{}
	in.Eventually("the prompt is sent", func() bool {
		if slices.ContainsFunc(in.Model.Requests()[before:], func(r model.Request) bool { return has(r, text) }) {
			return true
		}
		if time.Since(pressed) > 5*time.Second {
			in.SendKeys("Enter")
			pressed = time.Now()
		}
		return false
	})
}

func has(r model.Request, text string) bool {
	return slices.ContainsFunc(r.Messages, func(m model.Message) bool { return strings.Contains(m.Text, text) })
}

// Eventually asks cond until it holds and fails the test with what when it
// does not in time. It is for what only polling can see: a screen, a list.
func (in *Instance) Eventually(what string, cond func() bool) {
	in.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if cond() {
			return
		}
		select {
		case <-in.t.Context().Done():
			in.t.Fatalf("%s: %v", what, in.t.Context().Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
	in.t.Fatalf("%s did not happen within %v", what, patience)
}
