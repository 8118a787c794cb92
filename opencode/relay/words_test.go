package relay

import "testing"

// What an agent wrote last crosses right before what it asks, once, and otherwise not.
func TestLastWords(t *testing.T) {
	const said = `{"type":"session.text.ended","location":{"directory":"/a"},"data":{"sessionID":"ses_1","assistantMessageID":"msg_1","ordinal":0,"text":"I need to know."}}`
	ask := map[string]string{
		"form":       `{"type":"form.created","data":{"form":{"id":"frm_1","sessionID":"ses_1"}}}`,
		"permission": `{"type":"permission.v2.asked","data":{"id":"per_1","sessionID":"ses_1"}}`,
	}
	for name, asked := range ask {
		w := lastWords{}
		for n, c := range []struct {
			event string
			want  bool
		}{
			{asked, false},
			{said, false},
			{asked, true},
			{asked, false},
			{said, false},
			{`{"type":"session.execution.succeeded","data":{"sessionID":"ses_1"}}`, false},
			{asked, false},
			{said, false},
			{`{"type":"form.created","data":{"form":{"id":"frm_2","sessionID":"ses_2"}}}`, false},
			{`no JSON`, false},
			{asked, true},
		} {
			words, ok := w.before(c.event)
			if ok != c.want || ok && (words.Type != "session.text.ended" || words.Location.Directory != "/a") {
				t.Errorf("%s, event %d: %+v, %v", name, n, words, ok)
			}
		}
	}
}
