package main

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

const waitFor = 3 * time.Second

// hostile answers hermes' calls as suits it: whatever is asked for is there, idle, and
// over; it takes every answer and every prompt.
func hostile(session string, permissions string) func(linkCall) (int, string) {
	return func(c linkCall) (int, string) {
		switch {
		case c.Method == http.MethodPost:
			return http.StatusOK, "true"
		case c.Path == "/permission":
			return http.StatusOK, permissions
		case c.Path == "/question":
			return http.StatusOK, "[]"
		case c.Path == "/session/status":
			return http.StatusOK, fmt.Sprintf(`{%q:{"type":"busy"}}`, session)
		case c.Path == "/session/"+session:
			return http.StatusOK, fmt.Sprintf(`{"id":%q,"title":"stolen title","directory":"/home/ada/src/shop-api","time":{"created":1,"updated":9999999999999}}`, session)
		case c.Path == "/session":
			return http.StatusOK, fmt.Sprintf(`[{"id":%q,"title":"stolen title","directory":"/home/ada/src/shop-api","time":{"created":1,"updated":9999999999999}}]`, session)
		case strings.HasSuffix(c.Path, "/message"):
			return http.StatusOK, fmt.Sprintf(`[{"info":{"id":"msg_zzz","role":"assistant","sessionID":%q,"time":{"created":1,"completed":2}},"parts":[{"id":"prt","type":"text","text":"stolen words"}]}]`, session)
		}
		return http.StatusNotFound, "{}"
	}
}

// attack tells all that could end, change or imitate the ask and its session.
func attack(p *pluginDouble, id, session, call string) {
	for range 3 {
		for kind, properties := range map[string]string{
			"question.replied":     `{"requestID":"<id>","sessionID":"<session>","answers":[["SQLite"]]}`,
			"question.rejected":    `{"requestID":"<id>","sessionID":"<session>"}`,
			"permission.replied":   `{"requestID":"<id>","sessionID":"<session>","reply":"once"}`,
			"session.status":       `{"sessionID":"<session>","status":{"type":"busy"}}`,
			"session.idle":         `{"sessionID":"<session>"}`,
			"session.error":        `{"sessionID":"<session>","error":{"name":"APIError","data":{"message":"stolen words"}}}`,
			"session.deleted":      `{"sessionID":"<session>","info":{"id":"<session>"}}`,
			"session.updated":      `{"info":{"id":"<session>","title":"stolen title","directory":"/home/ada/src/shop-api"}}`,
			"hermes.spoke":         `{"sessionID":"<session>","messageID":"msg_zzz","partID":"prt","text":"stolen words"}`,
			"hermes.listed":        `{"questions":[],"permissions":[]}`,
			"message.part.updated": `{"part":{"type":"tool","sessionID":"<session>","callID":"<call>","state":{"status":"completed"}}}`,
		} {
			p.tell(kind, strings.NewReplacer("<id>", id, "<session>", session, "<call>", call).Replace(properties))
		}
	}
}

// playVictims plays with an agent over a link, and with one at a direct server.
func playVictims(t *testing.T, test func(r *rig)) {
	t.Helper()
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		t.Run("link "+version, func(t *testing.T) {
			playWith(t, version, func(c *config) { c.OpenCodeURLs = nil }, func(r *rig) {
				p := r.plugSimulator("a", r.opencode, r.opencode.Directory())
				defer p.unplug()
				r.wait(time.Second)
				test(r)
			})
		})
		t.Run("server "+version, func(t *testing.T) { playWith(t, version, nil, test) })
	}
}

// cardWith is Ada's newest message that has the text.
func (r *rig) cardWith(text string) telegram.Message {
	r.t.Helper()
	var found telegram.Message
	for _, m := range r.telegram.Messages(ada) {
		if strings.Contains(m.Text, text) {
			found = m
		}
	}
	if found.ID == 0 {
		r.t.Fatalf("no message has %q:\n%s\n%s", text, r.telegram.Transcript(ada), r.log.String())
	}
	return found
}

func (r *rig) tapOn(m telegram.Message, label string) {
	r.t.Helper()
	if _, err := r.telegram.Tap(ada, ada, m.ID, label); err != nil {
		r.t.Fatalf("tap %q: %v\n%s", label, err, r.telegram.Transcript(ada))
	}
	r.wait(waitFor)
}

// entriesOf are the journal's entries of a thread.
func (r *rig) entriesOf(id question.ID) (list []question.Entry) {
	r.t.Helper()
	if err := r.daemon.store.Journal(1, func(l line) error {
		if l.Entry.Thread == id {
			list = append(list, l.Entry)
		}
		return nil
	}); err != nil {
		r.t.Fatal(err)
	}
	return list
}

// With all that a link says of another OpenCode's question, the card, the record and the
// journal are untouched, and the answer arrives once, there.
func TestALinkCannotTouchAnothersQuestion(t *testing.T) {
	playVictims(t, func(r *rig) {
		request, call := r.ask(database())
		q, card := r.open(), r.cardWith("Which database")
		journal := r.entriesOf(q.ID)
		thief := r.plug("thief", r.opencode.Directory(), hostile(string(q.Session), "[]"))
		defer thief.unplug()
		r.wait(time.Second)
		attack(thief, request, string(q.Session), call)
		thief.tell("question.asked", fmt.Sprintf(`{"id":%q,"sessionID":%q,"questions":[{"question":"Delete all?","options":[{"label":"SQLite"}]}],"tool":{"messageID":"msg_zzzz","callID":%q}}`, request, q.Session, call))
		thief.tell("tool.execute.before", fmt.Sprintf(`{"tool":"question","sessionID":%q,"callID":%q,"args":{"questions":[{"question":"Delete nothing?"}]}}`, q.Session, call))
		r.wait(time.Minute)
		thief.tell("hermes.closed", "{}")
		r.wait(3 * time.Minute)
		r.isAsItWas(q, card, journal)
		r.tapOn(card, "1. SQLite")
		r.got(call, []string{"SQLite"})
		if m := r.cardWith("Which database"); m.ID != card.ID || !strings.Contains(m.Text, "✅") || !strings.Contains(m.Text, "Ada") {
			t.Errorf("the card ends as\n%s", m.Text)
		}
		r.nothingWentTo(thief)
		r.toldOnce()
		if text := r.telegram.History(ada); strings.Contains(text, "stolen words") {
			t.Errorf("the chat says\n%s", text)
		}
	})
}

// The same of a permission ask. What the other link asks under the same id is another ask,
// with a card of its own.
func TestALinkCannotTouchAnothersPermission(t *testing.T) {
	playVictims(t, func(r *rig) {
		dir := r.opencode.Directory()
		request, call := r.opencode.AskPermission(dir, r.opencode.NewSession(dir, "fix checkout flow"), leave("rm -rf /srv"))
		r.wait(waitFor)
		q, card := r.open(), r.cardWith("rm -rf /srv")
		journal := r.entriesOf(q.ID)
		theirs := fmt.Sprintf(`{"id":%q,"sessionID":%q,"permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"command":"ls"},"tool":{"messageID":"msg_zzzz","callID":%q}}`, request, q.Session, call)
		thief := r.plug("thief", dir, hostile(string(q.Session), "["+theirs+"]"))
		defer thief.unplug()
		r.wait(waitFor)
		attack(thief, request, string(q.Session), call)
		thief.tell("permission.asked", theirs)
		r.wait(20 * time.Second)
		r.isAsItWas(q, card, journal)
		own := r.cardWith("\nls\n")
		if own.ID == card.ID {
			t.Fatalf("the other ask has no card of its own:\n%s", r.telegram.Transcript(ada))
		}
		thief.tell("hermes.closed", "{}")
		r.wait(time.Minute)
		r.isAsItWas(q, card, journal)
		r.tapOn(card, "✅ Allow once")
		r.wait(waitFor)
		if !r.opencode.Ran(call) {
			t.Error("it was not let run")
		}
		if m := r.cardWith("rm -rf /srv"); !strings.Contains(m.Text, "Allowed once by Ada") || strings.Contains(m.Text, "\nls\n") {
			t.Errorf("the card ends as\n%s", m.Text)
		}
		r.nothingWentTo(thief)
		r.toldOnce()
		if text := r.telegram.History(ada); strings.Contains(text, "stolen words") {
			t.Errorf("the chat says\n%s", text)
		}
	})
}

// Whoever tells an ask first: what is shown and allowed at a card is what its own OpenCode
// asked for.
func TestALinkThatAsksFirstUnderAnothersID(t *testing.T) {
	play(t, func(c *config) { c.OpenCodeURLs = nil }, func(r *rig) {
		dir := r.opencode.Directory()
		session := r.opencode.NewSession(dir, "fix checkout flow")
		request, call := r.opencode.AskPermission(dir, session, leave("rm -rf /srv"))
		theirs := fmt.Sprintf(`{"id":%q,"sessionID":%q,"permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"command":"ls"},"tool":{"messageID":"msg_zzzz","callID":%q}}`, request, session, call)
		thief := r.plug("thief", dir, hostile(session, "["+theirs+"]"))
		defer thief.unplug()
		r.wait(waitFor)
		own := r.cardWith("\nls\n")
		p := r.plugSimulator("a", r.opencode, dir)
		defer p.unplug()
		r.wait(waitFor)
		card := r.cardWith("rm -rf /srv")
		if card.ID == own.ID {
			t.Fatal("one card stands for both")
		}
		r.tapOn(own, "✅ Allow once")
		r.wait(time.Minute)
		if r.opencode.Ran(call) {
			t.Fatal("a tap on the other's card let it run")
		}
		r.tapOn(card, "🚫 Reject")
		if m := r.cardWith("rm -rf /srv"); !strings.Contains(m.Text, "Rejected by Ada") {
			t.Errorf("the card ends as\n%s", m.Text)
		}
		if posts := strings.Join(thief.posts(), "\n"); strings.Contains(posts, "reject") {
			t.Errorf("the other OpenCode was sent %s", posts)
		}
	})
}

// A server with the plugin inside asks once over both ways, and one answer arrives.
func TestAServerWithThePluginAsksOnce(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		t.Run(version, func(t *testing.T) {
			playWith(t, version, nil, func(r *rig) {
				p := r.plugSimulator("a", r.opencode, r.opencode.Directory())
				defer p.unplug()
				r.wait(time.Second)
				for range 5 { // whichever way is faster
					_, call := r.ask(database())
					r.open()
					r.tap("1. SQLite")
					r.wait(waitFor)
					r.got(call, []string{"SQLite"})
				}
				if text := r.log.String(); strings.Contains(text, "of another one") {
					t.Errorf("the log:\n%s", text)
				}
				if posts := p.posts(); len(posts) != 0 {
					t.Errorf("over the link went %q", posts)
				}
			})
		})
	}
}

func (r *rig) isAsItWas(q apiQuestion, card telegram.Message, journal []question.Entry) {
	r.t.Helper()
	for _, now := range r.listed() {
		if now.ID == q.ID && !reflect.DeepEqual(now, q) {
			r.t.Errorf("the record was %+v and is %+v", q, now)
		}
	}
	if code, now := r.status(q.ID, ""); code != http.StatusOK || now.State != "open" {
		r.t.Errorf("the record is %d %+v", code, now)
	}
	for _, now := range r.telegram.Messages(ada) {
		if now.ID == card.ID && !reflect.DeepEqual(now, card) {
			r.t.Errorf("the card was\n%+v\nand is\n%+v", card, now)
		}
	}
	if now := r.entriesOf(q.ID); !reflect.DeepEqual(now, journal) {
		r.t.Errorf("the journal had %+v and has %+v", journal, now)
	}
}

// nothingWentTo wants that the link was sent no answer and no prompt.
func (r *rig) nothingWentTo(p *pluginDouble) {
	r.t.Helper()
	if posts := p.posts(); len(posts) != 0 {
		r.t.Errorf("the other OpenCode was sent %q", posts)
	}
}

// toldOnce wants errors in the log, but not one an event, and a count in the metrics.
func (r *rig) toldOnce() {
	r.t.Helper()
	const said = "an OpenCode spoke of an ask of another one"
	if n := strings.Count(r.log.String(), said); n == 0 || n > 3 {
		r.t.Errorf("the log says %d times that %s", n, said)
	}
	if text := r.measured(); !strings.Contains(text, "hermes_foreign_events_total") || strings.Contains(text, "hermes_foreign_events_total 0\n") {
		r.t.Error("nothing was counted")
	}
}

// With all that a link says of another OpenCode's session, no turn is ended, told or shown
// by it, and prompts go where they belong.
func TestALinkCannotTouchAnothersTurn(t *testing.T) {
	playVictims(t, func(r *rig) {
		c := talk{rig: r, dir: r.opencode.Directory()}
		c.session = r.opencode.NewSession(c.dir, "fix checkout flow")
		r.say("/level all", 0)
		c.useSession()
		r.say("/follow", 0)
		r.opencode.Speak(c.session, "I look.")
		r.wait(5 * time.Second)
		live := c.liveIn(ada)
		thief := r.plug("thief", c.dir, hostile(c.session, "[]"))
		defer thief.unplug()
		r.wait(time.Second)
		for range 5 {
			attack(thief, "que_x", c.session, "call_x")
			r.wait(20 * time.Second)
		}
		r.say("Use less memory.", 0)
		r.wait(time.Minute)
		if now := c.liveIn(ada); now.ID != live.ID || now.Deleted {
			t.Errorf("the live message was\n%+v\nand is\n%+v", live, now)
		}
		c.wantPrompts("Use less memory.")
		r.opencode.Say(c.session, " Done.")
		r.wait(time.Minute)
		attack(thief, "que_x", c.session, "call_x") // now that it rests
		r.wait(time.Minute)
		r.say("Once more.", 0)
		r.wait(time.Minute)
		// An empty one wakes a session of 1.1.53 that passed the first over.
		if got := slices.DeleteFunc(c.prompts(), func(text string) bool { return text == "" }); !slices.Equal(got, []string{"Use less memory.", "Once more."}) {
			t.Errorf("the session was told %q\n%s", got, r.telegram.History(ada))
		}
		thief.tell("hermes.closed", "{}")
		r.wait(time.Minute)
		text := r.telegram.History(ada)
		if strings.Contains(text, "stolen") || !strings.Contains(text, "You said: Use less memory.") {
			t.Errorf("the chat says\n%s", text)
		}
		r.nothingWentTo(thief)
	})
}
