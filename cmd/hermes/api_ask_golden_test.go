package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

// exchange is an ask as its program and a person live through it.
type exchange struct {
	*rig
	path string
	text strings.Builder // what went over HTTP, with the ask's id taken out
}

// http is one call, written down.
func (e *exchange) http(method, path, body string) {
	e.t.Helper()
	code, answer := e.request(method, path, body)
	if e.path == "" {
		e.path = "/v1/ask/" + answer[len(`{"id":"`):len(answer)-len("\"}\n")]
	}
	shown := func(s string) string { return strings.ReplaceAll(s, strings.TrimPrefix(e.path, "/v1/ask/"), "ask_1") }
	fmt.Fprintf(&e.text, "%s\n%d %s", strings.TrimSpace(method+" "+shown(path)+" "+body), code, shown(answer))
}

func (e *exchange) post(body string) {
	e.t.Helper()
	e.http("POST", "/v1/ask", body)
	e.wait(2 * time.Second)
}

// does is something that the person does, which takes a moment.
func (e *exchange) does(tap string) {
	e.t.Helper()
	e.tap(tap)
	e.wait(2 * time.Second)
}

const (
	askRegions = `{"questions":[{"question_id":"where","question":"Which regions?","allow_multiple":true,` +
		`"options":[{"id":"eu","label":"Europe"},{"id":"us","label":"America"},{"id":"ap","label":"Asia"}]}]}`
	askSeveral = `{"title":"Release 1.4","questions":[` +
		`{"question_id":"go","header":"Deploy","question":"Deploy to production?","options":[{"id":"yes","label":"Yes, deploy"},{"id":"skip","label":"Not now"}]},` +
		`{"question_id":"notes","header":"Notes","question":"What shall the notes say?","allow_text":true}]}`
)

// exchanges are the examples of the protocol.
func exchanges() map[string]func(*exchange) {
	return map[string]func(*exchange){
		"single": func(e *exchange) { e.post(askDeployLine()); e.does("1.") },
		"multiple": func(e *exchange) {
			e.post(askRegions)
			e.does("☐ 1.")
			e.does("☐ 3.")
			e.does("✅ Done")
		},
		"several": func(e *exchange) {
			e.post(askSeveral)
			e.does("1.")
			e.say("Faster, and <b>no</b> new bugs", e.last().ID)
			e.does("✅ Send")
		},
		"typed":     func(e *exchange) { e.post(askRegions); e.say("US, 3", e.last().ID) },
		"cancelled": func(e *exchange) { e.post(askDeployLine()); e.does("3.") },
		"dismissed": func(e *exchange) { e.post(askDeployLine()); e.does("🚫") },
		"withdrawn": func(e *exchange) { e.post(askDeployLine()); e.http("DELETE", e.path, ""); e.wait(2 * time.Second) },
		"context": func(e *exchange) {
			e.post(strings.Replace(askDeployLine(), `{"title"`, `{"context":"12 of 12 tests passed.","ttl":"5m","on_timeout":"accept-first","chats":[42],"title"`, 1))
			e.wait(6 * time.Minute)
		},
		"cancelled-midway": func(e *exchange) { e.post(askSeveral); e.does("2.") },
		"expired":          func(e *exchange) { e.post(askDeployLine()); e.wait(31 * time.Minute) },
		"unknown-ids": func(e *exchange) {
			e.post(askRegions)
			e.say("eu, mars", e.last().ID)
		},
		"asked-again": func(e *exchange) {
			e.post(askRegions)
			e.say("Mars", e.last().ID)
			e.http("GET", e.path, "")
			e.say("Asia", e.last().ID)
		},
	}
}

func askDeployLine() string { return strings.ReplaceAll(askDeploy, "\n\t\t", "") }

// What went over HTTP, and below it what the chat showed, held against testdata.
func TestAskExchanges(t *testing.T) {
	all := exchanges()
	maps.Copy(all, permissionExchanges())
	for name, play := range all {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &exchange{rig: newRig(t, opencode.VersionNew, nil)}
				defer e.end()
				play(e)
				e.http("GET", e.path+"?wait=30s", "")
				holdAsk(t, name+".txt", e.text.String()+"\n"+e.telegram.History(ada))
			})
		})
	}
}

func holdAsk(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "asks", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("it reads differently now, %v; look at it and run with -update if it is right:\n%s", err, got)
	}
}
