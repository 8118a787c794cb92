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
	w.keep("ses_1", strings.Repeat("问", 5000)+"end")
	if got := w.before("ses_1"); utf8.RuneCountInString(got) != maxWords || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "end") {
		t.Errorf("%d: %q", utf8.RuneCountInString(got), got)
	}
	for n := range 10 * maxSpeakers {
		w.keep(session.ID(fmt.Sprint("ses_", n)), "hm")
	}
	w.keep(session.ID(strings.Repeat("x", 1<<20)), "hm")
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
