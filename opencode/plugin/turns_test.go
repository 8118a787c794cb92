package plugin_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"hermes/opencode/link"
)

var waitingAsk = link.Ask{Request: "que_1", Session: "ses_1", Message: "msg_2"}

// reply answers the ask over the link, if it certainly waits.
func reply(t *testing.T, l *link.Link) (doubt bool) {
	t.Helper()
	ctx := link.IfWaits(t.Context(), waitingAsk)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://opencode/question/que_1/reply", strings.NewReader(`{"answers":[["a"]]}`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := l.RoundTripper().RoundTrip(r)
	var failed *link.CallError
	switch {
	case err == nil && res.StatusCode == http.StatusOK:
		return false
	case errors.As(err, &failed) && failed.Doubt && !failed.Sent && !failed.Refused:
		return true
	}
	t.Fatalf("a reply that depends on an ask gave %v %v", res, err)
	return false
}

func (a *agent) replies() (n int) {
	a.t.Helper()
	for _, r := range a.requests() {
		if r.URL == "/question/que_1/reply" {
			n++
		}
	}
	return n
}

// The plugin is held to the table that hermes is held to for the servers that it reaches directly.
func TestTurns_AnAnswerIsSentOnlyToWhatCertainlyWaits(t *testing.T) {
	raw, err := os.ReadFile("../v1/testdata/turns.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name   string
		Events []struct {
			Type       string
			Properties map[string]any
		}
		Waits bool
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	sent := 0
	for _, c := range cases {
		a.event("session.error", map[string]any{}) // of no session: all turns end
		for _, e := range c.Events {
			a.event(e.Type, e.Properties)
		}
		if doubt := reply(t, l); doubt == c.Waits {
			t.Errorf("%s: the plugin is certain: %v", c.Name, !doubt)
		}
		if c.Waits {
			sent++
		}
	}
	if got := a.replies(); got != sent {
		t.Errorf("OpenCode got %d replies, want %d", got, sent)
	}
	a.exits()
}

// What the plugin knows does not depend on the link: hermes may have been away, and events may not have reached it.
func TestTurns_OutliveTheLink(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	begin(a)
	a.event("question.asked", map[string]any{"id": "que_1", "sessionID": "ses_1", "tool": map[string]any{"messageID": "msg_2", "callID": "call_1"}})
	for range 600 { // more than the queue holds
		a.event("session.status", map[string]any{"sessionID": "ses_2", "status": map[string]any{"type": "busy"}})
	}
	h.hub.Revoke("") // the plugin opens the link again
	l := receive(t, h.opened)
	if reply(t, l) {
		t.Error("the plugin forgot with its link that an ask waits")
	}
	a.event("session.status", map[string]any{"sessionID": "ses_1", "status": map[string]any{"type": "idle"}})
	if !reply(t, l) {
		t.Error("an answer was sent after the turn was stopped")
	}
	a.exits()
}

// A session may be deleted from another directory than its own.
func TestTurns_DeletedFromAnotherDirectory(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	a.do("init", "", "/elsewhere")
	receive(t, h.opened)
	a.do("instance", 0)
	a.hearsAsk()
	a.do("instance", 1)
	a.event("session.deleted", map[string]any{"info": map[string]any{"id": "ses_1"}})
	if !reply(t, l) {
		t.Error("an answer was sent to a session that was deleted")
	}
	a.exits()
}

// One certainty is good for one answer.
func TestTurns_AnAnswerIsSentOnce(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	a.hearsAsk()
	if reply(t, l) || !reply(t, l) {
		t.Errorf("OpenCode got %d replies, want one", a.replies())
	}
	a.exits()
}

func begin(a *agent) {
	a.t.Helper()
	a.event("session.status", map[string]any{"sessionID": "ses_1", "status": map[string]any{"type": "busy"}})
	a.event("message.updated", map[string]any{"sessionID": "ses_1", "info": map[string]any{"id": "msg_2", "role": "assistant", "agent": "plan"}})
}

// hermes need not read the message to learn who asks.
func TestTurns_TheEventSaysWhoAsks(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	begin(a)
	for message, want := range map[string]string{"msg_2": "plan", "msg_1": ""} {
		a.event("question.asked", map[string]any{"id": "que_1", "sessionID": "ses_1", "tool": map[string]any{"messageID": message}, "agent": "somebody"})
		var asked struct {
			Type       string
			Properties struct{ Agent string }
		}
		for asked.Type != "question.asked" {
			if err := json.Unmarshal([]byte(receive(t, h.events)), &asked); err != nil {
				t.Fatal(err)
			}
		}
		if asked.Properties.Agent != want {
			t.Errorf("of %s the event says that %q asks, want %q", message, asked.Properties.Agent, want)
		}
	}
	a.exits()
}

// A plugin of a version before 1.5.0 would make the call whatever the ask does.
func TestTurns_AnOlderPluginIsNotAsked(t *testing.T) {
	h := startHermes(t)
	res, err := h.Client().Do(must(t, h.URL+"/v1/link", `{"protocol":1,"instance":"i","process":"p","directory":"/d","complete":true}`))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	l := receive(t, h.opened)
	ctx, cancel := context.WithCancel(link.IfWaits(t.Context(), waitingAsk))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://opencode/question/que_1/reply", strings.NewReader(`{"answers":[["a"]]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.RoundTripper().RoundTrip(r)
	var failed *link.CallError
	if !errors.As(err, &failed) || !failed.Doubt || failed.Sent {
		t.Errorf("got %v", err)
	}
}

func must(t *testing.T, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}
