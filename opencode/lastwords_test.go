package opencode

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"hermes/internal/session"
	"hermes/opencode/wire"
)

func TestLastWords(t *testing.T) {
	begins := wire.Event{Type: "message.part.updated", Properties: []byte(`{"part":{"id":"prt_2","sessionID":"ses_1","type":"text","text":"","time":{"start":3}}}`)}
	goesOn := func(part, text string) wire.Event {
		return wire.Event{Type: "message.part.delta", Properties: []byte(`{"sessionID":"ses_1","partID":"` + part + `","field":"text","delta":"` + text + `"}`)}
	}
	const text = `{"part":{"sessionID":"ses_1","type":"text","text":"I need a database.","time":{"start":1,"end":2}}}`
	for name, c := range map[string]struct {
		events []wire.Event
		want   string
	}{
		"nothing":          {nil, ""},
		"1.x":              {[]wire.Event{{Type: "message.part.updated", Properties: []byte(text)}}, "I need a database."},
		"2.x":              {[]wire.Event{{Type: "session.text.ended", Properties: []byte(`{"sessionID":"ses_1","text":"I need one."}`)}}, "I need one."},
		"by the plugin":    {[]wire.Event{{Type: "question.asked", Properties: []byte(`{"sessionID":"ses_1","said":"I need one."}`)}}, "I need one."},
		"a prompt":         {[]wire.Event{{Type: "message.part.updated", Properties: []byte(`{"part":{"sessionID":"ses_1","type":"text","text":"Hi."}}`)}}, ""},
		"a thought":        {[]wire.Event{{Type: "message.part.updated", Properties: []byte(`{"part":{"sessionID":"ses_1","type":"reasoning","text":"Hm.","time":{"end":2}}}`)}}, ""},
		"synthetic":        {[]wire.Event{{Type: "message.part.updated", Properties: []byte(`{"part":{"sessionID":"ses_1","type":"text","synthetic":true,"text":"Hm.","time":{"end":2}}}`)}}, ""},
		"of another":       {[]wire.Event{{Type: "session.text.ended", Properties: []byte(`{"sessionID":"ses_2","text":"I need one."}`)}}, ""},
		"nothing new":      {[]wire.Event{{Type: "message.part.updated", Properties: []byte(text)}, {Type: "question.asked", Properties: []byte(`{"sessionID":"ses_1"}`)}}, "I need a database."},
		"begun":            {[]wire.Event{{Type: "message.part.updated", Properties: []byte(text)}, begins}, "I need a database."},
		"not ended":        {[]wire.Event{{Type: "message.part.updated", Properties: []byte(text)}, begins, goesOn("prt_2", "I know "), goesOn("prt_1", "thought"), goesOn("prt_2", "of two.")}, "I know of two."},
		"a piece alone":    {[]wire.Event{goesOn("prt_2", "I know")}, ""},
		"of an older turn": {[]wire.Event{{Type: "message.part.updated", Properties: []byte(text)}, {Type: "session.idle", Properties: []byte(`{"sessionID":"ses_1"}`)}}, ""},
		"of one of 2.x":    {[]wire.Event{{Type: "message.part.updated", Properties: []byte(text)}, {Type: "session.execution.failed", Properties: []byte(`{"sessionID":"ses_1"}`)}}, ""},
	} {
		w := newLastWords()
		for _, e := range c.events {
			w.hear(e)
		}
		if got := w.before("ses_1"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What is long is kept as its end, and says so.
func TestLastWords_AreBounded(t *testing.T) {
	w := newLastWords()
	w.keep("ses_1", "", strings.Repeat("问", 5000)+"end")
	if got := w.before("ses_1"); utf8.RuneCountInString(got) != maxWords || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "end") {
		t.Errorf("%d: %q", utf8.RuneCountInString(got), got)
	}
	for n := range 10 * maxSpeakers {
		w.keep(session.ID(fmt.Sprint("ses_", n)), "", "hm")
	}
	w.keep(session.ID(strings.Repeat("x", 1<<20)), "", "hm")
	n := 0
	for id := range w.of.All() {
		if n++; len(id) > maxSessionID {
			t.Errorf("a name of %d bytes is kept", len(id))
		}
	}
	if n > maxSpeakers {
		t.Errorf("the words of %d sessions are kept", n)
	}
}

// With some providers a text has its end after the ask that follows it: what an ask takes along
// are then its pieces, as 1.18.34 tells them, or the last of them, with the whole text, as 1.1.53
// does. Of those no other is decoded.
func TestLastWords_ATextThatEndsAfterTheAsk(t *testing.T) {
	asked := `{"directory":"/src","payload":{"type":"question.asked","properties":{"id":"que_1","sessionID":"ses_2"}}}`
	idle := `{"directory":"/src","payload":{"type":"session.idle","properties":{"sessionID":"ses_2"}}}`
	whole := func(text, delta string) string {
		return oldHead + `{"id":"prt_1","sessionID":"ses_2","messageID":"msg_1","type":"text","text":"` + text + `","time":{"start":1}},"delta":"` + delta + `"}}}`
	}
	for name, c := range map[string]struct {
		frames  []string
		want    string
		decoded int
	}{
		"1.18.34": {[]string{
			newPart("ses_2", "prt_1", `"type":"text","text":"","time":{"start":1}`),
			fmt.Sprintf(piece, "ses_2", "prt_1", "I know "), fmt.Sprintf(piece, "ses_2", "prt_1", "of two."), asked,
		}, "I know of two.", 4},
		"1.1.53":             {[]string{whole("I know ", "I know "), whole("I know of ", "of "), whole("I know of two.", "two."), asked}, "I know of two.", 1},
		"1.1.53, other turn": {[]string{whole("I know of two.", "two."), idle, asked}, "", 2},
	} {
		s, w, decoded, said := newSpeech(func(session.ID) bool { return false }), newLastWords(), 0, "nothing asked"
		_ = readFrames(strings.NewReader("data: "+strings.Join(c.frames, "\n\ndata: ")+"\n\n"), s.skips, func(g globalEvent) {
			decoded++
			if last, ok := s.lastPiece(g.Payload); ok {
				w.hear(last)
			}
			w.hear(g.Payload)
			if g.Payload.Type == "question.asked" {
				said = w.before("ses_2")
			}
		})
		if said != c.want || decoded != c.decoded {
			t.Errorf("%s: %q, with %d decoded, want %q with %d", name, said, decoded, c.want, c.decoded)
		}
	}
}
