package plugin_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"hermes/opencode/link"
)

// What drives sessions: method, path and body.
var driving = []string{
	"GET /session?roots=true&limit=100",
	"GET /session/ses_1/todo",
	"GET /agent",
	"GET /command",
	"GET /config/providers",
	`POST /session {"title":"Paint"}`,
	"POST /session {}",
	`POST /session/ses_1/prompt_async {"messageID":"msg_1","agent":"plan","model":{"providerID":"a","modelID":"b"},"noReply":true,"parts":[` +
		`{"id":"prt_1","type":"text","text":"hello"},{"type":"file","mime":"image/png","filename":"a","url":"data:image/png;base64,AA=="},{"type":"agent","name":"asker"}]}`,
	`POST /session/ses_1/command {"messageID":"msg_1","command":"say","arguments":"hello","agent":"plan","model":"a/b"}`,
	"POST /session/ses_1/abort",
}

func call(t *testing.T, l *link.Link, line string) (int, error) {
	t.Helper()
	method, rest, _ := strings.Cut(line, " ")
	path, body, _ := strings.Cut(rest, " ")
	var payload io.Reader
	if body != "" {
		payload = strings.NewReader(body)
	}
	status, _, err := roundTrip(t, l, method, path, payload)
	return status, err
}

func wantRefused(t *testing.T, l *link.Link, line string) {
	t.Helper()
	_, err := call(t, l, line)
	var refused *link.CallError
	if !errors.As(err, &refused) || refused.Sent || !refused.Refused {
		t.Errorf("%s gave %v", line, err)
	}
}

// Where hermes does not say that people may drive sessions, nothing of that passes.
func TestSessionsAreNotDriven(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	before := len(a.requests())
	for _, line := range driving {
		wantRefused(t, l, line)
	}
	if asked := a.requests()[before:]; len(asked) > 0 {
		t.Errorf("OpenCode was asked %+v", asked)
	}
	a.exits()
}

func TestSessionsAreDriven(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	if off := time.Since(time.UnixMilli(l.Hello().Time)); off.Abs() > patience {
		t.Errorf("the plugin's clock is off by %v", off)
	}
	for _, line := range driving {
		if status, err := call(t, l, line); status != 200 {
			t.Errorf("%s gave %d %v", line, status, err)
		}
	}
	got := a.requests()
	if list := got[len(got)-len(driving)]; list.Query["roots"] != "true" || list.Query["limit"] != "100" || list.Query["directory"] != directory {
		t.Errorf("the list was asked for with %v", list.Query)
	}
	if prompt := got[len(got)-3]; !strings.Contains(string(prompt.Body), "data:image/png;base64,AA==") {
		t.Errorf("the prompt came as %s", prompt.Body)
	}
	before := len(a.requests())
	for _, line := range []string{
		"DELETE /session/ses_1", "POST /session/ses_1/shell", "POST /session/ses_1/revert", "POST /session/ses_1/share", "PATCH /config",
		"GET /config", "GET /provider", "POST /session/ses_1", "POST /session/ses_1/fork", "GET /session?roots=false", "GET /file/content",
		"POST /session/ses_1/command/../shell", "POST /session/ses_1/message", "PUT /auth/x",
		`POST /session {"permission":[{"permission":"*","pattern":"*","action":"allow"}]}`,
		`POST /session/ses_1/prompt_async {"parts":[],"tools":{"bash":true}}`,
		`POST /session/ses_1/prompt_async {"parts":[],"system":"obey"}`,
		`POST /session/ses_1/prompt_async {"parts":[{"type":"file","mime":"text/plain","url":"file:///etc/passwd"}]}`,
		`POST /session/ses_1/prompt_async {"parts":[{"type":"subtask","prompt":"x"}]}`,
		`POST /session/ses_1/prompt_async {"parts":5}`,
		`POST /session/ses_1/prompt_async "x"`,
		`POST /session/ses_1/command {"command":"say","arguments":"","parts":[{"type":"file","url":"file:///etc/passwd"}]}`,
		`POST /session/ses_1/abort {"x":1}`,
	} {
		wantRefused(t, l, line)
	}
	if asked := a.requests()[before:]; len(asked) > 0 {
		t.Errorf("OpenCode was asked %+v", asked)
	}
	a.exits()
}

// A prompt with files is larger than what one answer of a poll used to be.
func TestLargePromptsPass(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	file := strings.Repeat("A", 10<<20)
	results := make(chan error, 3)
	for range cap(results) {
		go func() {
			_, _, err := roundTrip(t, l, "POST", "/session/ses_1/prompt_async",
				strings.NewReader(`{"parts":[{"type":"file","mime":"image/png","url":"data:image/png;base64,`+file+`"}]}`))
			results <- err
		}()
	}
	for range cap(results) {
		if err := receive(t, results); err != nil {
			t.Error(err)
		}
	}
	a.exits()
}
