package contract

import (
	"net/http"

	"hermes/internal/simulate/opencodesim/model"
)

// abortLeaks: an aborted turn's request stays listed, without an event; the
// session is idle. A late reply is taken and reaches nobody.
func abortLeaks(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	p.wantTrue("abort", p.post("/session/"+r.SessionID+"/abort", nil))
	s.awaitLabel(p, r.SessionID, "session.idle")
	p.awaitIdle(r.SessionID)
	if !p.lists(p.Dir, r.ID) {
		p.Error("the request is no longer listed")
	}
	got := p.awaitPart(r, pick(p, "running", "error"))
	if want := pick(p, "", "Tool execution aborted"); got.State.Error != want || got.State.Metadata.Interrupted != p.modern() {
		p.Errorf("the tool part is %+v", got.State)
	}
	p.wantTrue("a late reply", p.reply(r, []string{"SQLite"}, []string{"A"}))
	s.awaitLabel(p, r.SessionID, "question.replied")
	if p.lists(p.Dir, r.ID) {
		p.Error("the leak is still listed after the reply")
	}
	got = p.awaitPart(r, "error")
	if got.State.Error != "Tool execution aborted" || got.State.Metadata.Answers != nil {
		p.Errorf("after the late reply the tool part is %+v", got.State)
	}
	if said := p.said(r.SessionID); said != "" {
		p.Errorf("the agent said %q", said)
	}
}

// abortThenReject: on 1.1.53 the aborted turn ends only when its leaked
// request is settled, with a second round of error and idle events.
func abortThenReject(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	p.wantTrue("abort", p.post("/session/"+r.SessionID+"/abort", nil))
	s.awaitLabel(p, r.SessionID, "session.idle")
	p.awaitPart(r, pick(p, "running", "error"))
	p.wantTrue("reject", p.post("/question/"+r.ID+"/reject", nil))
	s.awaitLabel(p, r.SessionID, "question.rejected")
	s.awaitLabel(p, r.SessionID, "question error")
	p.awaitError(r)
	s.awaitCount(p, r.SessionID, "session.idle", pick(p, 3, 2))
	s.wantOrder(p, r.SessionID, pick(p,
		"busy, question.asked, question pending, question running, idle, session.idle, "+
			"question.rejected, session.error, idle, session.idle, question error, idle, session.idle",
		"busy, question pending, question.asked, question running, "+
			"session.error, idle, session.idle, question error, idle, session.idle, question.rejected"))
}

func (p *prober) awaitError(r request) {
	p.Helper()
	p.Eventually("the message has an error", func() bool {
		var m message
		p.Decode(p.get("/session/"+r.SessionID+"/message/"+r.Tool.MessageID), &m)
		return m.Info.Error.Name == "MessageAbortedError"
	})
}

func (s *stream) awaitCount(p *prober, session, label string, n int) {
	p.Helper()
	s.await(p, label+" again", func(f frame) bool {
		if f.session() == session && f.label() == label {
			n--
		}
		return n == 0
	})
}

// abortElsewhere: 1.1.53 looks for the turn in the instance of the request
// only. Idle events come although the turn goes on, so they prove nothing.
func abortElsewhere(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	p.wantTrue("abort", p.postIn(p.OtherDir, "/session/"+r.SessionID+"/abort", nil))
	f := s.awaitLabel(p, r.SessionID, "session.idle")
	if want := pick(p, p.OtherDir, p.Dir); f.Directory != want {
		p.Errorf("session.idle came for %q, want %q", f.Directory, want)
	}
	p.awaitPart(r, pick(p, "running", "error"))
	if got := p.busy(r.SessionID); got == p.modern() {
		p.Errorf("busy: %v", got)
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}, []string{"A"}))
	p.awaitPart(r, pick(p, "completed", "error"))
	p.awaitIdle(r.SessionID)
}

// abortWithQueue: an abort drops the prompt that waited; it stays in the
// messages, unanswered.
func abortWithQueue(p *prober) {
	r := p.ask(model.TwoQuestions()...)
	p.queue(r, "hello")
	p.wantTrue("abort", p.post("/session/"+r.SessionID+"/abort", nil))
	p.awaitPart(r, pick(p, "running", "error"))
	p.awaitIdle(r.SessionID)
	p.prompt(r.SessionID, "again")
	p.awaitSaid(r.SessionID, "You said: again")
	if got := p.countSaid(r.SessionID); got != 1 {
		p.Errorf("the agent spoke %d times", got)
	}
	p.awaitIdle(r.SessionID)
	p.wantTrue("a late reply", p.reply(r, []string{"SQLite"}))
}

// rejectWithQueue: a reject ends the turn and drops the prompt that waited.
func rejectWithQueue(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	p.queue(r, "hello")
	p.wantTrue("reject", p.post("/question/"+r.ID+"/reject", nil))
	s.awaitLabel(p, r.SessionID, "session.idle")
	p.awaitIdle(r.SessionID)
	if said := p.said(r.SessionID); said != "" {
		p.Errorf("the agent said %q", said)
	}
}

// queue prompts a session that waits for an probe.Answer, and waits until the prompt
// is stored.
func (p *prober) queue(r request, text string) {
	p.Helper()
	before := len(p.messages(r.SessionID))
	p.prompt(r.SessionID, text)
	p.Eventually("the prompt is stored", func() bool { return len(p.messages(r.SessionID)) > before })
}

func (p *prober) countSaid(session string) (n int) {
	p.Helper()
	for _, m := range p.messages(session) {
		for _, part := range m.Parts {
			if m.Info.Role == "assistant" && part.Type == "text" {
				n++
			}
		}
	}
	return n
}

// deleteLeaks: deleting a session does not stop its turn. It stays busy and its
// request listed; a reply ends the turn without the model. 1.18.33 sometimes tries
// the turn again instead, on a busy machine, for as long as nobody aborts it.
func deleteLeaks(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	p.wantTrue("delete", p.send(http.MethodDelete, "/session/"+r.SessionID, p.Dir, "", ""))
	f := s.await(p, "session.deleted", func(f frame) bool { return f.Type == "session.deleted" && f.session() == r.SessionID })
	if f.Props.Info.ID != r.SessionID || (f.Props.SessionID != "") != p.modern() {
		p.Errorf("session.deleted %s", f.Raw)
	}
	if !p.lists(p.Dir, r.ID) || !p.busy(r.SessionID) {
		p.Error("the request is no longer listed, or the session no longer busy")
	}
	p.WantStatus("GET of the deleted session", p.get("/session/"+r.SessionID), http.StatusNotFound)
	p.WantStatus("its messages", p.get("/session/"+r.SessionID+"/message?limit=3"), pick(p, http.StatusOK, http.StatusNotFound))
	p.wantTrue("a late reply", p.reply(r, []string{"SQLite"}))
	end := pick(p, "session.idle", "session.error")
	last := s.await(p, end, func(f frame) bool {
		return f.session() == r.SessionID && (f.label() == end || p.modern() && f.label() == "retry")
	})
	if p.lists(p.Dir, r.ID) {
		p.Error("the leak is still listed after the reply")
	}
	if last.label() == "retry" {
		p.wantTrue("abort", p.post("/session/"+r.SessionID+"/abort", nil))
	}
	p.awaitIdle(r.SessionID)
}
