package v2_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/session"
	v2 "hermes/opencode/v2"
	"hermes/opencode/wire"
)

// What people see of a turn with a shell call and a text, in OpenCode's own order (capture 05).
func TestSpeech(t *testing.T) {
	const head = `"sessionID":"ses_1","assistantMessageID":"msg_1"`
	tool := session.StreamChunk{Message: "msg_1", Part: "call_1", Tool: "shell"}
	titled, ended := tool, tool
	titled.Title, ended.Title, ended.Ended = "make", "make", true
	text := func(s string) *session.StreamChunk {
		return &session.StreamChunk{Message: "msg_1", Part: "text-1", Text: s}
	}
	for _, key := range []string{"callID", "id"} { // the preview, the release
		speech := v2.NewSpeech(func(id session.ID) bool { return id == "ses_1" })
		call := `"` + key + `":"call_1"`
		for _, step := range []struct {
			event string
			want  *session.StreamChunk
		}{
			{`session.tool.input.started {` + head + `,` + call + `,"name":"shell"}`, &tool},
			{`session.tool.input.delta {` + head + `,` + call + `,"delta":"{\"command\""}`, nil},
			{`session.tool.input.ended {` + head + `,` + call + `,"text":"{\"command\":\"make\"}"}`, nil},
			{`session.tool.called {` + head + `,` + call + `,"input":{"command":"make\nall"},"executed":false}`, &titled},
			{`session.tool.success {` + head + `,` + call + `,"structured":{},"content":[]}`, &ended},
			{`session.tool.success {` + head + `,` + call + `,"structured":{},"content":[]}`, nil},
			{`session.text.started {` + head + `,"ordinal":1}`, nil},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":"done"}`, text("done")},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":""}`, nil},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":": all"}`, text("done: all")},
			{`session.text.ended {` + head + `,"ordinal":1,"text":"done: all"}`, nil},
			{`session.text.ended {` + head + `,"ordinal":1,"text":"done: all of it"}`, text("done: all of it")},
			{`session.text.delta {"sessionID":"ses_2","assistantMessageID":"msg_1","ordinal":1,"delta":"x"}`, nil},
			{`session.execution.succeeded {"sessionID":"ses_1"}`, nil},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":"new"}`, text("new")},
			{`session.tool.failed {` + head + `,` + call + `}`, nil}, // which tool is not known
		} {
			kind, data, _ := strings.Cut(step.event, " ")
			id, got, ok := speech.Hear(wire.Event{Type: kind, Properties: json.RawMessage(data)})
			if ok != (step.want != nil) || ok && (id != "ses_1" || !reflect.DeepEqual(got, *step.want)) {
				t.Errorf("%s says %+v, %v", step.event, got, ok)
			}
		}
	}
}

// A long text is shown from its end.
func TestSpeech_LongText(t *testing.T) {
	speech := v2.NewSpeech(func(session.ID) bool { return true })
	var last session.StreamChunk
	for _, letter := range []string{"a", "ä", "ö"} {
		data, err := json.Marshal(map[string]any{"sessionID": "ses_1", "assistantMessageID": "msg_1", "delta": strings.Repeat(letter, session.MaxStreamChunk/3)})
		if err != nil {
			t.Fatal(err)
		}
		_, last, _ = speech.Hear(wire.Event{Type: "session.text.delta", Properties: data})
	}
	if len(last.Text) > session.MaxStreamChunk || !strings.HasPrefix(last.Text, "…ä") || !strings.HasSuffix(last.Text, "ö") {
		t.Errorf("%d bytes are shown, %q…", len(last.Text), last.Text[:10])
	}
}

// Pieces of sessions that nobody follows are not even decoded; nothing else is left out.
func TestSpeech_Skips(t *testing.T) {
	speech := v2.NewSpeech(func(id session.ID) bool { return id == "ses_followed" })
	skipped := map[string]bool{}
	for line := range lines(captured(t, "events.jsonl")) {
		var e struct{ Type string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if speech.Skips(string(line)) {
			skipped[e.Type] = true
		}
		if speech.Skips(strings.ReplaceAll(string(line), `"sessionID":"ses_`, `"sessionID":"ses_followed","x":"`)) {
			t.Errorf("%s of a followed session is skipped", e.Type)
		}
	}
	if want := map[string]bool{"session.text.delta": true, "session.tool.input.delta": true}; !reflect.DeepEqual(skipped, want) {
		t.Errorf("skipped %v, want %v", skipped, want)
	}
}
