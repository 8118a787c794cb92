package contract

import (
	"net/http"
	"strings"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

func health(p *prober) {
	p.WantJSON("GET /global/health", p.get("/global/health"), 200, `{"healthy":true,"version":"`+p.Version+`"}`)
}

// password: Basic auth guards every route, those that do not exist too.
func password(p *prober) {
	for _, path := range []string{"/global/health", "/question", "/global/event", "/event", "/session/ses_x", "/nowhere"} {
		req := p.Request(http.MethodGet, path, "", "")
		a := p.Do(req)
		p.WantStatus("GET "+path+" without a password", a, http.StatusUnauthorized)
		if got := a.Header.Get("WWW-Authenticate"); got != `Basic realm="Secure Area"` {
			p.Errorf("GET %s: WWW-Authenticate %q", path, got)
		}
	}
	req := p.Request(http.MethodGet, "/global/health", "", "")
	req.SetBasicAuth("opencode", p.Password+"x")
	p.WantStatus("a wrong password", p.Do(req), http.StatusUnauthorized)
}

// unknownRoute: what does not exist is never a JSON answer of status 200.
func unknownRoute(p *prober) {
	a := p.get("/nowhere/at/all")
	if a.Status == http.StatusOK && !strings.HasPrefix(a.Kind, "text/html") {
		p.Errorf("an unknown route: %d %s %s", a.Status, a.Kind, a.Body)
	}
	if p.modern() && a.Status != http.StatusOK {
		p.Errorf("an unknown route: %d, want the web application", a.Status)
	}
}

// streams: the first frame is server.connected; the others name directories. Newer versions repeat stored events as "sync", but never those of
// questions.
func streams(p *prober) {
	s := p.listen()
	frames, _, _ := s.State()
	if first := frames[0]; first.Type != "server.connected" || first.Directory != "" {
		p.Errorf("the first frame is %s", first.Raw)
	}
	r := p.ask(model.TwoQuestions()...)
	asked := s.awaitLabel(p, r.SessionID, "question.asked")
	if asked.Directory != p.Dir || strings.HasPrefix(asked.ID, "evt_") != p.modern() || (asked.Project != "") != p.modern() {
		p.Errorf("the event is %s", asked.Raw)
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}, []string{"A"}))
	s.awaitLabel(p, r.SessionID, "session.idle")
	frames, _, _ = s.State()
	if got := has(frames, "sync", "message.part.updated.1"); got != p.modern() {
		p.Errorf("sync duplicates: %v", got)
	}
	if has(frames, "sync", `"question.`) {
		p.Error("there is a sync duplicate of a question's event")
	}
}

func has(frames []frame, kind, text string) bool {
	for _, f := range frames {
		if f.Type == kind && strings.Contains(f.Raw, text) {
			return true
		}
	}
	return false
}

// dispose: what was pending is forgotten, and the event stream goes on.
func dispose(p *prober) {
	r := p.ask(model.TwoQuestions()...)
	s := p.listen()
	p.wantTrue("dispose", p.post("/instance/dispose", nil))
	f := s.await(p, "server.instance.disposed", func(f frame) bool { return f.Type == "server.instance.disposed" })
	if f.Directory != p.Dir {
		p.Errorf("disposed of %q, want %q", f.Directory, p.Dir)
	}
	p.leaveAlone()
	if p.lists(p.Dir, r.ID) {
		p.Error("the question is still listed")
	}
	if p.busy(r.SessionID) {
		p.Error("the session is still busy")
	}
	got := p.awaitPart(r, pick(p, "running", "error"))
	if want := pick(p, "", "Tool execution aborted"); got.State.Error != want {
		p.Errorf("the tool part's error is %q, want %q", got.State.Error, want)
	}
	frames, _, _ := s.State()
	if has(frames, "question.rejected", r.ID) || has(frames, "question.replied", r.ID) {
		p.Error("a forgotten question must end without an event")
	}
	p.checkGone(r)
	p.wantTrue("a reply", p.reply(p.ask(model.TwoQuestions()...), []string{"SQLite"}))
}

// disposeGap is how long a server is left alone after a dispose. What 1.18.33 is asked
// sooner for that directory can break the instance that it makes anew: parts of it answer
// 503, or nothing comes of a prompt, until the next dispose. A busy machine shows it, an
// idle one does not.
const disposeGap = 2 * time.Second

// leaveAlone lets a real server put an instance away.
func (p *prober) leaveAlone() {
	p.Helper()
	began := time.Now()
	p.Eventually("the instance is put away", func() bool { return time.Since(began) > disposeGap })
}

// checkGone: a forgotten request is answered like one that never was.
func (p *prober) checkGone(r request) {
	p.Helper()
	p.WantStatus("a reply to a forgotten question", p.reply(r, []string{"SQLite"}), pick(p, 200, 404))
}

// restart: sessions and messages survive, nothing is pending, the tool part
// stays running for ever, and the session works on a new prompt.
func restart(p *prober) {
	r := p.ask(model.TwoQuestions()...)
	s := p.listen()
	p.Target.Restart()
	if !s.AwaitEnd(p.Probe) {
		p.Error("the stream ended well, want it cut")
	}
	if p.lists(p.Dir, r.ID) {
		p.Error("the question is still listed")
	}
	if p.busy(r.SessionID) {
		p.Error("the session is still busy")
	}
	if got := p.part(r).State.Status; got != "running" {
		p.Errorf("the tool part is %s, want running", got)
	}
	p.checkGone(r)
	p.prompt(r.SessionID, model.Ask(model.TwoQuestions()...))
	again := p.pendingOf(r.SessionID)
	if again.ID == r.ID {
		p.Error("the new question has the old id")
	}
	p.wantTrue("reply", p.reply(again, []string{"SQLite"}, []string{"A"}))
	p.awaitSaid(r.SessionID, `"Which database?"="SQLite"`)
}
