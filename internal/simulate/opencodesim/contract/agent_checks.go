package contract

import (
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// askInSubagent makes a new session start a subagent that asks, and returns
// the parent and the request.
func (p *prober) askInSubagent() (parent string, r request) {
	p.Helper()
	parent = p.newSession(p.Name())
	p.prompt(parent, "TASK "+p.Agent+" "+model.Ask(model.TwoQuestions()...))
	var children []session
	p.Eventually("a child session", func() bool {
		p.Decode(p.get("/session/"+parent+"/children"), &children)
		return len(children) == 1
	})
	return parent, p.pendingOf(children[0].ID)
}

// subagent: a child's question is listed like any other; parent, title and
// busy marks tell where it belongs; the answer goes through the child to the
// parent.
func subagent(p *prober) {
	parent, r := p.askInSubagent()
	var child session
	p.Decode(p.get("/session/"+r.SessionID), &child)
	if child.ParentID != parent || child.Title != "sub task (@"+p.Agent+" subagent)" || child.Directory != p.Dir {
		p.Errorf("the child is %+v", child)
	}
	if !p.busy(parent) || !p.busy(child.ID) {
		p.Error("parent and child must both be busy")
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}, []string{"A"}))
	p.awaitSaid(parent, `"Which database?"="SQLite"`)
	p.awaitIdle(parent)
	p.awaitIdle(child.ID)
}

// subagentRejected: the parent goes on; newer versions tell it why.
func subagentRejected(p *prober) {
	parent, r := p.askInSubagent()
	p.wantTrue("reject", p.post("/question/"+r.ID+"/reject", nil))
	p.awaitSaid(parent, "TOOLRESULT<<")
	p.awaitIdle(parent)
	const reason = "The user dismissed this question"
	if got := strings.Contains(p.said(parent), reason); got != p.modern() {
		p.Errorf("the parent was told %q", p.said(parent))
	}
}

// subagentAborted: aborting the parent aborts the child and leaks its request.
// On newer versions the parent mostly goes on to the end of its turn; on a busy machine
// it may end as well.
func subagentAborted(p *prober) {
	s := p.listen()
	parent, r := p.askInSubagent()
	p.wantTrue("abort", p.post("/session/"+parent+"/abort", nil))
	s.awaitLabel(p, r.SessionID, "session.idle")
	s.awaitLabel(p, parent, "session.idle")
	p.awaitIdle(r.SessionID)
	p.awaitIdle(parent)
	if !p.lists(p.Dir, r.ID) {
		p.Error("the request is no longer listed")
	}
	p.wantTrue("a late reply", p.reply(r, []string{"SQLite"}))
	p.awaitPart(r, "error")
	s.awaitLabel(p, parent, "task error")
	p.awaitIdle(parent)
	if got := p.said(parent); got != "" && got != pick(p, "", "TOOLRESULT<<Task cancelled>>") {
		p.Errorf("the parent said %q", got)
	}
}

// twoAtOnce: two questions of one step are two requests; the agent goes on
// when both are settled.
func twoAtOnce(p *prober) {
	ses := p.newSession(p.Name())
	first, second := model.TwoQuestions()[:1], model.TwoQuestions()[1:]
	p.prompt(ses, model.Ask(first...)+"\n"+model.Ask(second...))
	var list []request
	p.Eventually("two questions", func() bool {
		list = nil
		var all []request
		p.Decode(p.get("/question"), &all)
		for _, r := range all {
			if r.SessionID == ses {
				list = append(list, r)
			}
		}
		return len(list) == 2
	})
	for _, r := range list {
		p.wantTrue("reply", p.reply(r, []string{"A"}))
	}
	p.awaitSaid(ses, `"Which database?"="A"`)
	if !strings.Contains(p.said(ses), `"Which features?"="A"`) {
		p.Errorf("the agent said %q", p.said(ses))
	}
	p.awaitIdle(ses)
}

// promptWhilePending: a prompt to a busy session waits; the question stays.
func promptWhilePending(p *prober) {
	r := p.ask(model.TwoQuestions()...)
	p.prompt(r.SessionID, "hello")
	if !p.lists(p.Dir, r.ID) {
		p.Error("the question is no longer pending")
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}, []string{"A"}))
	p.awaitSaid(r.SessionID, "hello")
	p.awaitIdle(r.SessionID)
	p.wantAnswers(p.part(r), [][]string{{"SQLite"}, {"A"}})
}
