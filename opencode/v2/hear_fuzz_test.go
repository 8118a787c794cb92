package v2_test

import (
	"encoding/json"
	"testing"

	"hermes/internal/event"
	"hermes/internal/session"
	v2 "hermes/opencode/v2"
	"hermes/opencode/wire"
)

// Whatever an OpenCode says: an ask has an id and a session's end has a session, and what is
// shown of a text has its bound.
func FuzzProtocol_Hear(f *testing.F) {
	for line := range lines(captured(f, "events.jsonl")) {
		f.Add(line)
	}
	for line := range lines(captured(f, "forms.jsonl")) {
		f.Add(line)
	}
	speech := v2.NewSpeech(func(session.ID) bool { return true })
	f.Fuzz(func(t *testing.T, line []byte) {
		var frame struct {
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal(line, &frame) != nil {
			return
		}
		e := wire.Event{Type: frame.Type, Properties: frame.Data}
		said, _ := v2.Protocol{}.Hear(e)
		for _, one := range said {
			switch {
			case one.Kind == event.Asked && (len(one.Asks) != 1 || one.Asks[0].Request.ID == "" || one.Asks[0].Request.Protocol != session.V2),
				one.Kind == event.Replied && len(one.Answers) > 1000,
				one.Kind != event.Touched && one.Kind != event.Asked && one.Kind != event.Replied && one.Kind != event.Rejected && one.Session == "":
				t.Errorf("%s says %+v", line, one)
			}
		}
		if _, chunk, ok := speech.Hear(e); ok && (len(chunk.Text) > session.MaxStreamChunk || chunk.Text == "" && chunk.Tool == "") {
			t.Errorf("%s says %+v", line, chunk)
		}
		speech.Skips(string(line))
	})
}
