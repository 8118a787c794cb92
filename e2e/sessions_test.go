//go:build e2e

package e2e_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/simulate/telegramsim"
)

// TestSessions plays how a person away from the desk follows and steers sessions, with
// the real hermes and the real OpenCode.
func TestSessions(t *testing.T) {
	atEach(t, linkedTUI, everyEntry(), func(t *testing.T, e entry) {
		r := &remote{desk: newDesk(t, e, "shop-api"), heard: map[int]bool{}}
		r.hermes.start(t, "HERMES_NOTIFY_DELAY=0", "HERMES_IDLE_DELAY=500ms", "HERMES_TURN_AFTER=0")
		r.hermes.awaitReady(t)
		if r.play(t, r.scenes()) {
			r.check()
			r.hermes.stop(t)
		}
	})
}

func (r *remote) scenes() []scene {
	one := func(name string, play func(), s scope) scene { return scene{name, func(*desk) { play() }, s} }
	killed := func(name, text, method, reaction string) scene {
		return one("killed "+name, func() { r.killedAt(text, calls(method, reaction)) }, hermesAlone)
	}
	return []scene{
		one("a turn and a reply", r.turnAndReply, quick),
		one("no false end", r.noFalseEnd, quick),
		one("a new session", r.newSession, quick),
		one("behind a question", r.behindQuestion, quick),
		one("what it did", r.whatItDid, quick),
		killed("at the acknowledgement", "Prompt that is taken.", "setMessageReaction", "👍"),
		one("stopped", r.stopped, quick),
		one("files", r.files, quick),
		one("killed as the model has it", r.killedAtModel, hermesAlone),
		one("all is down", r.allDown, everywhere),
	}
}

// turnAndReply: the end of a turn that was begun at the keyboard is told, and a reply
// to it goes on with that session.
func (r *remote) turnAndReply() {
	level := r.phone.say("/level turns", 0)
	r.hears(level, "🔔 You get questions here, and a message when a turn ends.")
	r.here.ask("fix checkout flow", "Write a haiku.")
	turn := r.turn(0, "💤", r.here.title("fix checkout flow"), "You said: Write a haiku.")
	reply := r.prompt("Now the tests, please.", turn)
	r.taken(reply)
	r.turn(reply, "💤", r.here.title("fix checkout flow"), "You said: Now the tests, please.")
	r.onScreen("Now the tests, please.")
}

// noFalseEnd: a session that waits for an answer has not ended, and a subagent has no
// end of its own. More ends than these are found by check.
func (r *remote) noFalseEnd() {
	q := database("Which database while you wait?")
	r.here.ask("ship it", "TASK "+lab.Agent+" "+call(q))
	card := r.phone.card(q)
	r.phone.reads(card, "\n"+r.here.title("ship it")+" › sub task")
	pending := r.phone.say("/pending", 0)
	r.hears(pending, "❓ Waiting for you:\n· Database · shop-api · "+r.here.title("ship it"))
	r.phone.tap(card, "2.")
	r.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
	r.turn(0, "💤", r.here.title("ship it"), "TOOLRESULT<<")
}

func (r *remote) newSession() {
	r.hears(r.phone.say("/new", 0), "🆕 shop-api")
	first := r.prompt("Write a poem.", 0)
	r.taken(first)
	r.turn(first, "💤", "", "You said: Write a poem.")
	list := r.hears(r.phone.say("/sessions", 0), "📂 Sessions\n1. shop-api · ")
	text := r.phone.message(list).Text
	if n := strings.Count(text, "💤 Idle"); n != r.sessions(2, 3) || strings.Count(text, "in use") != 1 {
		r.t.Errorf("the list has %d idle sessions, and reads\n%s", n, text)
	}
	for _, choice := range []string{"2.", "1."} {
		r.phone.tap(list, choice)
		r.hears(0, "👉 shop-api · ")
	}
}

// behindQuestion: a prompt for a session that waits for an answer is queued, which is
// said; and it runs, once, when the answer is there.
func (r *remote) behindQuestion() {
	q := database("Which database does the queue need?")
	asked := r.prompt(call(q), 0)
	r.taken(asked)
	card := r.phone.card(q)
	r.hears(r.phone.say("/sessions", 0), "❓ Waiting for you · hh:mm · in use")
	queued := r.prompt("Use less memory.", asked) // without a reply it would be the answer
	r.taken(queued)
	r.hears(queued, "⏳ Queued: the agent is waiting for an answer to “Database” first · shop-api")
	r.phone.tap(card, "1.")
	r.here.told(q, answered(q.Question, "SQLite"))
	r.phone.end(card, "✅ Database · shop-api", q.Question, "→ SQLite", "Ada · hh:mm")
	r.turn(queued, "💤", "", "Use less memory.")
}

// whatItDid: a file and a list that the session made are shown.
func (r *remote) whatItDid() {
	file := r.here.path("notes.txt")
	made := r.prompt(tool("write", map[string]string{"filePath": file, "content": "one\ntwo\n"})+
		"\n"+`CALL todowrite {"todos":[{"id":"1","content":"write it","status":"completed","priority":"high"},{"id":"2","content":"test it","status":"pending","priority":"high"}]}`, 0)
	r.taken(made)
	card := r.phone.cardWith("notes.txt")
	r.phone.tap(card, "✅ Allow once")
	r.here.awaitFile("notes.txt")
	r.phone.reads(card, "Allowed once by Ada")
	r.phone.ends[card] = settled(r.phone.message(card).Text)
	r.turn(made, "💤", "", "TOOLRESULT<<")
	todo := r.hears(r.phone.say("/todo", 0), "📋 shop-api")
	r.phone.reads(todo, "\n☑ write it\n☐ test it")
	diff := r.hears(r.phone.say("/diff", 0), "📝 shop-api")
	r.phone.reads(diff, "notes.txt +2 −0")
	if d := r.phone.message(diff).Document; d == nil || !strings.Contains(string(d.Data), "\n+one\n+two") {
		r.t.Errorf("the file of the changes is %+v", d)
	}
	last := r.hears(r.phone.say("/last", 0), "💤 shop-api")
	r.phone.reads(last, "TOOLRESULT<<")
	r.phone.reads(last, " · 1 file +2 −0 · 1 of 2 todos · ")
}

// files: a picture and a text document reach the model as they are.
func (r *remote) files() {
	photo := r.phone.send("What is wrong here?", "", telegramsim.Document{Kind: telegramsim.AsPhoto, Data: picture(r.t)})
	r.taken(photo)
	r.turn(photo, "💤", "", "You said: What is wrong here?")
	asked := r.asked("What is wrong here?")
	if want := base64.StdEncoding.EncodeToString(picture(r.t)); len(asked.Images) != 1 || !strings.HasSuffix(asked.Images[0], ";base64,"+want) {
		r.t.Errorf("the model was shown %q, want %s", asked.Images, want)
	}
	note := r.phone.send("Mind this note.", "", telegramsim.Document{Name: "notes.md", Mime: "text/markdown", Data: []byte("# Brücke & <Söhne>\n\nthe end\n")})
	r.taken(note)
	r.turn(note, "💤", "", "You said: Mind this note.")
	if got := r.asked("Mind this note.").Text; !strings.Contains(got, "# Brücke & <Söhne>") || !strings.Contains(got, "the end") {
		r.t.Errorf("the model was told\n%s", got)
	}
}

// stopped: a command that would run for an hour ends at once, and the session goes on
// with the next prompt.
func (r *remote) stopped() {
	long := r.prompt(run("touch long; sleep 3600"), 0)
	r.taken(long)
	card := r.phone.cardWith("touch long")
	r.phone.tap(card, "✅ Allow once")
	r.here.awaitFile("long")
	r.phone.reads(card, "Allowed once by Ada")
	r.phone.ends[card] = settled(r.phone.message(card).Text)
	ask := r.hears(r.phone.say("/abort", 0), "⏹ shop-api")
	r.phone.tap(ask, "⏹ Stop")
	r.phone.reads(ask, "⏹ Stopped · shop-api")
	next := r.prompt("What now?", 0)
	r.taken(next)
	r.turn(next, "💤", "", "You said: What now?")
}

// killedAt kills hermes at its next call of a kind after the prompt was written; one
// about a message is about that.
func (r *remote) killedAt(text string, is func(telegramsim.Call) bool) {
	all := r.phone.telegram.Messages(ada)
	before := all[len(all)-1].ID
	killed := r.killWhen(func(c telegramsim.Call) bool { return is(c) && (c.Message == 0 || c.Message > before) })
	id := r.prompt(text, 0)
	select {
	case <-killed:
	case <-r.t.Context().Done():
	}
	r.again()
	r.turn(id, "💤", "", "You said: "+text)
}

// calls tells the calls of a method, with that reaction if it is one.
func calls(method, reaction string) func(telegramsim.Call) bool {
	return func(c telegramsim.Call) bool {
		return c.Method == method && strings.Contains(c.Params["reaction"], reaction)
	}
}

// again starts hermes after a kill, which may have left messages that come again or
// not at all.
func (r *remote) again() {
	r.phone.kills++
	r.phone.telegram.SetFault(nil)
	r.hermes.start(r.t)
}

func (r *remote) killedAtModel() {
	id := r.prompt("Prompt for the model.", 0)
	r.awaitGiven("Prompt for the model.")
	r.hermes.kill()
	r.again()
	r.turn(id, "💤", "", "You said: Prompt for the model.")
}

// allDown: what is written while OpenCode is away, and hermes after it, is kept. Hermes is
// stopped, not killed: a kill before it has stored which message says that the prompt waits
// leaves that message as it is.
func (r *remote) allDown() {
	r.here.Kill()
	const text = "Are you there?"
	kept := r.prompt(text, 0)
	ack := r.hears(kept, "📡 Waiting for OpenCode. Your prompt is kept · shop-api")
	r.hears(r.phone.say("/status", 0), "Prompts waiting for OpenCode: 1")
	r.hermes.stop(r.t)
	r.here.Restart()
	if r.way == linkedServe {
		r.here.wake()
	}
	r.hermes.start(r.t)
	r.phone.reads(ack, "👍 The agent has it · shop-api")
	r.turn(kept, "💤", "", "You said: "+text)
}
