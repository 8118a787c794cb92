//go:build e2e

package e2e_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hermes/e2e/lab"
)

// TestScenes_Opencode2 plays the main scenes with the real hermes and an `opencode serve` of
// 2.x: the stand-in in both its shapes, and the binary that HERMES_TEST_OPENCODE2 names.
func TestScenes_Opencode2(t *testing.T) {
	t.Parallel()
	for name, shape := range standInShapes {
		t.Run("stand-in/"+name, func(t *testing.T) {
			t.Parallel()
			playOpencode2(t, newStandIn(t, shape))
		})
	}
	t.Run("real", func(t *testing.T) {
		bin := os.Getenv("HERMES_TEST_OPENCODE2")
		if bin == "" {
			t.Skip("HERMES_TEST_OPENCODE2 names no binary of OpenCode 2.x: the scenes of 2.x are played with the stand-in alone")
		}
		t.Parallel()
		playOpencode2(t, newOpencode2(t, bin))
	})
}

// remote2 is a person away from the desk, with an OpenCode 2.x in one project.
type remote2 struct {
	*remote
	oc           *opencode2
	dir, session string // the project, and the session that was asked in last
}

func playOpencode2(t *testing.T, oc *opencode2) {
	p := newPhone(t)
	d := &desk{t: t, phone: p, hermes: newHermes(t, p.url)}
	r := &remote2{remote: &remote{desk: d, heard: map[int]bool{}}, oc: oc, dir: newProject(t, "shop-api")}
	oc.start()
	p.say("/start", 0)
	d.hermes.start(t, "HERMES_OPENCODE_URLS="+oc.url, "HERMES_OPENCODE_PASSWORD="+opencode2Password,
		"HERMES_NOTIFY_DELAY=0", "HERMES_IDLE_DELAY=100ms")
	d.hermes.awaitReady(t)
	if d.play(t, r.scenes()) {
		for id := range r.heard {
			p.ends[id] = settled(p.message(id).Text)
		}
		p.check()
		d.hermes.stop(t)
	}
}

func (r *remote2) scenes() []scene {
	one := func(name string, play func()) scene {
		return scene{name, func(d *desk) {
			outer := r.oc.TB
			r.oc.TB = d.t
			defer func() { r.oc.TB = outer }()
			play()
		}, quick}
	}
	return []scene{
		one("single choice, and a prompt", r.singleChoice),
		one("dismissed in OpenCode first", r.dismissedThere),
		one("session stopped", r.stopped),
		one("permission: once", r.allowedOnce),
		one("permission: reject", r.rejected),
		one("asked while hermes is down", r.askedWhileDown),
		one("hermes killed at the tap", r.killedAtTap),
		one("OpenCode restarted", r.restarted),
	}
}

const (
	stoppedWords   = "No longer waiting: the session was stopped."
	restartedWords = "No longer waiting: OpenCode was restarted."
)

// singleChoice: the session goes on with what is written in reply to the card, and the end of
// that turn is told.
func (r *remote2) singleChoice() {
	q, card := r.question("Which database does single need?")
	r.phone.reads(card, "❓ Database · shop-api\n"+q.Question+"\n\n1. SQLite\n    file based\n2. PostgreSQL (Recommended)\n    needs a server\n")
	r.phone.tap(card, "2.")
	r.chosen(q, card)
	reply := r.phone.say("Now the tests, please.", card)
	r.taken(reply)
	r.turn(reply, "💤", "", "You said: Now the tests, please.")
	r.prompted("Now the tests, please.")
}

func (r *remote2) dismissedThere() {
	q, card := r.question("Which database do you dismiss yourself?")
	if form := r.form(); r.oc.release() {
		r.oc.call(http.MethodDelete, form, nil, nil)
	} else {
		r.oc.call(http.MethodPost, form+"/cancel", nil, nil)
	}
	r.phone.end(card, "🚫 Database · shop-api", q.Question, "Dismissed in OpenCode · hh:mm")
	r.goOn("after your dismissal")
	r.untold()
}

func (r *remote2) stopped() {
	q, card := r.question("Which database until you stop?")
	r.oc.call(http.MethodPost, r.path("/interrupt"), nil, nil)
	r.late(q, card, stoppedWords)
}

func (r *remote2) allowedOnce() {
	file := filepath.Join(r.dir, "once")
	card := r.askShell("touch " + file)
	if lab.Exists(file) {
		r.t.Error("it ran before it was allowed")
	}
	r.phone.tap(card, "✅ Allow once")
	eventually(r.t, "it runs", func() bool { return lab.Exists(file) })
	r.phone.end(card, command("✅", "touch "+file, "Allowed once by Ada · hh:mm")...)
}

func (r *remote2) rejected() {
	file := filepath.Join(r.dir, "rejected")
	card := r.askShell("touch " + file)
	r.phone.tap(card, "🚫 Reject")
	r.phone.end(card, command("🚫", "touch "+file, "Rejected by Ada · hh:mm")...)
	r.goOn("after the rejection")
	if lab.Exists(file) {
		r.t.Error("it ran although it was rejected")
	}
}

func (r *remote2) askedWhileDown() {
	r.hermes.stop(r.t)
	q := database("Which database while hermes is down?")
	r.ask(call(q))
	r.form()
	r.hermes.start(r.t)
	card := r.phone.card(q)
	r.phone.tap(card, "2.")
	r.chosen(q, card)
}

// killedAtTap: the tap is stored, and hermes is gone before OpenCode has the answer.
func (r *remote2) killedAtTap() {
	q, card := r.question("Which database before the crash?")
	killed := r.killAt("answerCallbackQuery")
	r.phone.tap(card, "2.")
	select {
	case <-killed:
	case <-r.t.Context().Done():
	}
	r.again()
	r.chosen(q, card)
}

// restarted: the question is lost with the process. The card says so, and sends the answer as
// a prompt.
func (r *remote2) restarted() {
	q, card := r.question("Which database until OpenCode restarts?")
	r.oc.end(syscall.SIGTERM)
	r.oc.start()
	r.phone.reads(card, strings.TrimSuffix(restartedWords, "."))
	why := restartedWords
	if more := "No longer waiting: OpenCode was restarted or reloaded, and the agent went on without an answer."; strings.Contains(r.phone.message(card).Text, more) {
		why = more // so it does, where the turn is taken up again
	}
	r.late(q, card, why)
}

// late holds that a card says why it takes no answer, that the model had none, and that the
// choice goes as a prompt.
func (r *remote2) late(q item, card int, why string) {
	r.t.Helper()
	r.phone.end(card, "⚠️ Database · shop-api", q.Question, why)
	r.untold()
	r.phone.say("2", card)
	offer := r.phone.cardWith("Your answer was not sent.")
	r.phone.tap(offer, "📨")
	r.prompted("Your question was: " + q.Question + "\nMy answer: PostgreSQL (Recommended)")
	r.phone.reads(offer, "👍 The agent has it · shop-api")
	r.heard[offer] = true
}

// chosen holds that the model got the second choice, once, and that the card says so.
func (r *remote2) chosen(q item, card int) {
	r.t.Helper()
	want := answered(q.Question, "PostgreSQL (Recommended)")
	eventually(r.t, "the model goes on", func() bool { return r.said(want) > 0 })
	r.idle()
	var told []string
	for _, c := range r.calls() {
		told = append(told, c.result())
	}
	if len(told) != 1 || told[0] != want || r.said(want) != 1 {
		r.t.Errorf("the model was told %q and went on %d times, want only %q, once", told, r.said(want), want)
	}
	r.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
}

// untold holds that the model has no answer.
func (r *remote2) untold() {
	r.t.Helper()
	for _, c := range r.calls() {
		if strings.Contains(c.result(), "User has answered") {
			r.t.Errorf("the model was told %q of a question without an answer", c.result())
		}
	}
}

// prompted waits until the session has a prompt and the model's answer to it, and holds that
// it came once.
func (r *remote2) prompted(text string) {
	r.t.Helper()
	eventually(r.t, "the model answers "+text, func() bool { return r.said("You said: "+text) > 0 })
	r.idle()
	n := 0
	for _, m := range r.messages() {
		if m.Type == "user" && m.Text == text {
			n++
		}
	}
	if said := r.said("You said: " + text); n != 1 || said != 1 {
		r.t.Errorf("the session has %q %d times, with %d answers", text, n, said)
	}
}
