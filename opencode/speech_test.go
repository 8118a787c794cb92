package opencode

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/wire"
)

// heardOf reads frames as the stream of a server in which ses_1 is followed, and tells
// what was heard and how many were decoded.
func heardOf(frame ...string) (steps []session.StreamChunk, decoded int) {
	s := newSpeech(func(id session.ID) bool { return id == "ses_1" })
	text := ""
	for _, f := range frame {
		text += "data: " + f + "\n\n"
	}
	_ = readFrames(strings.NewReader(text), s.skips, func(g globalEvent) {
		decoded++
		if id, step, ok := s.hear(g.Payload); ok && id == "ses_1" {
			steps = append(steps, step)
		}
	})
	return steps, decoded
}

const (
	oldHead = `{"directory":"/src/a\"b","payload":{"type":"message.part.updated","properties":{"part":`
	newHead = `{"directory":"/src","project":"de31","payload":{"id":"evt_1","type":"message.part.updated","properties":{"sessionID":"%[1]s","part":`
	piece   = `{"directory":"/src","project":"de31","payload":{"id":"evt_2","type":"message.part.delta","properties":{"sessionID":"%s","messageID":"msg_1","partID":"%s","field":"text","delta":"%s"}}}`
)

func oldPart(session, rest string) string {
	return oldHead + `{"id":"prt_1","sessionID":"` + session + `","messageID":"msg_1",` + rest + `}}}}`
}

func newPart(session, id, rest string) string {
	return fmt.Sprintf(newHead+`{"id":"%[2]s","messageID":"msg_1","sessionID":"%[1]s",%[3]s},"time":5}}}`, session, id, rest)
}

func texts(steps []session.StreamChunk) (list []string) {
	for _, s := range steps {
		list = append(list, strings.TrimSpace(s.Tool+" "+s.Title+s.Text))
	}
	return list
}

// The forms are those that were measured on 1.1.53 and 1.18.33.
func TestSpeech(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			frames  []string
			want    []string
			decoded int
		}{
			"new text": {[]string{
				newPart("ses_1", "prt_1", `"type":"text","text":"","time":{"start":1}`), fmt.Sprintf(piece, "ses_1", "prt_1", "He"), fmt.Sprintf(piece, "ses_1", "prt_1", "llo"),
				newPart("ses_1", "prt_1", `"type":"text","text":"Hello.","time":{"start":1,"end":2}`),
			}, []string{"", "He", "Hello", "Hello."}, 4},
			"thoughts": {[]string{
				newPart("ses_1", "prt_1", `"type":"reasoning","text":"","time":{"start":1}`), fmt.Sprintf(piece, "ses_1", "prt_1", "hm"),
			}, nil, 2},
			"a prompt": {[]string{
				`{"directory":"/src","payload":{"id":"evt_1","type":"message.part.updated","properties":{"sessionID":"ses_1","part":{"type":"text","text":"hi","messageID":"msg_1","sessionID":"ses_1","id":"prt_9"},"time":5}}}`,
				oldPart("ses_1", `"type":"text","text":"hi"`),
			}, nil, 2},
			"somebody else": {[]string{
				newPart("ses_2", "prt_1", `"type":"text","text":"","time":{"start":1}`), fmt.Sprintf(piece, "ses_2", "prt_1", "He"),
				oldPart("ses_2", `"type":"text","text":"He","time":{"start":1}`), oldPart("ses_2", `"type":"reasoning","text":"He","time":{"start":1}`),
				oldPart("ses_2", `"type":"tool","tool":"question","callID":"call_1","state":{"status":"completed","input":{"type":"text"}}`),
				`{"directory":"/src","payload":{"id":"evt_1","type":"message.part.updated","properties":{"sessionID":"ses_2","part":{"type":"tool","tool":"question","state":{"status":"completed","input":{"type":"text","a":1}},"sessionID":"ses_2","id":"prt_9"},"time":5}}}`,
			}, nil, 5},
			"somebody else, who has said it": {[]string{
				newPart("ses_2", "prt_1", `"type":"text","text":"Hello.","time":{"start":1,"end":2}`),
				newPart("ses_2", "prt_1", `"type":"reasoning","text":"Hm.","time":{"start":1,"end":2}`),
			}, nil, 1},
			"a tool": {[]string{
				newPart("ses_1", "prt_2", `"type":"tool","tool":"bash","callID":"c","state":{"status":"pending","input":{},"raw":""}`),
				newPart("ses_1", "prt_2", `"type":"tool","tool":"bash","callID":"c","state":{"status":"running","input":{"description":"Runs it","command":"npm test\nrm -rf x"}}`),
				newPart("ses_1", "prt_2", `"type":"tool","tool":"bash","callID":"c","state":{"status":"running","input":{"command":"npm test\nrm -rf x"},"metadata":{"output":"ok"}}`),
				newPart("ses_1", "prt_2", `"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"npm test\nrm -rf x"}}`),
			}, []string{"bash", "bash npm test", "bash npm test"}, 4},
			"not of that form": {[]string{`{"payload":{"type":"message.part.delta","properties":[]}}`, `{"payload":{"type":"message.part.updated"}}`}, nil, 2},
		} {
			steps, decoded := heardOf(c.frames...)
			if got := texts(steps); !slices.Equal(got, c.want) || decoded != c.decoded {
				t.Errorf("%s: heard %q of %d, want %q of %d", name, got, decoded, c.want, c.decoded)
			}
		}
	})
}

// The end of one session's turn does not end what another one says.
func TestSpeech_TheEndOfAnotherTurn(t *testing.T) {
	s := newSpeech(func(session.ID) bool { return true })
	var got []string
	for _, frame := range []string{
		newPart("ses_1", "prt_1", `"type":"text","text":"","time":{"start":1}`),
		newPart("ses_2", "prt_2", `"type":"text","text":"","time":{"start":1}`),
		`{"directory":"/src","payload":{"type":"session.idle","properties":{"sessionID":"ses_2"}}}`,
		fmt.Sprintf(piece, "ses_1", "prt_1", "He"), fmt.Sprintf(piece, "ses_2", "prt_2", "No"),
	} {
		var g globalEvent
		if err := json.Unmarshal([]byte(frame), &g); err != nil {
			t.Fatal(err)
		}
		if id, step, ok := s.hear(g.Payload); ok {
			got = append(got, string(id)+" "+step.Text)
		}
	}
	if want := []string{"ses_1 ", "ses_2 ", "ses_1 He"}; !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
}

// 1.1.53 tells the whole text at every piece: it is read twice a second, and its end
// always.
func TestSpeech_WholeTextsAreReadNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSpeech(func(session.ID) bool { return true })
		text, decoded, last := "", 0, ""
		hear := func(g globalEvent) {
			decoded++
			if _, step, ok := s.hear(g.Payload); ok {
				last = step.Text
			}
			if len(last) > session.MaxStreamChunk {
				t.Errorf("%d bytes", len(last))
			}
		}
		for n := range 1000 {
			text += fmt.Sprintf("%09d\\n", n)
			frame := oldHead + `{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"` + text + `","time":{"start":1}},"delta":"` + "x" + `"}}}`
			_ = readFrames(strings.NewReader("data: "+frame+"\n\n"), s.skips, hear)
			time.Sleep(10 * time.Millisecond)
		}
		if decoded != 20 {
			t.Errorf("%d were decoded", decoded)
		}
		frame := oldPart("ses_1", `"type":"text","text":"`+text+`the \",\"delta\":\" end","time":{"start":1,"end":2}`)
		_ = readFrames(strings.NewReader("data: "+frame+"\n\n"), s.skips, hear)
		if !strings.HasPrefix(last, "…") || !strings.HasSuffix(last, `the ","delta":" end`) {
			t.Errorf("the end is %q", last)
		}
	})
}

// What a server says while it is followed comes out of the gateway, in its order.
func TestSpeech_FollowedServers(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		id := s.NewSession(proj, "fix")
		s.Speak(id, "not ")
		synctest.Wait()
		w.Follow([]session.ID{session.ID(id)})
		s.Say(id, "heard")
		synctest.Wait()
		w.told()
		s.Speak(id, "It ")
		time.Sleep(time.Second)
		s.Speak(id, "is ")
		time.Sleep(time.Second)
		s.Say(id, "so.")
		synctest.Wait()
		var got []string
		for _, e := range w.heard() {
			if e.Kind == event.Spoke && e.Session == session.ID(id) && e.Spoken.Text != "" {
				got = append(got, e.Spoken.Text)
			}
		}
		if want := []string{"It ", "It is ", "It is so."}; !slices.Equal(got, want) {
			t.Errorf("heard %q, want %q", got, want)
		}
	})
}

// heard are the events since they were told last.
func (w *watched) heard() []event.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

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
	for _, id := range w.of.Keys() {
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
