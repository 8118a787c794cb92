package plugin_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// wordsIn is what an event says that the agent wrote before.
func wordsIn(t *testing.T, raw string) string {
	t.Helper()
	var e struct{ Properties struct{ Said string } }
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		t.Fatal(err)
	}
	return e.Properties.Said
}

// An ask takes along what its session's agent wrote last in this turn, and nothing else of what is written crosses.
func TestWords_AnAskTakesThemAlong(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	asks := func(session string) string {
		a.event("question.asked", map[string]any{"id": "que_1", "sessionID": session, "tool": map[string]any{"messageID": "msg_2", "callID": "call_1"}})
		return wordsIn(t, receive(t, h.events))
	}
	a.event("message.part.updated", part("prt_1", "ses_1", "text", `"text":"what the person wrote"`))
	a.event("message.part.updated", part("prt_2", "ses_1", "reasoning", `"text":"what it thinks","time":{"start":1,"end":2}`))
	if got := asks("ses_1"); got != "" {
		t.Errorf("before it has written: %q", got)
	}
	a.event("message.part.updated", part("prt_3", "ses_1", "text", `"text":"I need a database.","time":{"start":1,"end":2}`))
	a.event("message.part.updated", part("prt_4", "ses_1", "text", `"text":"","time":{"start":3}`))
	if got := asks("ses_1"); got != "I need a database." {
		t.Errorf("a question: %q", got)
	}
	a.event("message.part.delta", delta("prt_2", "ses_1", "thought"))
	a.event("message.part.delta", delta("prt_4", "ses_1", "I know "))
	a.event("message.part.delta", delta("prt_4", "ses_1", "of two."))
	if got := asks("ses_1"); got != "I know of two." {
		t.Errorf("a text that has not ended: %q", got)
	}
	a.event("message.part.updated", part("prt_4", "ses_1", "text", `"text":"I need a database.","time":{"start":3,"end":4}`))
	a.event("permission.asked", map[string]any{"id": "per_1", "sessionID": "ses_1", "permission": "bash"})
	if got := wordsIn(t, receive(t, h.events)); got != "I need a database." {
		t.Errorf("a permission: %q", got)
	}
	a.do("tool.execute.before", map[string]any{"tool": "question", "sessionID": "ses_1", "callID": "call_1"}, map[string]any{"args": map[string]any{"questions": []any{}}})
	if got := wordsIn(t, receive(t, h.events)); got != "I need a database." {
		t.Errorf("a call: %q", got)
	}
	if got := asks("ses_2"); got != "" {
		t.Errorf("another session: %q", got)
	}
	a.event("message.part.updated", part("prt_5", "ses_1", "text", `"text":"`+strings.Repeat("x", 5000)+`end","time":{"start":1,"end":2}`))
	if got := asks("ses_1"); utf8.RuneCountInString(got) != 1200 || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "end") {
		t.Errorf("a long text: %q", got)
	}
	a.event("session.idle", map[string]any{"sessionID": "ses_1"})
	receive(t, h.events)
	if got := asks("ses_1"); got != "" {
		t.Errorf("in the next turn: %q", got)
	}
	a.exits()
}
