package rig

import (
	"fmt"
	"strings"
	"time"
)

// Exchange is an ask as its program and a person live through it.
type Exchange struct {
	*Rig
	Path string
	Text strings.Builder // what went over HTTP, with the ask's id taken out
}

// HTTP is one call, written down.
func (e *Exchange) HTTP(method, path, body string) {
	e.T.Helper()
	code, answer := e.Request(method, path, body)
	if e.Path == "" {
		e.Path = "/v1/ask/" + answer[len(`{"id":"`):len(answer)-len("\"}\n")]
	}
	shown := func(s string) string { return strings.ReplaceAll(s, strings.TrimPrefix(e.Path, "/v1/ask/"), "ask_1") }
	fmt.Fprintf(&e.Text, "%s\n%d %s", strings.TrimSpace(method+" "+shown(path)+" "+body), code, shown(answer))
}

// Post asks, and waits until the phone shows it.
func (e *Exchange) Post(body string) {
	e.T.Helper()
	e.HTTP("POST", "/v1/ask", body)
	e.Wait(2 * time.Second)
}

// TapKey is something that the person does, which takes a moment.
func (e *Exchange) TapKey(tap string) {
	e.T.Helper()
	e.Tap(tap)
	e.Wait(2 * time.Second)
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
