package plugin_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hermes/opencode/link"
)

// spoken is an event about what a followed session says.
type spoken struct {
	Type       string
	Properties struct{ SessionID, MessageID, PartID, Tool, Title, Status, Text string }
}

func (h *hermes) spoken(t *testing.T) spoken {
	t.Helper()
	var s spoken
	if err := json.Unmarshal([]byte(receive(t, h.events)), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// part is the event of a part of a message; more is what its kind has.
func part(id, session, kind, more string) map[string]any {
	raw := fmt.Sprintf(`{"part":{"id":%q,"sessionID":%q,"messageID":"msg_1","type":%q,%s}}`, id, session, kind, more)
	p := map[string]any{}
	if err := json.Unmarshal([]byte(raw), &p); err != nil {
		panic(err)
	}
	return p
}

func delta(id, session, text string) map[string]any {
	return map[string]any{"sessionID": session, "messageID": "msg_1", "partID": id, "field": "text", "delta": text}
}

const live = `"text":"","time":{"start":1}`

// followingRig is a plugin that was told to follow ses_1.
func followingRig(t *testing.T) (*hermes, *agent, *link.Link) {
	t.Helper()
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	h.follow(t, l, "ses_1")
	return h, a, l
}

// follow has the plugin follow sessions. The list is there when a call has come behind it.
func (h *hermes) follow(t *testing.T, l *link.Link, sessions ...string) {
	t.Helper()
	h.hub.Follow(sessions)
	for range 2 {
		if _, _, err := roundTrip(t, l, "GET", "/question", nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFollow_FollowedSessionsAreHeard(t *testing.T) {
	h, a, _ := followingRig(t)
	a.event("message.part.updated", part("prt_1", "ses_2", "text", live))
	a.event("message.part.delta", delta("prt_1", "ses_2", "not followed"))
	a.event("message.part.updated", part("prt_2", "ses_1", "text", `"text":"what the person wrote"`))
	a.event("message.part.updated", part("prt_3", "ses_1", "reasoning", live))
	a.event("message.part.delta", delta("prt_3", "ses_1", "thinking"))
	a.event("message.part.updated", part("prt_4", "ses_1", "text", live))
	a.event("message.part.delta", delta("prt_4", "ses_1", "Hello"))
	a.event("message.part.delta", delta("prt_4", "ses_1", " there"))
	for text := ""; text != "Hello there"; { // once or twice, as the pieces come
		p := h.spoken(t).Properties
		if text = p.Text; p.PartID != "prt_4" || p.SessionID != "ses_1" || p.MessageID != "msg_1" || !strings.HasPrefix("Hello there", text) {
			t.Fatalf("heard %+v", p)
		}
	}
	running := `"tool":"bash","callID":"c","state":{"status":"running","input":{"description":"tests","command":"npm test"},"metadata":{"output":%q}}`
	for n := range 20 {
		a.event("message.part.updated", part("prt_5", "ses_1", "tool", fmt.Sprintf(running, strings.Repeat("x", n))))
	}
	if got := h.spoken(t).Properties; got.Tool != "bash" || got.Title != "npm test" || got.Status != "running" {
		t.Errorf("heard %+v", got)
	}
	a.event("session.idle", map[string]any{"sessionID": "ses_1"})
	if got := receive(t, h.events); !strings.Contains(got, "session.idle") {
		t.Errorf("a call whose output grows was told again: %s", got)
	}
	h.hub.Follow(nil)
	a.exits()
}

// What a session says goes on when another is followed beside it, and is told whole when it is followed again.
func TestFollow_AnotherListOfFollowedSessions(t *testing.T) {
	h, a, l := followingRig(t)
	a.event("message.part.updated", part("prt_1", "ses_1", "text", live))
	a.event("message.part.delta", delta("prt_1", "ses_1", "Hello"))
	for text := ""; text != "Hello"; {
		text = h.spoken(t).Properties.Text
	}
	h.follow(t, l, "ses_1", "ses_2")
	a.event("message.part.delta", delta("prt_1", "ses_1", " there"))
	if got := h.spoken(t).Properties; got.Text != "Hello there" || got.PartID != "prt_1" {
		t.Errorf("heard %+v", got)
	}
	h.follow(t, l, "ses_2")
	h.follow(t, l, "ses_1", "ses_2")
	a.event("message.part.delta", delta("prt_1", "ses_1", " again"))
	if got := h.spoken(t).Properties; got.Text != "Hello there again" {
		t.Errorf("heard %+v", got)
	}
	h.hub.Follow(nil)
	a.exits()
}

// 200 kB in thousands of pieces, by either way of telling, are a few events of 4 kB. What is asked meanwhile comes at once, and
// all of it.
func TestFollow_AFloodOfWords(t *testing.T) {
	for _, whole := range []bool{true, false} {
		h, a, _ := followingRig(t)
		began, asked := time.Now(), 0
		a.event("message.part.updated", part("prt_1", "ses_1", "text", live))
		var text strings.Builder
		for n := range 2500 {
			piece := fmt.Sprintf("%05d %s äöü🙂\n", n, strings.Repeat("y", 60))
			text.WriteString(piece)
			switch {
			case whole && n%25 == 0: // 1.1.53
				raw, _ := json.Marshal(text.String())
				a.event("message.part.updated", part("prt_1", "ses_1", "text", fmt.Sprintf(`"text":%s,"time":{"start":1}`, raw)))
			case !whole:
				a.event("message.part.delta", delta("prt_1", "ses_1", piece))
			}
			if n%4 == 0 {
				a.event("question.asked", map[string]any{"id": fmt.Sprint("que_", asked)})
				asked++
			}
		}
		raw, _ := json.Marshal(text.String())
		a.event("message.part.updated", part("prt_1", "ses_1", "text", fmt.Sprintf(`"text":%s,"time":{"start":1,"end":2}`, raw)))
		told, heard, last := 0, 0, spoken{}
		for heard < asked || !strings.HasSuffix(text.String(), strings.TrimPrefix(last.Properties.Text, "…")) || last.Properties.Text == "" {
			s := h.spoken(t)
			if s.Type != "hermes.spoke" {
				heard++
				continue
			}
			told, last = told+1, s
			if n := utf8.RuneCountInString(s.Properties.Text); n > 4096 || strings.Contains(s.Properties.Text, "\uFFFD") {
				t.Errorf("one event has %d characters", n)
			}
		}
		if most := int(time.Since(began)/time.Second) + 2; told > most {
			t.Errorf("%d events in %v", told, time.Since(began))
		}
		h.hub.Follow(nil)
		a.exits()
	}
}

// Without leave to drive, the plugin tells nothing of that, whatever an answer says.
func TestFollow_NothingIsFollowedWithoutLeave(t *testing.T) {
	events, polled := make(chan string, 100), make(chan bool, 100)
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch body, _ := io.ReadAll(r.Body); {
		case r.Method == "GET":
			_, _ = w.Write([]byte(`{"calls":[],"follow":{"rev":1,"sessions":["ses_1"]}}`))
			polled <- true
		case strings.HasSuffix(r.URL.Path, "/events"):
			events <- string(body)
		default:
			_, _ = w.Write([]byte(`{"link":"x","poll":25,"remote":false}`))
		}
	})
	a := startAgent(t, s.URL)
	a.do("init")
	receive(t, polled)
	receive(t, polled) // the first answer was taken in
	a.event("message.part.updated", part("prt_1", "ses_1", "text", live))
	a.event("message.part.delta", delta("prt_1", "ses_1", "secret"))
	a.event("session.idle", map[string]any{"sessionID": "ses_1"})
	if got := receive(t, events); !strings.Contains(got, "session.idle") || strings.Contains(got, "spoke") {
		t.Errorf("got %s", got)
	}
	a.exits()
}

// The end of one session's turn does not end what another one says.
func TestFollow_TheEndOfAnotherTurn(t *testing.T) {
	h, a, l := followingRig(t)
	h.follow(t, l, "ses_1", "ses_2")
	a.event("message.part.updated", part("prt_1", "ses_1", "text", live))
	a.event("message.part.delta", delta("prt_1", "ses_1", "Hello"))
	a.event("session.idle", map[string]any{"sessionID": "ses_2"})
	a.event("message.part.delta", delta("prt_1", "ses_1", " there"))
	for text := ""; text != "Hello there"; { // once or twice, as the pieces come
		got := receive(t, h.events)
		if strings.Contains(got, "session.idle") {
			continue
		}
		var e struct{ Properties struct{ Text string } }
		if err := json.Unmarshal([]byte(got), &e); err != nil {
			t.Fatal(err)
		}
		text = e.Properties.Text
	}
	a.exits()
}
